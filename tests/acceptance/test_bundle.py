"""The bundle: one file that runs in an empty folder with nothing but a Python, here on simulated GPUs."""

import signal
import time

import pytest

from conftest import build_folder, pack

QUICK = ("library", "command", "first-program", "device-uuid", "buffers", "graph", "window-rush", "exit", "one-queue",
         "reset", "driver-device", "second-device", "no-device-times", "driver-alone", "not-preloaded", "second-plugin",
         "driver-threads")
WITHOUT_PYTORCH = ("torch-1", "torch-2", "hung-collective", "torch-profiler", "proton", "torch-compile",
                   "expandable-segments", "scenario-mlp", "overhead")
WITHOUT_OTHERS = {"mig": "MIG", "nsys": "nsys", "ncu-preloaded": "ncu", "buffers-12.4-12.8": "CUPTI of CUDA 12.4 to 12.8"}


def kinds(machine):
    return {name: check["outcome"] for name, check in machine.outcomes().items()}


def test_what_the_machine_has_passes_and_the_rest_is_lacking(bundle, machine):
    done = machine.run(bundle, *QUICK, *WITHOUT_PYTORCH, *WITHOUT_OTHERS, "cpu-time")
    assert done.returncode == 0, done.output + done.errors
    outcomes = machine.outcomes()
    assert kinds(machine) == {**dict.fromkeys(QUICK, "passed"), "cpu-time": "measured",
                              **dict.fromkeys((*WITHOUT_PYTORCH, *WITHOUT_OTHERS), "lacked")}
    assert all("PyTorch" in outcomes[name]["why"][0] for name in WITHOUT_PYTORCH)
    assert all(reason in outcomes[name]["why"][0] for name, reason in WITHOUT_OTHERS.items())
    assert outcomes["first-program"]["evidence"]["runtimes"][0]["sets"] == 1000
    assert len(outcomes["cpu-time"]["evidence"]["cpu_ms_per_minute"]["recorded"]["recorder"]) == 10
    told = machine.told()
    assert told["machine"]["simulated"] and told["machine"]["runtimes"][0]["cupti"] == 130001
    assert machine.leftovers() == []


@pytest.mark.full
def test_a_process_that_the_driver_keeps_stays_recorded(bundle, machine):
    assert machine.run(bundle, "main-leaves").returncode == 0
    told = machine.outcomes()["main-leaves"]
    assert told["outcome"] == "passed" and told["evidence"]["result"] == told["evidence"]["recorded"] == "stays", told


@pytest.mark.full
def test_a_process_that_only_the_recorders_cupti_keeps_is_said(bundle, machine):
    """Without threads of the driver's. CUPTI's own cannot be sent away."""
    assert machine.run(bundle, "main-leaves", SIMGPU_OPTIONS="driver_threads=0").returncode == 1
    told = machine.outcomes()["main-leaves"]
    assert (told["evidence"]["result"], told["evidence"]["recorded"]) == ("ends", "stays"), told


def test_a_driver_with_other_threads_is_said(bundle, machine):
    assert machine.run(bundle, "driver-threads", SIMGPU_OPTIONS="driver_threads=0").returncode == 1
    assert machine.outcomes()["driver-threads"]["why"] == ["with a context it has a thread cuda-EvtHandlr ([])"]


@pytest.mark.full
def test_every_check_ends_without_a_failure(bundle, machine):
    done = machine.run(bundle)
    assert done.returncode == 0, done.output + done.errors
    assert {name for name, kind in kinds(machine).items() if kind == "passed"} >= {"killed-busy", "killed-hanging"}


def test_a_broken_library_fails_and_is_said_first(machine, tmp_path):
    build = tmp_path / "build"
    for folder in ("lib", "analyzer/cli"):
        (build / folder).mkdir(parents=True)
    (build / "lib" / "libtauprof.so").write_text("not a library", encoding="utf-8")
    (build / "analyzer" / "cli" / "tauprof").symlink_to(build_folder() / "analyzer" / "cli" / "tauprof")
    done = machine.run(pack(build, tmp_path / "broken.run"), "library", "first-program", "mig", "command")
    assert done.returncode == 1
    assert kinds(machine) == {"library": "failed", "first-program": "failed", "mig": "lacked", "command": "passed"}
    assert "cannot be preloaded" in machine.outcomes()["library"]["why"][0]
    closing = done.output[done.output.index("2 failed"):]
    assert closing.index("FAILED library") < closing.index("FAILED first-program") < closing.index("\nlacked")


def test_cupti_that_refuses_is_a_failure(bundle, machine):
    assert machine.run(bundle, "first-program", SIMGPU_CUPTI_FAULTS="enable=999").returncode == 1
    [*_, why] = machine.outcomes()["first-program"]["why"]
    assert why.startswith("device times come from CUPTI")


def test_old_cupti_is_looked_at_where_it_is(bundle, machine):
    assert machine.run(bundle, "buffers-12.4-12.8", SIMGPU_CUPTI_FAULTS="version=26").returncode == 0
    assert kinds(machine) == {"buffers-12.4-12.8": "passed"}


def start_and_wait(machine, bundle):
    """The program in its second check, which takes some seconds."""
    process = machine.start(bundle, "--only", "command", "--only", "killed-hanging")
    while not (line := process.stdout.readline()).startswith("passed"):
        assert line, process.stderr.read()
    time.sleep(0.5)
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_leaves_the_result(bundle, machine, number):
    process = start_and_wait(machine, bundle)
    process.send_signal(number)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert kinds(machine) == {"command": "passed", "killed-hanging": "lacked"}
    assert "interrupted" in machine.outcomes()["killed-hanging"]["why"][0]
    assert machine.told()["interrupted_by"] == number.name
    assert "result: " in output and machine.leftovers() == []


def test_a_kill_leaves_the_result(bundle, machine):
    process = start_and_wait(machine, bundle)
    process.kill()
    process.communicate(timeout=60)
    assert kinds(machine) == {"command": "passed", "killed-hanging": "lacked"}
    assert machine.outcomes()["killed-hanging"]["why"] == ["time: not looked at"]


@pytest.mark.parametrize("arguments", [("--only", "nothing-of-that-name"), ("--minutes", "-1"),
                                       ("--out", "/nonexistent/result")])
def test_wrong_use(bundle, machine, arguments):
    process = machine.start(bundle, *arguments)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 2
    assert errors.strip() and machine.leftovers() == []


def test_a_damaged_bundle_is_refused(bundle, machine, tmp_path):
    damaged = tmp_path / "damaged.run"
    damaged.write_bytes(bundle.read_bytes()[:-100_000])
    done = machine.run(damaged, "command")
    assert done.returncode == 2
    assert "is damaged" in done.errors and machine.leftovers() == []
