"""Inputs that never end, block, or are larger than memory, under each name that a command reads: one line each, at once."""

import os
import resource
import socket
import subprocess
import threading
import time

import pytest
from programs import program

MOST_S, MOST_BYTES = 15, 4 << 30
SPARSE_BYTES = 10 << 30

META = "dp_size: 1\npp_size: 1\ntp_size: 1\ndsp_size: 1\nvpp_size: 1\nworld_size: 1\n"

# Where a user names the file: the words, the name that the file must have, and what stands beside it.
PLACES = {
    "analyze": ("x.tauprof", ["analyze", "{file}"]),
    "analyze --rules": ("x.rules", ["analyze", "{logs}", "--rules", "{file}"]),
    "whatif --rules": ("x.rules", ["whatif", "{logs}", "--without", "stalls", "--rules", "{file}"]),
    "export --rules": ("x.rules", ["export", "{logs}", "-f", "csv", "-o", "{out}", "--rules", "{file}"]),
    "check": ("x.tauprof", ["check", "{file}"]),
    "dump": ("x.tauprof", ["dump", "{file}"]),
    "diff of a log": ("x.tauprof", ["diff", "{file}", "--against", "{logs}"]),
    "diff of a report": ("x.json", ["diff", "{file}", "--against", "{logs}"]),
    "diff against a report": ("x.json", ["diff", "{logs}", "--against", "{file}"]),
    "import kineto": ("x.json", ["import", "kineto", "{file}", "-o", "{out}"]),
    "import kineto, packed": ("x.json.gz", ["import", "kineto", "{file}", "-o", "{out}"]),
    "import ops-csv": ("x.csv", ["import", "ops-csv", "{file}", "-o", "{out}"]),
    "import ops-csv, its description": ("meta.yaml", ["import", "ops-csv", "{folder}/table.csv", "-o", "{out}"]),
}


def zeros(path):
    path.symlink_to("/dev/zero")


def directory(path):
    path.mkdir()


def sparse(path):
    path.touch()
    os.truncate(path, SPARSE_BYTES)


def pipe(path):
    os.mkfifo(path)


def pipe_that_is_fed(path):
    os.mkfifo(path)
    feeder = os.open(path, os.O_RDWR)  # the read end, too: writing never fails
    os.set_blocking(feeder, False)

    def feed():
        while path.exists():
            try:
                os.write(feeder, b" " * 4096)
            except BlockingIOError:
                time.sleep(0.001)
        os.close(feeder)

    threading.Thread(target=feed, daemon=True).start()


def bound_socket(path):
    socket.socket(socket.AF_UNIX).bind(os.path.relpath(path))  # the name stays when the socket has gone


def terminal(path):
    controller, terminal_of_it = os.openpty()
    path.symlink_to(os.ttyname(terminal_of_it))
    path.with_name("kept").symlink_to(f"/proc/{os.getpid()}/fd/{controller}")


KINDS = (zeros, directory, sparse, pipe, pipe_that_is_fed, bound_socket, terminal)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("job") / "logs"
    subprocess.run([program("TAUPROF_GENERATE"), "--ranks", "2", "--steps", "5", "--out", folder], check=True,
                   capture_output=True)
    return folder


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """With what an operation trace needs beside its table."""
    place = tmp_path / "inputs"
    place.mkdir()
    monkeypatch.chdir(place)  # the names of sockets are short
    (place / "meta.yaml").write_text(META)
    (place / "table.csv").write_text("")
    yield place
    for name in place.iterdir():  # ends what feeds a pipe
        if name.is_fifo():
            name.unlink()


def run(tauprof, words, **options):
    """With little memory and time; returns its status and what it says."""
    done = subprocess.run([tauprof, *words], capture_output=True, text=True, timeout=MOST_S,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES)), **options)
    return done.returncode, done.stdout + done.stderr


def words_of(place, file, logs, out):
    return [word.format(file=file, folder=file.parent, logs=logs, out=out) for word in PLACES[place][1]]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("place", PLACES)
def test_no_input_holds_up_a_command(tauprof, logs, folder, tmp_path, place, kind):
    file = folder / PLACES[place][0]
    file.unlink(missing_ok=True)
    kind(file)
    status, said = run(tauprof, words_of(place, file, logs, tmp_path / "out"))
    assert status in ((2, 3, 4) if kind is directory or place == "check" else (3,)), said
    told = [line for line in said.splitlines() if str(file) in line or str(file.parent) in line]
    assert told and len(told[0]) < 400, said


@pytest.mark.parametrize("content, complaint", [
    ("range a forward\n" * (1 << 17), "larger than 1 MiB"), ("\0" * (1 << 20), "begins no rule"),
    ("x" * (1 << 20), "begins no rule"), ("range a forward", None)],
    ids=["too long", "zeros", "one word", "rules"])
def test_rules_are_of_a_size_that_a_person_writes(tauprof, logs, folder, content, complaint):
    file = folder / "x.rules"
    file.write_text(content)
    status, said = run(tauprof, ["analyze", logs, "--rules", file])
    assert status == (3 if complaint else 0)
    if complaint:
        [line] = said.splitlines()
        assert line.startswith(f"tauprof: {file}") and complaint in line and len(line) - len(str(file)) < 330


def test_a_file_on_standard_input_is_a_file_and_a_pipe_is_none(tauprof, logs, folder):
    (folder / "x.rules").write_text("range a forward\n")
    with open(folder / "x.rules", encoding="utf-8") as file:
        assert run(tauprof, ["analyze", logs, "--rules", "/dev/stdin"], stdin=file)[0] == 0
    reader, writer = os.pipe()  # nobody closes the writer's end
    status, said = run(tauprof, ["analyze", logs, "--rules", "/dev/stdin"], stdin=reader)
    os.close(reader)
    os.close(writer)
    assert (status, said.splitlines()) == (
        3, ["tauprof: /dev/stdin: not a regular file; name a file of rules (docs/phases.md)"])
