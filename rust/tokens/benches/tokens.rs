//! Tokens alone, on this workspace's own Rust sources: `cargo bench -p ctxsieve-tokens`.

use std::path::{Path, PathBuf};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ctxsieve_tokens::{Counter, Path as Vectors, Vocabulary, token_costs};

fn sources(folder: &Path, text: &mut String) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&std::fs::read_to_string(path).unwrap_or_default());
        }
    }
}

fn counter() -> Counter {
    let vocabulary = Vocabulary::get().expect("the vocabulary is embedded");
    Counter::new(vocabulary, token_costs().expect("the costs are embedded"))
}

fn tokens(criterion: &mut Criterion) {
    let mut text = String::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &mut text);
    let mut group = criterion.benchmark_group("tokens");
    group
        .throughput(Throughput::Bytes(text.len() as u64))
        .sample_size(20);
    let mut go_on = || Ok(());
    for path in [Vectors::Portable, Vectors::detect()] {
        let mut warm = counter();
        group.bench_function(format!("score lines, warm, {path:?}"), |bencher| {
            bencher.iter(|| {
                let mut cost = 0;
                let done = warm.total_bodies(path, text.as_bytes(), &mut go_on, |total| {
                    cost += total.cost;
                });
                (done, cost)
            });
        });
    }
    group.bench_function("score lines, cold", |bencher| {
        bencher.iter(|| {
            let mut cost = 0;
            let done =
                counter().total_bodies(Vectors::detect(), text.as_bytes(), &mut go_on, |total| {
                    cost += total.cost;
                });
            (done, cost)
        });
    });
    let mut warm = counter();
    group.bench_function("count", |bencher| {
        bencher.iter(|| warm.count(&text, &mut go_on));
    });
    group.bench_function("encode", |bencher| {
        bencher.iter(|| warm.encode(&text, &mut go_on));
    });
    group.finish();
}

criterion_group!(benches, tokens);
criterion_main!(benches);
