"""Faults around a recording may harm the recording, never the job: forks, threads, kills, full disks, CUPTI."""

import os
import random
import re
import resource
import signal
import struct
import subprocess
import time

import pytest

from recorded_run import WITH_SIMGPU, fault_program, training
from tiers import as_full

AT_ONCE = 2  # no more than there are cores: a writer without a CPU may lose more
SURVIVES_NS = 100_000_000  # older records must be in the file


def calls_of(log, function):
    return sum(row["function"] == function for row in log.rows["call"])


def the_same_as_bare(recorder, command, **how):
    bare = recorder.run(command, preload=False, **how)
    recorded = recorder.run(command, **how)
    assert (recorded.status, recorded.output) == (bare.status, bare.output)
    return bare, recorded


def assert_says_one_line_at_most(bare, recorded, pattern=".*"):
    said = [line for line in recorded.errors.splitlines() if line.startswith("tauprof: ")]
    assert recorded.errors.splitlines() == [*bare.errors.splitlines(), *said]
    assert len(said) <= 1
    assert all(re.search(pattern, line) for line in said), said


@pytest.mark.parametrize("way,logs", [("idle", 1), ("exec", 2), ("early", 2), ("busy", 1)])
def test_forks_do_not_disturb_program_or_recording(recorder, way, logs):
    bare, run = the_same_as_bare(recorder, [fault_program("forks"), way])
    assert run.errors == bare.errors
    assert run.status == 0
    assert len(run.log_files()) == logs
    assert run.check().returncode == 0, run.check().stdout
    assert run.faults() == ""


def test_calls_and_work_of_short_lived_threads_are_recorded(recorder):
    """There are more threads than buffers for CUPTI, and later ones get the same pthread_self()."""
    _, run = the_same_as_bare(recorder, [fault_program("short_threads"), "12", "8", "20"])
    log = run.only_log()
    assert calls_of(log, "cudaMemsetAsync") == 12 * 8 * 20
    assert len({row["thread"] for row in log.rows["call"]}) == 12 * 8
    assert run.faults() == ""


def memset_times(file):
    content = file.read_bytes()[:8]
    [count] = struct.unpack("<Q", content)
    with file.open("rb") as notes:
        notes.seek(8)
        return struct.unpack(f"<{count}Q", notes.read(8 * count))


def kill_at_random_moments(recorder, folder, count, chance):
    """Starts `count` at once and kills each at a random time. Gives (run, time of the kill, times when memsets
    returned)."""
    started = [(recorder.start([fault_program("keeps_going"), str(folder / f"notes{recorder.runs}")]),
                folder / f"notes{recorder.runs - 1}") for _ in range(count)]
    for (process, _, _), _ in started:
        assert process.stdout.readline() == "works\n"
    start = time.monotonic()
    killed = []
    for (recording, notes), delay in zip(started, sorted(chance.uniform(0, 0.6) for _ in started)):
        time.sleep(max(0, start + delay - time.monotonic()))
        at = time.monotonic_ns()
        recording[0].send_signal(signal.SIGKILL)
        killed.append((recorder.finish(recording), at, memset_times(notes)))
    return killed


@pytest.mark.parametrize("kills", [10, as_full(200)])
def test_sigkill_loses_at_most_a_tenth_of_a_second(recorder, tmp_path, kills):
    chance = random.Random(kills)
    for _ in range(kills // AT_ONCE):
        for run, at, times in kill_at_random_moments(recorder, tmp_path, AT_ONCE, chance):
            assert run.status == -signal.SIGKILL
            due = sum(time_ns < at - SURVIVES_NS for time_ns in times)
            if not run.log_files():
                assert due == 0
                continue
            log = run.only_log()
            assert "damage" not in run.check().stdout
            dropped = sum(row["count"] for row in log.rows["drop"])
            assert due <= calls_of(log, "cudaMemsetAsync") + dropped <= len(times) + 1
            faults = run.faults("--may-lose")
            assert faults == "", faults


def limit_file_size():
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))


def test_a_file_size_limit_stops_only_the_recording(recorder, tmp_path):
    command = [WITH_SIMGPU, "--", fault_program("short_threads"), "30", "4", "200"]
    bare, recorded = the_same_as_bare(recorder, command, simulation=False, preexec_fn=limit_file_size)
    assert_says_one_line_at_most(bare, recorded, "File too large|full")
    assert recorded.errors.startswith("tauprof: ")
    assert "damage" not in recorded.check().stdout


def test_a_full_disk_stops_only_the_recording(recorder, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk], capture_output=True,
                      check=False).returncode != 0:
        pytest.skip("may not mount a small file system")
    try:
        command = [fault_program("short_threads"), "30", "4", "200"]
        bare, recorded = the_same_as_bare(recorder, command, variables={"TAUPROF_DIR": str(disk / "logs")})
        assert_says_one_line_at_most(bare, recorded, "No space left")
        assert recorded.errors.startswith("tauprof: ")
        recorded.logs = disk / "logs"
        assert recorded.check().returncode in (0, 4)
        assert recorded.only_log().rows["call"]
    finally:
        subprocess.run(["umount", disk], check=True)


@pytest.mark.parametrize("directory", ["/dev/null/logs", "/proc/nowhere/logs", "{}/file"])
def test_an_unwritable_directory_prints_one_line(recorder, tmp_path, directory):
    (tmp_path / "file").write_text("mine")
    path = directory.format(tmp_path)
    bare, recorded = the_same_as_bare(recorder, [fault_program("ends"), "return", "30"],
                                      variables={"TAUPROF_DIR": path})
    assert_says_one_line_at_most(bare, recorded, re.escape(path))
    assert recorded.errors.startswith("tauprof: ")
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("fault", ["register=999", "subscribe=1", "enable=1", "enable=35", "flush=1", "no_buffers",
                                   "registered_elsewhere", "subscribe=39"])
def test_a_failing_cupti_costs_at_most_the_device_times(recorder, fault):
    command = training("--steps 2 --loss-every 1", 1)
    bare, recorded = the_same_as_bare(recorder, command, variables={"SIMGPU_CUPTI_FAULTS": fault})
    assert_says_one_line_at_most(bare, recorded)
    assert recorded.check().returncode == 0, recorded.check().stdout
    assert calls_of(recorded.only_log(), "cudaMemcpyAsync") > 0


def test_a_missing_cupti_costs_at_most_the_device_times(recorder, tmp_path):
    """Both major versions of the simulated CUPTI are missing. A real one on the machine must not be used instead."""
    libraries = tmp_path / "simgpu"
    libraries.mkdir()
    for library in os.scandir(os.environ["SIMGPU_LIBRARY_DIR"]):
        if "cupti" not in library.name:
            (libraries / library.name).symlink_to(os.path.realpath(library.path))
    bare, recorded = the_same_as_bare(recorder, training("--steps 2 --loss-every 1", 1),
                                      variables={"SIMGPU_LIBRARY_DIR": str(libraries)})
    assert_says_one_line_at_most(bare, recorded)
    assert recorded.check().returncode == 0
    assert calls_of(recorded.only_log(), "cudaMemcpyAsync") > 0
