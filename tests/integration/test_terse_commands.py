"""`ctxsieve intent`, `terse` and `run`, driven as users drive them."""

import itertools
import json
import os
import re
import signal
import stat
import subprocess
import sys
import time

import pytest

from terse_inputs import FIXTURES, read_fixture

CTXSIEVE = [sys.executable, "-m", "ctxsieve"]


@pytest.fixture
def environment(tmp_path):
    return {**os.environ, "CTXSIEVE_STATE_DIR": str(tmp_path / "state"), "CTXSIEVE_CACHE_DIR": str(tmp_path / "cache")}


@pytest.fixture
def ctxsieve(environment, tmp_path):
    def call(*arguments, data=b"", **variables):
        return subprocess.run(
            [*CTXSIEVE, *arguments], input=data, capture_output=True, env={**environment, **variables}, cwd=tmp_path
        )

    return call


def child(code):
    return [sys.executable, "-c", code]


def test_intent_prints_the_worked_example(ctxsieve):
    done = ctxsieve("intent", "fix the NaN bug in entropy.rs", "--format", "json")
    record = json.loads(done.stdout)
    expected = {
        "task_type": "fix_bug",
        "confidence": 0.95,
        "targets": ["entropy.rs"],
        "scope": "single_file",
        "language": "Rust",
        "urgency": 0.8,
        "action_verb": "fix",
        "mode": "task",
        "suggested_tests": ["tests/entropy_test.rs"],
    }
    assert {key: record[key] for key in expected} == expected


def test_intent_knows_the_files_of_the_project_and_stays_inside(ctxsieve, tmp_path):
    (tmp_path / "NOTES").write_text("x")
    record = json.loads(ctxsieve("intent", "explain NOTES and ../secret and /etc/passwd", "--format", "json").stdout)
    assert record["targets"] == ["NOTES"]


def test_terse_marks_what_it_leaves_out_and_counts_it(ctxsieve):
    text = "running 40 tests\n" + "".join(f"test a::b{i} ... ok\n" for i in range(40)) + "test c ... FAILED\n"
    done = ctxsieve("terse", "--format", "json", "--command", "cargo test", data=text.encode())
    answer = json.loads(done.stdout)
    assert answer["tokens"] < answer["original_tokens"] / 5
    assert "test c ... FAILED" in answer["text"]
    assert answer["omitted_lines"] == [[2, 41]]
    assert answer["savings"]["pattern_tokens"] == answer["original_tokens"] - answer["tokens"]


def test_terse_off_is_the_identity_on_any_bytes(ctxsieve):
    data = bytes(range(256)) + b"\r\n\x1b[31mred\x1b[0m\xff\xfe"
    assert ctxsieve("terse", "--level", "off", data=data).stdout == data


def test_terse_level_comes_from_the_settings(ctxsieve, tmp_path):
    text = "".join(f"test a::b{i} ... ok\n" for i in range(40)).encode()
    (tmp_path / "ctxsieve.toml").write_text('[terse]\ncompression_level = "off"\n')
    assert ctxsieve("terse", data=text).stdout == text
    assert ctxsieve("terse", data=text, CTXSIEVE_TERSE_COMPRESSION_LEVEL="max").stdout != text
    (tmp_path / "ctxsieve.toml").write_text('[terse]\ncompression_level = "loud"\n')
    refused = ctxsieve("terse", data=text)
    assert refused.returncode == 2
    assert b"'loud': it must be one of off, lite, standard, max" in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["terse", "--level", "loud"], b"level is 'loud': it must be off, lite, standard or max"),
        (["terse", "nowhere.txt"], b"nowhere.txt is no regular file"),
        (["terse", "--kind", "tools"], b"the tools are no JSON"),
        (["terse", "--describe", "x"], b"needs --kind tools"),
        (["run"], b"there is no command to run"),
        (["run", "--show", "x"], b"run 'x' is not kept"),
        (["run", "--show", "../../etc/passwd"], b"is not kept"),
        (["run", "--lines", "3", "ls"], b"--lines is '3' without --show"),
    ],
)
def test_bad_input_is_refused(ctxsieve, arguments, message):
    done = ctxsieve(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stdout == b""


def test_tools_are_shortened_and_described_in_full(ctxsieve):
    text = "Please note that this tool allows you to read the file at the given path. For example, a.txt is fine."
    schema = {"type": "object", "properties": {"path": {"type": "string", "description": "The path."}}}
    tools = json.dumps({"tools": [{"name": "read", "description": text, "inputSchema": schema}]}).encode()
    shorter = json.loads(ctxsieve("terse", "--kind", "tools", "--level", "max", data=tools).stdout)
    assert len(shorter["tools"][0]["description"]) < len(text) / 2
    assert shorter["tools"][0]["inputSchema"]["properties"].keys() == {"path"}
    assert text.encode() in ctxsieve("terse", "--kind", "tools", "--describe", "read", data=tools).stdout


@pytest.mark.parametrize("code", [0, 1, 42])
def test_run_passes_the_exit_code_on(ctxsieve, code):
    assert ctxsieve("run", "--", *child(f"raise SystemExit({code})")).returncode == code


def test_run_says_when_a_command_is_missing_or_no_program(ctxsieve, tmp_path):
    (tmp_path / "plain").write_text("x")
    assert ctxsieve("run", "--", "no-such-command").returncode == 127
    assert ctxsieve("run", "--", "./plain").returncode == 126


def test_run_keeps_the_order_of_output_and_errors(ctxsieve):
    code = "import os\nfor i in range(5): os.write(1, b'out %d\\n' % i); os.write(2, b'err %d\\n' % i)"
    done = ctxsieve("run", "--level", "off", "--", *child(code))
    assert done.stdout == b"".join(b"out %d\nerr %d\n" % (i, i) for i in range(5))


def test_run_keeps_everything_and_shows_it_again(ctxsieve, tmp_path):
    code = "print(''.join(f'test a::b{i} ... ok\\n' for i in range(50)), end='')"
    done = ctxsieve("run", "--", *child(code))
    identifier = re.search(rb"ctxsieve run --show (\S+)", done.stderr)[1].decode()
    full = "".join(f"test a::b{i} ... ok\n" for i in range(50)).encode()
    assert done.stdout == b"[lines 1-50 omitted: passing tests]\n"
    assert ctxsieve("run", "--show", identifier).stdout == full
    assert ctxsieve("run", "--show", "last", "--lines", "2-3").stdout == b"test a::b1 ... ok\ntest a::b2 ... ok\n"
    assert identifier in ctxsieve("run", "--list").stdout.decode()
    for path in (tmp_path / "state" / "runs").iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_run_prints_the_same_text_as_the_command_where_nothing_is_left_out(ctxsieve):
    secret = "token=ghp_0123456789abcdef password: hunter2"
    done = ctxsieve("run", "--level", "max", "--", *child(f"print({secret!r})"))
    assert done.stdout.decode() == secret + "\n"
    assert done.stderr == b""


def test_run_passes_binary_output_through(ctxsieve):
    data = bytes(range(256)) * 10
    assert ctxsieve("run", "--", *child("import sys; sys.stdout.buffer.write(bytes(range(256)) * 10)")).stdout == data


def test_run_prints_long_output_with_line_numbers_that_run_on(ctxsieve):
    code = "for i in range(50000): print('unique', i, 'end') if i in (0, 49999) else print('test a ... ok')"
    done = ctxsieve("run", "--", *child(code))
    ranges = [tuple(map(int, found)) for found in re.findall(rb"lines (\d+)-(\d+) omitted", done.stdout)]
    assert ranges[0][0] == 2
    assert ranges[-1][1] == 49999
    assert all(before[1] + 1 == after[0] for before, after in itertools.pairwise(ranges))


def test_run_prints_while_the_command_goes_on(environment, tmp_path):
    code = "import time; print('early words', flush=True); time.sleep(60)"
    command = [*CTXSIEVE, "run", "--flush-seconds", "0.2", "--", *child(code)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, cwd=tmp_path) as running:
        assert running.stdout.readline() == b"early words\n"
        assert running.poll() is None
        running.terminate()
        assert running.wait(timeout=30) == 128 + signal.SIGTERM


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1])
def test_run_forwards_signals(environment, tmp_path, number):
    code = (
        f"import signal, sys, time; signal.signal({int(number)}, lambda *_: (print('caught'), sys.exit(9)));"
        "print('ready', flush=True); time.sleep(60)"
    )
    command = [*CTXSIEVE, "run", "--flush-seconds", "0.2", "--", *child(code)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, cwd=tmp_path) as running:
        assert running.stdout.readline() == b"ready\n"
        running.send_signal(number)
        assert running.stdout.read() == b"caught\n"
        assert running.wait(timeout=30) == 9


def test_run_does_not_wait_for_background_processes(ctxsieve):
    began = time.monotonic()
    done = ctxsieve("run", "--", "sh", "-c", "sleep 300 & echo started $!")
    assert done.stdout.startswith(b"started ")
    assert time.monotonic() - began < 120
    os.kill(int(done.stdout.split()[1]), signal.SIGKILL)


def test_run_ends_the_command_when_the_reader_goes_away(environment, tmp_path):
    code = "import itertools\nfor i in itertools.count(): print('line number', i)"
    command = [*CTXSIEVE, "run", "--level", "off", "--", *child(code)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, cwd=tmp_path) as running:
        running.stdout.readline()
        running.stdout.close()
        assert running.wait(timeout=120) != 0


def test_run_goes_on_when_nothing_can_be_kept(ctxsieve, tmp_path):
    (tmp_path / "file").write_text("x")
    done = ctxsieve("run", "--", *child("print('answer')"), CTXSIEVE_STATE_DIR=str(tmp_path / "file"))
    assert (done.returncode, done.stdout) == (0, b"answer\n")
    assert b"the full output is not kept" in done.stderr


def test_messages_are_shortened_in_the_shape_they_came(ctxsieve):
    command, output = read_fixture(next(path for path in FIXTURES if "pytest" in path.name))
    call = {"type": "function", "id": "a", "function": {"name": "run", "arguments": json.dumps({"command": command})}}
    messages = [{"role": "assistant", "tool_calls": [call]}, {"role": "tool", "tool_call_id": "a", "content": output}]
    for given in (messages, {"model": "any", "messages": messages}):
        done = ctxsieve("terse", "--kind", "messages", "-", data=json.dumps(given).encode())
        assert done.returncode == 0, done.stderr
        printed = json.loads(done.stdout)
        shorter = printed if isinstance(given, list) else printed["messages"]
        assert shorter[0] == messages[0]
        assert len(shorter[1]["content"]) < len(output)
        assert isinstance(given, list) or printed["model"] == "any"
    for given, said in ((b"nonsense", b"the messages are no JSON"), (b'{"a": 1}', b"the JSON holds no messages")):
        done = ctxsieve("terse", "--kind", "messages", data=given)
        assert done.returncode == 2
        assert said in done.stderr
