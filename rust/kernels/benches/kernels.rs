//! The five ranking kernels alone, on generated input of one size: `cargo bench -p ctxsieve-kernels`.

use criterion::{Criterion, criterion_group, criterion_main};
use ctxsieve_kernels::{Csr, Lines, Signal, heat, louvain, mmr, pagerank, rrf};

const NODES: usize = 20_000;
const DEGREE: usize = 10;

struct Graph {
    indptr: Vec<i64>,
    indices: Vec<u32>,
    weights: Vec<f64>,
}

fn random(state: &mut u64) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

/// A symmetric graph: half of the edges end within 32 nodes, hubs take most of the rest.
fn graph() -> Graph {
    let mut state = 1;
    let mut rows = vec![Vec::new(); NODES];
    for node in 0..NODES {
        for _ in 0..DEGREE / 2 {
            let far = random(&mut state) % NODES * (random(&mut state) % 1000) / 1000;
            let near = (node + random(&mut state) % 32) % NODES;
            let other = if random(&mut state).is_multiple_of(2) {
                near
            } else {
                far
            };
            rows[node].push(other as u32);
            rows[other].push(node as u32);
        }
    }
    let mut found = Graph {
        indptr: vec![0],
        indices: Vec::new(),
        weights: Vec::new(),
    };
    for mut row in rows {
        row.sort_unstable();
        found.indices.extend(row);
        found.indptr.push(found.indices.len() as i64);
    }
    found.weights = vec![1.0; found.indices.len()];
    found
}

fn graphs(criterion: &mut Criterion) {
    let Graph {
        indptr,
        indices,
        weights,
    } = graph();
    let check = &mut || false;
    let graph = Csr::new(&indptr, &indices, &weights, check).expect("the graph is valid");
    let seeds: Vec<f64> = (0..NODES)
        .map(|node| f64::from(u8::from(node % 500 == 0)))
        .collect();
    let factors = [1.0, 0.4, 0.1, 0.05, 0.02];
    criterion.bench_function("heat", |bencher| {
        bencher.iter(|| heat(&graph, &seeds, &factors, &mut || false));
    });
    criterion.bench_function("pagerank", |bencher| {
        bencher.iter(|| pagerank(&graph, None, 0.85, 1e-8, 500, &mut || false));
    });
    criterion.bench_function("louvain", |bencher| {
        bencher.iter(|| louvain(&graph, 1.0, &mut || false));
    });
}

fn lists(criterion: &mut Criterion) {
    let mut state = 2;
    let values: Vec<f64> = (0..20_000).map(|_| random(&mut state) as f64).collect();
    let signals = [Signal {
        values: &values,
        largest_first: true,
    }; 3];
    criterion.bench_function("rrf", |bencher| {
        bencher.iter(|| rrf(&signals, 60.0, &mut || false));
    });
    let words = [
        "self", "value", "return", "import", "name", "=", "(", ")", "index", "None",
    ];
    let mut text = Vec::new();
    let mut offsets = vec![0i64];
    for _ in 0..5_000 {
        for _ in 0..2 + random(&mut state) % 6 {
            text.extend_from_slice(words[random(&mut state) % words.len()].as_bytes());
            text.push(b' ');
        }
        offsets.push(text.len() as i64);
    }
    let relevance = vec![0.4; offsets.len() - 1];
    let lines = Lines {
        text: &text,
        offsets: &offsets,
    };
    criterion.bench_function("mmr", |bencher| {
        bencher.iter(|| mmr(lines, &relevance, 0.7, u64::MAX, &mut || false));
    });
}

criterion_group!(benches, graphs, lists);
criterion_main!(benches);
