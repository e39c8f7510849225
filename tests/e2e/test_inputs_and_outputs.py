"""The inputs and outputs of an analysis: several directories, files that are no logs, standard output that is full or
closed, outputs that cannot be written, an interrupted command, the line that says how far it is."""

import json
import os
import pathlib
import pty
import re
import resource
import select
import shutil
import signal
import subprocess
import tempfile
import time

import pytest
from programs import program

ENDING = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("job") / "logs"
    subprocess.run([program("TAUPROF_GENERATE"), "--ranks", "4", "--hosts", "2", "--steps", "5", "--stall", "2:3=20ms",
                    "--out", folder], check=True, capture_output=True)
    return folder


def analyze(tauprof, *words, **options):
    return subprocess.run([tauprof, "analyze", *words], capture_output=True, text=True, timeout=60, **options)


@pytest.mark.parametrize("most", [1, 2, 3])
def test_an_analysis_needs_no_thread_beside_its_own(tauprof, logs, most):
    """As in a container that limits its processes. Root has no limit, so this is a user whom nobody else is."""
    user = 54_321
    if os.geteuid() != 0:
        pytest.skip("cannot become another user")

    def become_limited():
        resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
        os.setgid(user)
        os.setuid(user)

    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        shutil.copytree(logs, folder / "logs")
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o777)
        if subprocess.run(["test", "-x", tauprof], user=user).returncode != 0:
            pytest.skip("another user cannot run this build")
        limited = analyze(tauprof, "logs", "--json", "report.json", cwd=folder, preexec_fn=become_limited)
        assert (limited.returncode, limited.stderr) == (0, "")
        free = analyze(tauprof, "logs", "--json", "-", cwd=folder)
        assert json.loads((folder / "report.json").read_text()) == json.loads(free.stdout)
    finally:
        shutil.rmtree(folder)


def report(tauprof, *words):
    done = analyze(tauprof, *words, "--json", "-")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def two_hosts(logs, tmp_path):
    """The logs of each host in a directory of its own."""
    for host, name in enumerate(("a", "b")):
        (tmp_path / name).mkdir()
        for log in sorted(logs.glob("*.tauprof"))[2 * host:2 * host + 2]:
            shutil.copy(log, tmp_path / name)
    return tmp_path / "a", tmp_path / "b"


def test_logs_of_a_run_in_several_directories_are_put_together(tauprof, logs, two_hosts):
    whole, parts = report(tauprof, logs), report(tauprof, *two_hosts)
    for key in ("ledger", "steps", "stragglers", "collectives", "findings", "per_rank"):
        assert parts[key] == whole[key], key


def test_a_directory_counts_once_however_often_it_is_named(tauprof, logs, tmp_path):
    (tmp_path / "link").symlink_to(logs)
    once, often = report(tauprof, logs), report(tauprof, logs, f"{logs}/", tmp_path / "link", next(logs.glob("*.tauprof")))
    assert often["quality"] == once["quality"] and often["ledger"] == once["ledger"]


def test_other_commands_take_several_directories_too(tauprof, logs, two_hosts, tmp_path):
    for words in (["health"], ["whatif", "--without", "stalls"]):
        whole, parts = (subprocess.run([tauprof, *words[:1], *where, *words[1:]], capture_output=True, text=True)
                        for where in ([logs], two_hosts))
        assert (parts.returncode, parts.stdout) == (whole.returncode, whole.stdout) and whole.stdout
    for name, where in (("whole", [logs]), ("parts", two_hosts)):
        subprocess.run([tauprof, "export", *where, "-f", "csv", "-o", tmp_path / name], check=True)
    for table in (tmp_path / "whole").iterdir():
        if table.name != "ranks.csv":  # names the logs
            assert (tmp_path / "parts" / table.name).read_bytes() == table.read_bytes(), table.name


def test_a_directory_that_is_not_there_is_an_error(tauprof, logs, tmp_path):
    done = analyze(tauprof, logs, tmp_path / "none")
    assert (done.returncode, done.stderr) == (3, f"tauprof: {tmp_path / 'none'}: no such file or directory\n")


def test_thousands_of_foreign_files_are_one_line(tauprof, logs, tmp_path):
    mixed = shutil.copytree(logs, tmp_path / "mixed")
    for number in range(3000):
        (mixed / f"x{number:04}.txt").touch()
    for number in range(40):
        (mixed / f"y{number:02}.tauprof").write_text("no log")
    done = analyze(tauprof, mixed)
    assert done.returncode == 0
    lines = done.stderr.splitlines()
    assert [line for line in lines if "not tauprof logs" in line] == [
        f"tauprof: {mixed}/x0000.txt and 2999 other files: not tauprof logs, skipped"]
    assert len(lines) < 10 and any("35 more such files" in line for line in lines)
    assert report(tauprof, mixed)["quality"]["files"]["skipped"] == 3040


@pytest.mark.parametrize("option", ["--json", "--html"])
@pytest.mark.parametrize(("path", "reason"), [("no/such/file", "No such file or directory"), ("folder", "Is a directory"),
                                              ("file/below", "Not a directory")])
def test_an_output_that_cannot_be_written_is_said_before_the_work(tauprof, tmp_path, option, path, reason):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    done = analyze(tauprof, "not-there", option, path, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"tauprof: {path}: cannot be written: {reason}\n")


def test_a_report_replaces_a_file_and_keeps_its_mode_and_links(tauprof, logs, tmp_path):
    old = tmp_path / "old.json"
    old.write_text("before")
    old.chmod(0o604)
    (tmp_path / "link.json").symlink_to(old)
    assert analyze(tauprof, logs, "--json", tmp_path / "link.json").returncode == 0
    assert (tmp_path / "link.json").is_symlink() and json.loads(old.read_text())["ledger"]
    assert old.stat().st_mode & 0o777 == 0o604
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.json", "old.json"]


def test_a_report_may_go_to_a_pipe(tauprof, logs):
    done = analyze(tauprof, logs, "--json", "/dev/stdout", "--show", "steps")
    assert done.returncode == 0 and '"ledger"' in done.stdout


COMMANDS = {
    "analyze": ["analyze", "LOGS"],
    "json": ["analyze", "LOGS", "--json", "-"],
    "html": ["analyze", "LOGS", "--html", "-"],
    "health": ["health", "LOGS"],
    "diff": ["diff", "LOGS", "--against", "LOGS"],
    "whatif": ["whatif", "LOGS", "--without", "stalls"],
    "why": ["why", "LOGS", "0"],
    "check": ["check", "LOGS"],
    "dump": ["dump", "LOG"],
    "man": ["man"],
    "completion": ["completion", "bash"],
    "help": ["--help"],
    "help of a command": ["analyze", "--help"],
    "version": ["--version"],
}


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("how", ["full", "closed"])
def test_standard_output_that_takes_nothing_is_an_error(tauprof, logs, name, how):
    log = next(logs.glob("*.tauprof"))
    words = [{"LOGS": logs, "LOG": log}.get(word, word) for word in COMMANDS[name]]
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([tauprof, *words], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60,
                              preexec_fn=(lambda: os.close(1)) if how == "closed" else None)
    assert done.returncode == 1
    assert [line for line in done.stderr.splitlines() if "standard output" in line]


def test_a_file_that_is_written_never_becomes_standard_output(tauprof, logs, tmp_path):
    done = subprocess.run([tauprof, "export", logs, "-f", "sqlite", "-o", tmp_path / "run.sqlite"],
                          preexec_fn=lambda: os.close(1), stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == 0 and (tmp_path / "run.sqlite").read_bytes().startswith(b"SQLite format 3")


@pytest.fixture(scope="module")
def large_traces(tmp_path_factory):
    """Takes a good while to import."""
    folder = tmp_path_factory.mktemp("large")
    event = '{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": %d, "dur": 1, "args": {"stream": 7}}'
    with open(folder / "rank-0.json", "w", encoding="utf-8") as file:
        file.write('{"traceEvents": [' + event % 0)
        for start in range(1, 600):
            file.write("".join("," + event % (2 * (1000 * start + i)) for i in range(1000)))
        file.write("]}")
    for rank in range(1, 8):
        os.link(folder / "rank-0.json", folder / f"rank-{rank}.json")
    return folder


def default_signals():
    for number in ENDING:
        signal.signal(number, signal.SIG_DFL)


def stopped_import(tauprof, large_traces, logs, **options):
    """An import that has begun to write, stopped. It obeys signals even if this test is told to ignore them."""
    process = subprocess.Popen([tauprof, "import", "kineto", large_traces, "-o", logs], stdout=subprocess.DEVNULL,
                               preexec_fn=default_signals, **options)
    deadline = time.monotonic() + 60
    while not list(logs.glob(".*/.*.partial")):
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.001)
    process.send_signal(signal.SIGSTOP)
    return process


@pytest.mark.parametrize("number", ENDING)
def test_an_interrupted_import_leaves_nothing(tauprof, large_traces, tmp_path, number):
    process = stopped_import(tauprof, large_traces, tmp_path / "logs")
    process.send_signal(number)
    process.send_signal(signal.SIGCONT)
    assert process.wait(timeout=60) == -number
    assert list((tmp_path / "logs").iterdir()) == []


def written_to(terminal):
    said = b""
    while select.select([terminal], [], [], 0.05)[0]:
        try:
            said += os.read(terminal, 4096)
        except OSError:  # it has no other end any more
            break
    return said


def test_a_terminal_is_told_how_far_a_long_command_is(tauprof, large_traces, tmp_path):
    leader, terminal = pty.openpty()
    process = stopped_import(tauprof, large_traces, tmp_path / "logs", stderr=terminal)
    os.close(terminal)
    expected = re.compile(rb"importing: \d+ % of \d+\.\d MB, [0-9.]+ MB/s, \d+ (s|min) left")
    said = b""
    while process.poll() is None and not expected.search(said):
        time.sleep(0.3)  # longer than the line stays
        process.send_signal(signal.SIGCONT)
        time.sleep(0.01)
        process.send_signal(signal.SIGSTOP)
        said += written_to(leader)
    process.send_signal(signal.SIGCONT)
    while process.poll() is None:
        said += written_to(leader)
    said += written_to(leader)
    os.close(leader)
    assert process.wait(timeout=60) == 0
    assert expected.search(said), said
    assert said.rindex(b"\r\x1b[K") > said.rindex(b"importing")


def test_nothing_of_the_progress_reaches_a_file(tauprof, large_traces, tmp_path):
    process = stopped_import(tauprof, large_traces, tmp_path / "logs", stderr=subprocess.PIPE)
    time.sleep(1.2)
    process.send_signal(signal.SIGCONT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 0 and b"\x1b" not in said and b"importing" not in said
