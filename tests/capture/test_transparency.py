"""The recorder goes unnoticed: output, exit status and environment are as without it, and a process that does not use
CUDA leaves nothing behind."""

import re
import signal
import subprocess
import sys
import time

import pytest

from recorded_run import environment_with, fault_program, program, training

SHELL_COMMANDS = [
    ["bash", "-c", "echo a; echo b >&2; for i in 1 2 3; do (exit $i) || echo $?; done; exit 9"],
    ["bash", "-c", "yes | head -3 | sort -u; ls /nowhere; true"],
    ["bash", "-c", "kill -TERM $$"],
    [sys.executable, "-c", "import os, threading, subprocess\nprint(sorted(os.environ.get('LANG', '')))\n"
     "t = threading.Thread(target=print, args=('thread',)); t.start(); t.join()\n"
     "print(subprocess.run(['echo', 'child'], capture_output=True).stdout)\nraise SystemExit(3)"],
    [sys.executable, "-c", "import multiprocessing as m\nif __name__ == '__main__':\n"
     "  print(m.get_context('fork').Pool(2).map(abs, [-1, 2]))"],
    ["env", "-i", "PATH=/usr/bin:/bin", "sh", "-c", "echo $PATH"],
]


def bare_and_recorded(command, folder, timeout=60):
    return [subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False, cwd=folder,
                           env=environment_with(preload, {})) for preload in (False, True)]


@pytest.mark.parametrize("command", SHELL_COMMANDS, ids=range(len(SHELL_COMMANDS)))
def test_programs_without_cuda_behave_as_without_the_recorder(tmp_path, command):
    bare, recorded = bare_and_recorded(command, tmp_path)
    assert (recorded.returncode, recorded.stdout) == (bare.returncode, bare.stdout)
    assert recorded.stderr == bare.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_environment_gains_nothing(tmp_path):
    bare, recorded = bare_and_recorded(["env"], tmp_path)
    gained = set(recorded.stdout.splitlines()) - set(bare.stdout.splitlines())
    assert {line.split("=")[0] for line in gained} == {"LD_PRELOAD"}


def test_a_value_that_the_user_set_stays(tmp_path):
    done = subprocess.run(["env"], capture_output=True, text=True, check=True,
                          env=environment_with(True, {"NVTX_INJECTION64_PATH": "/mine.so"}))
    assert "NVTX_INJECTION64_PATH=/mine.so" in done.stdout.splitlines()


def test_no_thread_and_no_file_before_the_first_cuda_call(tmp_path):
    text = "import os; print(len(os.listdir('/proc/self/task')))"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True, cwd=tmp_path,
                          env=environment_with(True, {}))
    assert done.stdout == "1\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text,ranks", [("--steps 3 --loss-every 1", 1), ("--steps 2 --loss-every 1", 4),
                                        ("--layers 0", 1), ("--steps 2 --tensor 2 --nvtx", 2)])
def test_training_prints_and_returns_the_same(recorder, text, ranks):
    bare = recorder.run(training(text, ranks), preload=False)
    recorded = recorder.run(training(text, ranks))
    assert recorded.what_the_user_sees() == bare.what_the_user_sees()


@pytest.mark.parametrize("way", ["return", "exit", "_exit", "quick_exit", "thread", "abort", "segv", "term", "kill"])
def test_every_way_to_end_is_unchanged_and_leaves_a_valid_log(recorder, way):
    bare = recorder.run([fault_program("ends"), way, "30"], preload=False)
    recorded = recorder.run([fault_program("ends"), way, "30"])
    assert recorded.what_the_user_sees() == bare.what_the_user_sees()
    assert recorded.check().returncode in (0, 4), recorded.check().stdout  # 4: truncated, but not damaged
    assert "damaged" not in recorded.check().stdout
    if way in ("return", "exit", "thread"):
        assert recorded.check().returncode == 0
        assert recorded.faults() == ""


@pytest.mark.parametrize("way", ["_exit", "abort", "term"])
def test_records_older_than_100_ms_survive_every_way_to_end(recorder, way):
    run = recorder.run([fault_program("ends"), way, "30", "400"])
    log = run.only_log()
    assert [row["function"] for row in log.rows["call"]].count("cudaMemsetAsync") == 30
    # CUPTI delivers its records only now and then, so the log may lack some of the device's work.
    assert sum(row["activity"] in ("memset", "memcpy") for row in log.rows["device_activity"]) <= 60


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGUSR1])
def test_signals_from_outside_end_the_program_as_without_the_recorder(recorder, tmp_path, number):
    seen = []
    for preload in (False, True):
        started = recorder.start([fault_program("keeps_going"), str(tmp_path / "notes")], preload=preload)
        started[0].stdout.readline()
        time.sleep(0.1)
        started[0].send_signal(number)
        seen.append(recorder.finish(started, timeout=30).what_the_user_sees())
    assert seen[0] == seen[1]
    assert seen[0][0] == -number


def test_callers_of_cuda_12_are_recorded(recorder):
    run = recorder.run([fault_program("ends_12"), "return", "40"])
    assert run.what_the_user_sees() == (0, "ends by return\n", "")
    assert run.faults() == ""
    assert [row["function"] for row in run.only_log().rows["call"]].count("cudaMemsetAsync") == 40


def test_a_real_runtime_without_a_driver_answers_as_without_the_recorder(recorder):
    bare = recorder.run([program("TAUPROF_CAPTURE_PROGRAMS") + "/error_codes"], simulation=False, preload=False)
    if not bare.output.startswith("real") or "cudaGetDeviceCount 0," in bare.output:
        pytest.skip("needs a real CUDA runtime, and no GPU")
    recorded = recorder.run([program("TAUPROF_CAPTURE_PROGRAMS") + "/error_codes"], simulation=False)
    assert (recorded.status, recorded.output) == (bare.status, bare.output)
    said = recorded.errors.replace(bare.errors, "", 1)
    assert re.fullmatch(r"(tauprof: [^\n]*\n)?", said)


def test_several_processes_share_a_directory(recorder):
    command = ["bash", "-c", f"for i in 1 2 3; do {fault_program('ends')} return 5 & done; wait"]
    run = recorder.run(command)
    assert run.errors == ""
    assert len(run.log_files()) == 3
    assert run.logs.stat().st_mode & 0o777 == 0o700
    assert run.faults() == ""
