"""Layer 2 alone: command families find their output, drop its routine and keep what matters."""

import pytest

from ctxsieve.terse import CompressionLevel, compress_output
from ctxsieve.terse.families import FAMILIES, families_of
from ctxsieve.terse.patterns import judge_patterns
from ctxsieve.terse.protect import is_error_line
from terse_inputs import FIXTURES, read_fixture

OUTPUTS = {path.stem: read_fixture(path) for path in FIXTURES}

# Written from the formats of tools that cannot run everywhere (a daemon, a cluster, another platform):
# command, lines that are routine at `standard` and lines that must stay.
SAMPLES = [
    (
        "docker build .",
        [f"#{i} sha256:{i:064x} {i}.1MB / 30MB 0.{i}s" for i in range(1, 9)] + ["#9 CACHED", "#10 DONE 0.3s"],
        ['ERROR: failed to solve: process "/bin/sh -c make" did not complete successfully: exit code: 2'],
    ),
    (
        "docker pull alpine",
        [f"{i:012x}: Pull complete" for i in range(12)],
        ["Digest: sha256:0123456789abcdef", "docker.io/library/alpine:latest"],
    ),
    (
        "docker compose up -d",
        [f" Container app-web-{i}  Started" for i in range(9)],
        ["Error response from daemon: port is already allocated"],
    ),
    (
        "kubectl get pods -A",
        [f"web-7d4b9c-{i}   1/1     Running   0          3d" for i in range(12)],
        ["db-0   0/1     CrashLoopBackOff   17   3d", "api-0   1/1     Running   4 (2h ago)   3d"],
    ),
    (
        "kubectl apply -f all.yaml",
        [f"configmap/settings-{i} unchanged" for i in range(9)],
        ["deployment.apps/web configured"],
    ),
    (
        "helm repo update",
        [f'...Successfully got an update from the "charts{i}" chart repository' for i in range(8)],
        ["Update Complete. ⎈Happy Helming!⎈"],
    ),
    (
        "ansible-playbook site.yml",
        [f"ok: [host{i}]" for i in range(12)] + [f"skipping: [host{i}]" for i in range(9)],
        ["fatal: [host3]: UNREACHABLE! => {}", "host3 : ok=2 changed=0 unreachable=1 failed=0"],
    ),
    (
        "./gradlew build",
        [f"> Task :module{i}:compileJava UP-TO-DATE" for i in range(12)],
        ["> Task :app:test FAILED", "BUILD FAILED in 3s"],
    ),
    (
        "sbt test",
        [f"[info] - adds {i}" for i in range(12)],
        ["[info] - subtracts *** FAILED ***", "[error] (Test / test) sbt.TestsFailedException"],
    ),
    (
        "dotnet test",
        ["  Determining projects to restore..."] + [f"  Passed Adds{i} [{i} ms]" for i in range(12)],
        ["  Failed Subtracts [3 ms]"],
    ),
    (
        "bundle install",
        [f"Using rack-{i} 2.{i}" for i in range(12)],
        ["Gem::Ext::BuildError: ERROR: Failed to build gem native extension."],
    ),
    (
        "systemctl list-units",
        [f"  unit{i}.service   loaded active running   Unit {i}" for i in range(12)],
        ["● db.service   loaded failed failed   Database"],
    ),
    (
        "journalctl -u web",
        [f"Mar 01 10:00:{i:02d} host systemd[1]: Started Session {i} of user." for i in range(20)],
        ["Mar 01 10:01:00 host web[7]: panic: no route to database"],
    ),
    (
        "rustup update",
        [f"info: downloading component 'part{i}'" for i in range(9)],
        ["stable updated - rustc 1.80.0"],
    ),
    (
        "uv sync",
        [f" + package{i}==1.{i}" for i in range(25)],
        ["error: No solution found when resolving dependencies"],
    ),
    (
        "vite build",
        [f"dist/assets/part{i}.js   {i}.10 kB │ gzip: {i}.05 kB" for i in range(1, 20)],
        ["(!) Some chunks are larger than 500 kB after minification."],
    ),
    (
        "rsync -av a b",
        [f"  {i},000,000  {i}%  10.{i}MB/s    0:00:0{i}" for i in range(1, 9)],
        ["rsync: connection unexpectedly closed"],
    ),
    (
        "tree",
        [f"│   ├── module{i}.pyc" for i in range(12)],
        ["│   ├── module.py"],
    ),
]


def test_there_are_at_least_25_families_with_names_and_commands_of_their_own():
    assert len(FAMILIES) >= 25
    assert len({family.name for family in FAMILIES}) == len(FAMILIES)
    commands = [command for family in FAMILIES for command in family.commands]
    assert len(set(commands)) == len(commands)
    assert all(commands)


@pytest.mark.parametrize(("command", "routine", "important"), SAMPLES, ids=[sample[0] for sample in SAMPLES])
def test_routine_goes_and_what_matters_stays(command, routine, important):
    lines = [*routine, *important]
    verdict = judge_patterns(lines, CompressionLevel.STANDARD, command=command)
    assert verdict.families
    assert len(verdict.routine) > len(routine) / 2
    assert not any(position >= len(routine) for position in verdict.routine)


@pytest.mark.parametrize("stem", OUTPUTS)
def test_recorded_errors_are_never_routine(stem):
    command, output = OUTPUTS[stem]
    lines = [line for line in output.split("\n") if line]
    for level in CompressionLevel:
        routine = judge_patterns(lines, level, command=command).routine
        left = {line for position, line in enumerate(lines) if position not in routine}
        assert all(line in left for line in lines if is_error_line(line))


@pytest.mark.parametrize(
    ("stem", "most_share"),
    [
        ("git_clone", 0.05),
        ("git_log", 0.9),
        ("git_status", 0.95),
        ("cargo_build", 0.6),
        ("cargo_test", 0.7),
        ("pytest_verbose", 0.6),
        ("pip_install", 0.2),
        ("cmake", 0.5),
        ("cmake_build", 0.3),
        ("go_test", 0.4),
        ("mvn", 0.6),
        ("make", 0.9),
        ("jest", 0.85),
        ("vitest", 0.9),
        ("node_test", 0.8),
        ("terraform_init", 0.7),
        ("terraform_plan", 0.8),
        ("apt_install", 0.7),
        ("pnpm", 0.6),
        ("grep_def", 1.0),
        ("ps", 0.8),
        ("ctest", 0.8),
        ("ls", 0.99),
        ("tsc_pretty", 0.5),
        ("ruff", 0.8),
    ],
)
def test_recorded_output_shrinks(stem, most_share):
    command, output = OUTPUTS[stem]
    result = compress_output(output, level=CompressionLevel.STANDARD, command=command)
    print(f"{stem}: {result.original_tokens} -> {result.tokens} tokens")
    assert result.tokens <= most_share * result.original_tokens


def test_failures_of_recorded_test_runs_are_all_there():
    for stem, failure in {
        "cargo_test": "test tests::median_of_four ... FAILED",
        "go_test": "--- FAIL: TestMeanEmpty (0.00s)",
        "pytest": "ZeroDivisionError: division by zero",
        "jest": "Received:",
        "ctest": "3/3 Test #3: three",
        "cargo_error": "error[E0277]: cannot divide `f64` by `usize`",
        "go_build": "stats/bad.go:5:",
    }.items():
        command, output = OUTPUTS[stem]
        assert failure in compress_output(output, level=CompressionLevel.MAX, command=command).text, stem


def test_diffs_and_file_contents_are_not_thinned():
    command, output = OUTPUTS["git_diff"]
    left = compress_output(output, level=CompressionLevel.MAX, command=command).text.split("\n")
    assert all(line in left for line in output.split("\n") if line.startswith(("+", "-")))
    command, output = OUTPUTS["cat"]
    assert compress_output(output, level=CompressionLevel.MAX, command=command).text == output


def test_every_searched_file_keeps_a_match():
    command, output = OUTPUTS["grep"]
    left = compress_output(output, level=CompressionLevel.MAX, command=command).text
    assert {line.partition(":")[0] for line in output.splitlines()} <= {
        line.partition(":")[0] for line in left.splitlines()
    }


@pytest.mark.parametrize(
    ("command", "family"),
    [
        ("git -C sub status", "git status"),
        ("FOO=1 sudo cargo test --all", "cargo test"),
        ("cd x && python3 -m pytest -q 2>&1 | tail -5", "pytest"),
        ("npx eslint .", "eslint"),
        ("poetry run pytest", "pytest"),
        ("/usr/bin/make -j8", "make"),
        (["git", "diff", "--stat"], "git diff"),
        ("python -m pip install x", "pip install"),
    ],
)
def test_command_line_finds_its_family(command, family):
    assert families_of([], command)[0].name == family


@pytest.mark.parametrize("command", ["git log | awk '{print $1}'", "unbalanced 'quote", "", "&&", "unknown-tool"])
def test_other_command_lines_find_none(command):
    assert [family.name for family in families_of([], command)] == ["progress"]
