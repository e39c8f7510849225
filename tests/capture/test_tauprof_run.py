"""tauprof run: what it sets, what it passes on, what it prints before and after."""

import os
import pathlib
import shutil
import signal
import stat
import subprocess
import sys
import time

import pytest

from recorded_run import environment_with, fault_program, program, simulated, tauprof, training

DYNAMIC = "/bin/sh"


def run(*arguments, variables=None, **how):
    return subprocess.run([program("TAUPROF_BIN"), "run", *map(str, arguments)], capture_output=True, text=True,
                          check=False, env=environment_with(False, variables or {}), **how)


@pytest.mark.parametrize("option,value,variable", [
    ("--ranks", "0,4-7", "TAUPROF_RANKS"), ("--capture", "api,nccl", "TAUPROF_CAPTURE"),
    ("-t", "api", "TAUPROF_CAPTURE"), ("--device-timing", "events", "TAUPROF_DEVICE_TIMING"),
    ("--stacks", "slow", "TAUPROF_STACKS"), ("--stack-min-us", "50", "TAUPROF_STACK_MIN_US"),
    ("--step-marker", "nvtx:step*", "TAUPROF_STEP_MARKER"), ("--start-after", "2.5", "TAUPROF_START_AFTER"),
    ("--start-step", "3", "TAUPROF_START_STEP"), ("--steps", "5", "TAUPROF_STEPS"), ("--trigger", "go", "TAUPROF_TRIGGER"),
    ("-y", "2", "TAUPROF_START_AFTER"), ("-d", "10", "TAUPROF_DURATION"), ("--duration", "10", "TAUPROF_DURATION"),
    ("--capture-range", "cudaProfilerApi", "TAUPROF_CAPTURE_RANGE"), ("-c", "nvtx:it", "TAUPROF_CAPTURE_RANGE"),
    ("--max-mb", "8", "TAUPROF_MAX_MB"), ("--on-full", "stop", "TAUPROF_ON_FULL"),
    ("--buffer-mb", "16", "TAUPROF_BUFFER_MB"), ("--log-level", "debug", "TAUPROF_LOG_LEVEL")])
def test_options_become_variables(tmp_path, option, value, variable):
    assert f"{variable}={value}" in run(option, value, "env", cwd=tmp_path).stdout.splitlines()


def test_the_log_directory_is_made_absolute(tmp_path):
    assert f"TAUPROF_DIR={tmp_path}/tauprof-logs" in run("env", cwd=tmp_path).stdout.splitlines()
    for given in ("mine", "mine/", "./mine//"):
        assert f"TAUPROF_DIR={tmp_path}/mine" in run("-o", given, "env", cwd=tmp_path).stdout.splitlines()
    assert f"TAUPROF_DIR={tmp_path}/theirs" in run("env", cwd=tmp_path,
                                                   variables={"TAUPROF_DIR": "theirs"}).stdout.splitlines()


@pytest.mark.parametrize(("directory", "reason"), [("file/logs", "Not a directory"), ("/proc/no/logs", "No such file or directory")])
def test_a_directory_that_takes_no_logs_is_said_before_the_command_starts(tmp_path, directory, reason):
    (tmp_path / "file").touch()
    done = run("-o", directory, "touch", "started", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (f"tauprof: {tmp_path / directory}: no log can be written there: {reason}; choose another directory "
                           "with -o\n")
    assert not (tmp_path / "started").exists()


def test_a_directory_is_made_when_there_is_something_to_record(tmp_path):
    assert run("-o", "deep/er/logs", "true", cwd=tmp_path).returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_the_library_comes_first_in_ld_preload():
    printed = run("env", variables={"LD_PRELOAD": "libm.so.6"}).stdout
    [line] = [line for line in printed.splitlines() if line.startswith("LD_PRELOAD=")]
    library, *others = line.removeprefix("LD_PRELOAD=").split(":")
    assert os.path.samefile(library, program("TAUPROF_PRELOAD"))
    assert others == ["libm.so.6"]


def test_the_library_can_be_named_or_found_beside_an_installed_command(tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "lib").mkdir()
    command = shutil.copy(program("TAUPROF_BIN"), tmp_path / "bin")
    done = subprocess.run([command, "run", "true"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("tauprof: libtauprof.so: not found beside")
    shutil.copy(program("TAUPROF_PRELOAD"), tmp_path / "lib")
    done = subprocess.run([command, "run", "env"], capture_output=True, text=True, check=False)
    assert f"LD_PRELOAD={tmp_path}/lib/libtauprof.so" in done.stdout
    assert run("true", variables={"TAUPROF_LIBRARY": "/no/such.so"}).stderr == (
        "tauprof: /no/such.so: TAUPROF_LIBRARY names no file\n")


@pytest.mark.parametrize("arguments", [["echo", "-n", "--dir", "x"], ["--", "echo", "-n", "--dir", "x"],
                                       ["-o", "x", "echo", "-n", "--dir", "x"]])
def test_options_after_the_command_belong_to_it(tmp_path, arguments):
    assert run(*arguments, cwd=tmp_path).stdout == "--dir x"


def test_a_second_double_dash_belongs_to_the_command():
    assert run("--", "echo", "a", "--", "b").stdout == "a -- b\n"


@pytest.mark.parametrize("text,status", [("exit 0", 0), ("exit 7", 7), ("kill -9 $$", 137), ("kill -TERM $$", 143)])
def test_the_exit_status_is_the_commands(text, status):
    assert run("sh", "-c", text).returncode == status


@pytest.mark.parametrize("arguments", [[], ["--on-full", "x", "true"], ["--max-mb", "x", "true"], ["--bogus", "x", "true"]])
def test_wrong_usage_is_refused(arguments):
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1])
def test_signals_reach_the_command(number):
    text = ("import signal, time\n"
            f"signal.signal({int(number)}, lambda *_: exit(9))\nprint('ready', flush=True)\n"
            "while True: time.sleep(0.1)")  # one long sleep would miss a signal that comes just before it
    process = subprocess.Popen([program("TAUPROF_BIN"), "run", sys.executable, "-c", text], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)
    assert process.stdout.readline() == "ready\n"
    process.send_signal(number)
    assert process.wait(timeout=20) == 9


def test_ignored_signals_stay_ignored():
    done = subprocess.run(["sh", "-c", f"trap '' INT; {program('TAUPROF_BIN')} run sh -c 'kill -INT $$; echo lives'"],
                          capture_output=True, text=True, check=False)
    assert done.stdout == "lives\n"


def test_a_command_that_cannot_run_prints_one_line(tmp_path):
    script = tmp_path / "script"
    script.write_text("#!/no/such/interpreter\n")
    assert run("nothing-of-that-name").returncode == 127
    assert run("nothing-of-that-name").stderr == "tauprof: nothing-of-that-name: no such command in PATH\n"
    assert run(script).stderr == f"tauprof: {script}: not executable\n"
    assert run(script).returncode == 126
    script.chmod(0o755)
    assert run(script).stderr == f"tauprof: {script}: its interpreter /no/such/interpreter does not exist\n"


def static_program(tmp_path):
    source = tmp_path / "static.c"
    source.write_text("int main(void) { return 4; }\n")
    path = tmp_path / "static"
    if not shutil.which("cc") or subprocess.run(["cc", "-static", source, "-o", path], capture_output=True,
                                                check=False).returncode != 0:
        pytest.skip("cannot link statically here")
    return path


def test_a_static_program_runs_with_a_warning(tmp_path):
    done = run(static_program(tmp_path))
    assert done.returncode == 4
    assert "statically linked" in done.stderr.splitlines()[0]


def test_a_script_with_a_static_interpreter_runs_with_a_warning(tmp_path):
    script = tmp_path / "script"
    script.write_text(f"#!{static_program(tmp_path)} -x\n")
    script.chmod(0o755)
    assert "statically linked" in run(script).stderr.splitlines()[0]
    script.write_text("echo no interpreter at all\n")
    assert run("sh", script).stdout == "no interpreter at all\n"


def test_a_setuid_program_runs_with_a_warning(tmp_path):
    path = tmp_path / "setuid"
    shutil.copy(os.path.realpath(DYNAMIC), path)
    try:
        os.chown(path, 12345, -1)
        path.chmod(0o4755)
    except PermissionError:
        pytest.skip("may not give a file away")
    if not path.stat().st_mode & stat.S_ISUID:
        pytest.skip("no setuid here")
    done = run(path, "-c", "exit 5")
    assert done.returncode == 5
    assert "setuid, so the loader ignores the preload" in done.stderr.splitlines()[0]


def test_the_command_says_where_the_logs_are_and_reports(tmp_path):
    logs = tmp_path / "logs"
    command = simulated(training("--steps 3", 2))
    done = run("-o", logs, "--", *command)
    assert done.returncode == 0
    assert done.stderr.splitlines() == [f"tauprof: 2 logs in {logs}", f"tauprof: analyse them with: tauprof analyze {logs}"]
    assert len(list(pathlib.Path(logs).glob("*.tauprof"))) == 2
    bare = subprocess.run(command, capture_output=True, text=True, check=True)
    reported = run("--report", "-o", logs, *command)
    assert reported.stdout.startswith(bare.stdout + "2 of 2 ranks · ") and "\nREPAIR " in reported.stdout
    assert f"tauprof: 2 logs in {logs}" in reported.stderr
    assert tauprof("check", str(logs)).returncode == 0


def test_of_the_ranks_that_a_launcher_starts_on_a_host_one_says_where_the_logs_are(tmp_path):
    for rank, lines in ((5, 0), (4, 2)):  # of a second host with four
        place = {"OMPI_COMM_WORLD_RANK": rank, "OMPI_COMM_WORLD_SIZE": 8, "OMPI_COMM_WORLD_LOCAL_RANK": rank % 4}
        alone = ["env", *(word for name in place for word in ("-u", name))]  # this program would wait for its peers
        done = run("-o", tmp_path / "logs", "--", *alone, *simulated(training("--steps 3", 2)),
                   variables={name: str(value) for name, value in place.items()})
        assert (done.returncode, len(done.stderr.splitlines())) == (0, lines), done.stderr


def test_logs_become_timelines_where_the_command_ran(tmp_path):
    logs, timelines = tmp_path / "logs", tmp_path / "logs-timelines"
    done = run("--reduce", "-o", logs, *simulated(training("--steps 3", 2)))
    assert (done.returncode, done.stderr.splitlines()[-1]) == (0, f"tauprof: reduced to timelines in {timelines}")
    answers = []
    for place in (logs, timelines):
        assert tauprof("analyze", str(place), "--json", str(tmp_path / "report.json")).returncode == 0
        answers.append((tmp_path / "report.json").read_text())
    assert answers[0] == answers[1]


def test_timelines_are_of_all_ranks_whoever_ends_last(tmp_path):
    logs = tmp_path / "logs"
    command = [program("TAUPROF_BIN"), "run", "-o", str(logs), "--", *simulated(training("--steps 3"))]
    ranks = [subprocess.Popen(command, env=environment_with(False, {"TAUPROF_REDUCE": "1"}), stdout=subprocess.DEVNULL)
             for _ in range(4)]
    assert [rank.wait() for rank in ranks] == [0] * 4
    again = tauprof("reduce", str(logs), "-o", f"{logs}-timelines")
    assert "  4 of them had been reduced before and have not changed since\n" in again.stdout


def test_the_library_alone_says_that_it_makes_no_timelines(recorder):
    recorded = recorder.run(training("--steps 3"), variables={"TAUPROF_REDUCE": "1"})
    assert recorded.status == 0 and len(recorded.log_files()) == 1
    [line] = recorded.errors.splitlines()
    assert "TAUPROF_REDUCE is for `tauprof run`" in line and line.endswith(f"tauprof reduce {recorded.logs}"), line


def test_timelines_that_cannot_be_written_are_said(tmp_path):
    (tmp_path / "logs-timelines").touch()
    command = simulated(training("--steps 3"))
    done = run("--reduce", "-o", tmp_path / "logs", *command)
    assert (done.returncode, "logs-timelines: cannot be made: " in done.stderr) == (1, True)
    wrong = run("-o", tmp_path / "logs", *command, variables={"TAUPROF_REDUCE": "yes"})
    assert wrong.returncode == 0
    assert "tauprof: TAUPROF_REDUCE=yes is not understood (accepted: 0, 1); using the default\n" in wrong.stderr


def test_a_run_that_recorded_nothing_says_so(tmp_path):
    done = run("-o", tmp_path / "logs", "true")
    assert (done.returncode, done.stderr) == (0, "tauprof: no log was written: no CUDA call reached the recorder\n")
    assert run("--report", "-o", tmp_path / "logs", "true").returncode == 3
    assert run("--report", "-o", tmp_path / "logs", "sh", "-c", "exit 8").returncode == 8


def test_a_terminated_job_keeps_its_logs(tmp_path):
    command = simulated([fault_program("keeps_going"), str(tmp_path / "notes")])
    process = subprocess.Popen([program("TAUPROF_BIN"), "run", "-o", str(tmp_path / "logs"), "--", *command],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "works\n"
    time.sleep(0.4)
    process.terminate()
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 128 + signal.SIGTERM
    assert errors.startswith(f"tauprof: 1 log in {tmp_path}/logs\n")
