"""tauprof export: what holds for every format: exit statuses, messages, and that nothing half-written stays."""

import gzip
import json
import os
import signal
import sqlite3
import subprocess
import time

import pytest

from perfetto_trace import Trace
from tiers import two_tiers

FILES = ["perfetto", "sqlite"]
DIRECTORIES = ["csv", "kineto"]


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60)


@pytest.fixture
def logs(hostile_job):
    return hostile_job.logs


@pytest.fixture(scope="module")
def large_logs(tmp_path_factory):
    """Takes a while to write after the output has been opened."""
    logs = tmp_path_factory.mktemp("large") / "logs"
    generate = os.environ.get("TAUPROF_GENERATE") or pytest.skip("TAUPROF_GENERATE does not name the program")
    run(generate, "--ranks", 2, "--events-per-rank", 500000, "--out", logs)
    return logs


def test_an_unknown_format_lists_what_there_is(tauprof, logs, tmp_path):
    result = run(tauprof, "export", logs, "-f", "xls", "-o", tmp_path / "out")
    assert result.returncode == 2
    assert all(form in result.stderr for form in FILES + DIRECTORIES)


@pytest.mark.parametrize("form", FILES + DIRECTORIES)
def test_a_path_that_cannot_be_written_says_why(tauprof, logs, tmp_path, form):
    result = run(tauprof, "export", logs, "-f", form, "-o", tmp_path / "missing" / "out")
    assert result.returncode == 1
    assert "missing/out: cannot be written: No such file or directory" in result.stderr


@pytest.mark.parametrize("form", FILES + DIRECTORIES)
def test_a_full_disk_says_so_and_leaves_nothing(tauprof, logs, tmp_path, form):
    command = f"ulimit -f 1; exec {tauprof} export {logs} -f {form} -o {tmp_path}/out"
    result = run("bash", "-c", command)
    assert result.returncode == 1 and len(result.stderr.splitlines()) == 1, result.stderr
    assert f"{tmp_path}/out" in result.stderr and "cannot be written: " in result.stderr
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("form", DIRECTORIES)
def test_a_directory_that_holds_something_is_left_alone(tauprof, logs, tmp_path, form):
    (tmp_path / "out").mkdir()
    assert run(tauprof, "export", logs, "-f", form, "-o", tmp_path / "out").returncode == 0
    names = sorted(os.listdir(tmp_path / "out"))
    assert names and os.listdir(tmp_path) == ["out"]
    result = run(tauprof, "export", logs, "-f", form, "-o", tmp_path / "out")
    assert result.returncode == 1 and "is there and not empty" in result.stderr
    assert sorted(os.listdir(tmp_path / "out")) == names


@pytest.mark.parametrize("form", FILES)
def test_a_directory_is_no_file(tauprof, logs, tmp_path, form):
    (tmp_path / "out").mkdir()
    result = run(tauprof, "export", logs, "-f", form, "-o", tmp_path / "out")
    assert result.returncode == 1 and "is there and no regular file" in result.stderr


@pytest.mark.parametrize("form", FILES)
def test_a_file_is_replaced_when_the_new_one_is_complete(tauprof, logs, tmp_path, form):
    (tmp_path / "out").write_text("old")
    assert run(tauprof, "export", tmp_path / "nothing", "-f", form, "-o", tmp_path / "out").returncode == 3
    assert (tmp_path / "out").read_text() == "old"
    assert run(tauprof, "export", logs, "-f", form, "-o", tmp_path / "out").returncode == 0
    assert (tmp_path / "out").stat().st_size > 1000 and os.listdir(tmp_path) == ["out"]


@pytest.mark.parametrize("form, number", [*((form, signal.SIGINT) for form in FILES + DIRECTORIES),
                                          ("perfetto", signal.SIGTERM)])
def test_an_interrupted_export_leaves_nothing(tauprof, large_logs, tmp_path, form, number):
    # Shells have what they start in the background ignore SIGINT, and the tests may have been started so.
    export = subprocess.Popen([tauprof, "export", large_logs, "-f", form, "-o", tmp_path / "out"], stderr=subprocess.PIPE,
                              preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    deadline = time.monotonic() + 60
    while not os.listdir(tmp_path) and export.poll() is None and time.monotonic() < deadline:
        time.sleep(0.001)
    export.send_signal(number)
    assert export.wait(timeout=60) == -number, export.stderr.read()
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("form", FILES + DIRECTORIES)
def test_the_export_depends_on_the_logs_alone(job, export, form):
    one, other = export(job.logs, form, "one"), export(job.logs, form, "other")
    names = [""] if form in FILES else sorted(os.listdir(one))
    assert names == ([""] if form in FILES else sorted(os.listdir(other)))
    for name in names:
        assert (one / name).read_bytes() == (other / name).read_bytes()


@pytest.mark.parametrize("form", FILES + DIRECTORIES)
def test_operation_traces_have_nothing_to_export(tauprof, data_folder, tmp_path, form):
    run(tauprof, "import", "ops-csv", data_folder / "ops-synthetic" / "tiny", "-o", tmp_path / "logs")
    result = run(tauprof, "export", tmp_path / "logs", "-f", form, "-o", tmp_path / "out")
    assert result.returncode == 3 and "an operation trace" in result.stderr


# In every run one form that has tables, and one that is a trace: the quicker ones.
@pytest.mark.parametrize("form", two_tiers(FILES + DIRECTORIES, DIRECTORIES.__contains__))
def test_hostile_logs_end_in_an_export_or_a_reason(tauprof, tmp_path, form):
    program = os.environ.get("TAUPROF_WRITE_HOSTILE_LOGS") or pytest.skip("nothing writes hostile logs")
    run(program, tmp_path / "hostile")
    jobs = sorted((tmp_path / "hostile").iterdir())
    assert jobs
    for logs in jobs:
        result = run(tauprof, "export", logs, "-f", form, "-o", tmp_path / logs.name)
        assert result.returncode == (0 if (tmp_path / logs.name).exists() else 3), result.stderr[-500:]


def texts_of(form, path):
    """Every text of an export, decoded as UTF-8."""
    if form == "sqlite":
        return [name for name, in sqlite3.connect(path).execute("SELECT name FROM names")]
    if form == "perfetto":
        return [one.name for one in Trace(path.read_bytes()).slices]
    if form == "csv":
        return [(path / "names.csv").read_text(encoding="utf-8")]
    return [event["name"] for file in path.iterdir()
            for event in json.loads(gzip.decompress(file.read_bytes()).decode("utf-8"))["traceEvents"] if "name" in event]


@pytest.mark.parametrize("form", FILES + DIRECTORIES)
def test_names_that_are_no_text_become_text(tauprof, tmp_path, form):
    program = os.environ.get("TAUPROF_WRITE_HOSTILE_LOGS") or pytest.skip("nothing writes hostile logs")
    run(program, tmp_path / "hostile")
    result = run(tauprof, "export", tmp_path / "hostile" / "names_that_are_no_text", "-f", form, "-o", tmp_path / "out")
    assert result.returncode == 0, result.stderr
    assert any("call \ufffd" in text for text in texts_of(form, tmp_path / "out"))
