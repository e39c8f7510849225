"""Logs that claim what no job can have: each command reads them in a few times what an ordinary log costs, and 500 MB.

Processor time is compared with that of `as_usual`, a log of 5,000 ordinary steps, on the same machine: 0.5 s where
docs/threat-model.md was measured.
"""

import json
import os
import subprocess

import pytest

from tiers import two_tiers

MOST_TIMES_AS_USUAL = 6
MOST_MB = 500

JOBS = [
    "as_usual", "calls_far_apart", "calls_in_calls", "calls_inside_one", "calls_without_end", "collectives_at_once",
    "collectives_far_apart", "communicator_of_billions", "devices_by_thousands", "drops_without_end",
    "gaps_and_steps", "group_of_thousands", "ids_far_apart", "kernels_all_different", "launched_by_the_last_call",
    "long_name_of_calls", "long_reason_of_gaps", "many_ranks_many_steps", "name_that_grows", "names_that_are_no_text",
    "rows_of_nothing",
    "sequence_without_end", "stacks_upon_stacks", "threads_by_thousands", "threads_that_take_turns", "world_of_millions",
]


@pytest.fixture(scope="module")
def hostile_logs(tmp_path_factory):
    program = os.environ.get("TAUPROF_WRITE_HOSTILE_LOGS")
    if not program:
        pytest.skip("TAUPROF_WRITE_HOSTILE_LOGS does not name the program that writes them")
    folder = tmp_path_factory.mktemp("hostile")
    subprocess.run([program, folder], check=True, timeout=120)
    return folder


def run(command, output):
    """Runs it with its output in a file. Returns its exit status, seconds of processor time, and peak memory in MB."""
    with open(output, "wb") as file:
        child = subprocess.Popen([str(word) for word in command], stdout=file, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def analysis(tauprof, folder, tmp_path):
    outputs = ["--show", "all", "--json", tmp_path / "report.json", "--html", tmp_path / "report.html"]
    return [tauprof, "analyze", folder, *outputs]


@pytest.fixture(scope="module")
def usual_s(tauprof, hostile_logs, tmp_path_factory):
    folder = tmp_path_factory.mktemp("as_usual")
    return run(analysis(tauprof, hostile_logs / "as_usual", folder), folder / "text")[1]


@pytest.fixture
def run_within_limits(usual_s):
    """Runs a command; fails if it takes more than any log may cost. Returns its exit status."""
    def run_and_compare(command, output):
        status, cpu_s, mb = run(command, output)
        cost = f"{command[1]}: {cpu_s:.2f} s, {mb:.0f} MB; an ordinary log: {usual_s:.2f} s"
        assert cpu_s <= MOST_TIMES_AS_USUAL * usual_s and mb <= MOST_MB, cost
        return status

    return run_and_compare


def test_all_hostile_logs_are_tried(hostile_logs):
    assert sorted(folder.name for folder in hostile_logs.iterdir()) == JOBS


@pytest.mark.parametrize("job", JOBS)
def test_hostile_logs_cost_little(tauprof, hostile_logs, run_within_limits, tmp_path, job):
    folder = hostile_logs / job
    assert sum(log.stat().st_size for log in folder.iterdir()) <= 1 << 20
    status = run_within_limits(analysis(tauprof, folder, tmp_path), tmp_path / "text")
    assert status in (0, 3), (tmp_path / "text").read_text()[-500:]
    comparison = [tauprof, "diff", folder, "--against", folder, "--json", tmp_path / "diff.json"]
    assert run_within_limits(comparison, tmp_path / "difference") in (0, 3)
    run_within_limits([tauprof, "check", folder], tmp_path / "verdict")
    assert run_within_limits([tauprof, "health", folder], tmp_path / "health") in (0, 3, 5)
    assert run_within_limits([tauprof, "whatif", folder, "--bucket-mb", "1..1000"], tmp_path / "answer") in (0, 3)
    largest = max(folder.iterdir(), key=lambda log: log.stat().st_size)
    run_within_limits([tauprof, "dump", largest], os.devnull)


@pytest.mark.parametrize(("job", "form"), two_tiers(
    [(job, form) for job in JOBS for form in ("perfetto", "sqlite", "csv", "kineto")],
    lambda case: case in [("long_name_of_calls", "kineto"), ("kernels_all_different", "perfetto")]))
def test_hostile_logs_are_exported_at_little_cost(tauprof, hostile_logs, run_within_limits, tmp_path, job, form):
    command = [tauprof, "export", hostile_logs / job, "-f", form, "-o", tmp_path / "out"]
    assert run_within_limits(command, tmp_path / "text") in (0, 3), (tmp_path / "text").read_text()[-500:]


def test_a_world_that_nobody_has_is_not_believed(tauprof, hostile_logs):
    result = subprocess.run([tauprof, "analyze", hostile_logs / "world_of_millions", "--json", "-"],
                            capture_output=True, text=True, timeout=60)
    assert "world size 100000000 in the log, 1 rank has a log: not believed" in result.stderr
    report = json.loads(result.stdout)
    assert report["run"]["world_size"] is None
    assert report["quality"]["not_believed"] == [{"what": "world size", "first": 100000000, "rows": 1}]


def test_rows_need_bytes(tauprof, hostile_logs):
    result = subprocess.run([tauprof, "check", hostile_logs / "rows_of_nothing"], capture_output=True, text=True,
                            timeout=60)
    assert "a block has far more records than bytes" in result.stdout


EVIL = "\x1b]0;owned\x07\x1b[2J\r\n\u202etxt\x9b31m\x7f"
OBEYED = [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A))
          if chr(code) != "\n"]


def shown(*command):
    result = subprocess.run([str(word) for word in command], capture_output=True, timeout=60)
    return result.stdout.decode("utf-8") + result.stderr.decode("utf-8")


def test_nothing_that_a_terminal_obeys_leaves_a_command(tauprof, tmp_path):
    events = [{"ph": "X", "cat": "kernel", "name": f"{EVIL}{i}", "ts": 100 * i, "dur": 50, "pid": 0, "tid": 7,
               "args": {"device": 0, "stream": 7, "correlation": i}} for i in range(1, 5)]
    events += [{"ph": "X", "cat": "cuda_runtime", "name": f"cudaLaunchKernel{EVIL}", "ts": 100 * i - 20, "dur": 5,
                "pid": 1, "tid": 1, "args": {"correlation": i}} for i in range(1, 5)]
    source = tmp_path / f"trace{EVIL.replace('/', '')}.json"
    source.write_text(json.dumps({"traceEvents": events}))
    logs = tmp_path / "logs"
    texts = [shown(tauprof, "import", "kineto", source, "-o", logs)]
    log, = logs.iterdir()
    (logs / f"{EVIL}.tauprof").write_bytes(b"no log")
    for command in (["analyze", logs], ["analyze", logs, "--json", "-"], ["check", logs], ["dump", log],
                    ["health", logs], ["why", logs, "0"], ["whatif", logs, "--speed", "kernel:*=2x"], ["diff", logs, "--against", logs],
                    ["export", logs, "-f", "csv", "-o", tmp_path / f"tables{EVIL.replace('/', '')}"],
                    ["dump", logs / f"{EVIL}.tauprof"], ["analyze", tmp_path / EVIL], ["check", tmp_path / EVIL]):
        texts.append(shown(tauprof, *command))
    for text in texts:
        assert text
        assert not [character for character in OBEYED if character in text], text


def test_pipes_cost_one_line_each(tauprof, tmp_path):
    os.mkfifo(tmp_path / "log.tauprof")
    os.mkfifo(tmp_path / "trace.json")
    for command in (["analyze", tmp_path], ["check", tmp_path], ["dump", tmp_path / "log.tauprof"],
                    ["import", "kineto", tmp_path, "-o", tmp_path / "logs"]):
        result = subprocess.run([str(word) for word in (tauprof, *command)], capture_output=True, text=True, timeout=20)
        assert result.returncode == 3
        assert "not a regular file" in result.stdout + result.stderr
