"""The log's file and folder: full, removed, replaced, open to others."""

import os
import resource
import subprocess
import time

import pytest

from faults import dropped_calls, fault, hostile, lines_of_recorder, rounds_of, run_both
from recorded_run import WITH_SIMGPU, environment_with, simulated


@pytest.fixture
def small_disk(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", disk], capture_output=True,
                      check=False).returncode != 0:
        pytest.skip("may not mount a small file system")
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


def fill(disk):
    with (disk / "filler").open("wb", buffering=0) as filler:
        try:
            while True:
                filler.write(b"x" * 4096)
        except OSError:
            pass


def steady(recorder, stop, pause_us=2000, **how):
    """A program that works until the file `stop` appears."""
    started = recorder.start(hostile("steady", stop, 80, pause_us), **how)
    assert started[0].stdout.readline() == "works\n"
    return started


@fault("The disk is full for a while", loses="what happened meanwhile; the log says from when to when, and how much",
       says="cannot write the log: No space left on device; recording goes on when there is room")
def test_recording_goes_on_when_there_is_room(recorder, tmp_path, small_disk, chance):
    started = steady(recorder, tmp_path / "stop", variables={"TAUPROF_DIR": str(small_disk / "logs")})
    time.sleep(chance.uniform(0.0, 0.6))
    fill(small_disk)
    time.sleep(chance.uniform(0.6, 1.0))
    (small_disk / "filler").unlink()
    time.sleep(2.0)
    (tmp_path / "stop").touch()
    run = recorder.finish(started)
    run.logs = small_disk / "logs"
    assert run.status == 0
    [line] = lines_of_recorder(run)
    assert "No space left on device" in line
    log = run.only_log()
    assert run.check().returncode == 0, run.check().stdout
    [gap] = [row for row in log.rows["gap"] if row["reason"] == "No space left on device"]
    assert 300_000_000 < gap["duration"] < 3_000_000_000
    assert 0 < dropped_calls(log) < 3 * rounds_of(run)
    # Three calls a round, and those of the start.
    assert 0 <= len(log.rows["call"]) + dropped_calls(log) - 3 * rounds_of(run) < 10


@fault("The disk is full when the log is made", loses="everything", says="cannot create a log …: No space left on device")
def test_a_log_that_cannot_be_made_leaves_no_file(recorder, tmp_path, small_disk):
    (small_disk / "logs").mkdir(mode=0o700)
    fill(small_disk)
    _, run = run_both(recorder, hostile("last_moments", "return"), variables={"TAUPROF_DIR": str(small_disk / "logs")})
    [line] = lines_of_recorder(run)
    assert "No space left" in line
    assert list((small_disk / "logs").iterdir()) == []


@fault("The log directory cannot be made", loses="everything", says="cannot make the log directory …; nothing is recorded")
def test_where_nothing_is_recorded_nothing_is_paid(recorder, tmp_path):
    (tmp_path / "stop").touch()
    _, run = run_both(recorder, hostile("steady", tmp_path / "stop", 1), variables={"TAUPROF_DIR": "/dev/null/logs"})
    assert run.output == "works\n0 rounds\n"
    assert len(lines_of_recorder(run)) == 1


@fault("A file size limit is reached", loses="what comes after", says="cannot write the log: File too large; …")
@pytest.mark.parametrize("bytes_left", [100, 1_000, 3_000])
def test_a_file_size_limit_kills_nobody(recorder, bytes_left):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_left, bytes_left))

    command = [WITH_SIMGPU, "--", *hostile("last_moments", "return")]  # without files of the simulation
    _, run = run_both(recorder, command, simulation=False, preexec_fn=limit)
    assert run.status == 0
    assert ["File too large" in line for line in lines_of_recorder(run)] == [True]


@fault("Nobody reads stderr any more", loses="the message")
def test_a_message_into_a_broken_pipe_kills_nobody(recorder):
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.Popen(simulated(hostile("last_moments", "return")), stdout=subprocess.PIPE, stderr=writer,
                               env=environment_with(True, {"TAUPROF_DIR": "/dev/null/logs"}), text=True)
    os.close(writer)
    output, _ = process.communicate(timeout=60)
    assert (process.returncode, output) == (0, "20 rounds\n")


@fault("The log, or its directory, is removed or replaced", loses="the log", says="the log was removed, or its directory; …")
@pytest.mark.parametrize("way", ["remove", "replace", "remove_folder"])
def test_a_log_that_is_gone_is_said_once(recorder, tmp_path, chance, way):
    started = steady(recorder, tmp_path / "stop")
    folder = started[1]
    time.sleep(chance.uniform(0.0, 0.4))
    [log] = folder.glob("*.tauprof")
    log.unlink()
    if way == "replace":
        log.write_text("somebody else's")
    if way == "remove_folder":
        folder.rmdir()
    time.sleep(2.2)
    (tmp_path / "stop").touch()
    run = recorder.finish(started)
    assert run.status == 0
    [line] = lines_of_recorder(run)
    assert "replaced" in line if way == "replace" else "removed" in line
    if way == "replace":
        assert log.read_text() == "somebody else's"


@fault("Others can write into the log directory", loses="everything",
       says="others can write into the log directory …, which has no sticky bit; nothing is recorded (chmod go-w)")
@pytest.mark.parametrize("mode,is_recorded", [(0o777, False), (0o757, False), (0o1777, True), (0o775, True)])
def test_a_folder_that_is_open_to_others_is_refused(recorder, tmp_path, mode, is_recorded):
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(mode)
    _, run = run_both(recorder, hostile("last_moments", "return"), variables={"TAUPROF_DIR": str(tmp_path / "open")})
    assert bool(list((tmp_path / "open").iterdir())) == is_recorded
    assert len(lines_of_recorder(run)) == (not is_recorded)


@fault("Somebody has put a link or a pipe under the name of the log's replacement", loses="nothing")
@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_nothing_is_written_through_a_planted_name(recorder, tmp_path, chance, kind):
    target = tmp_path / "target"
    target.write_text("mine")
    started = steady(recorder, tmp_path / "stop", pause_us=0, variables={"TAUPROF_MAX_MB": "1"})
    time.sleep(chance.uniform(0.0, 0.4))
    [log] = started[1].glob("*.tauprof")
    planted = log.with_name(f".{log.name}.new")
    planted.symlink_to(target) if kind == "link" else os.mkfifo(planted)
    first, until = log.stat().st_ino, time.monotonic() + 60
    while log.stat().st_ino == first and time.monotonic() < until:
        time.sleep(0.05)
    assert log.stat().st_ino != first, "the log was not replaced"
    (tmp_path / "stop").touch()
    run = recorder.finish(started)
    assert run.status == 0
    assert target.read_text() == "mine"
    assert run.check().returncode == 0

