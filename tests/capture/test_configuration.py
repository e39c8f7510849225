"""The TAUPROF_… variables: what each changes, and the line that a bad value prints."""

import pytest

from recorded_run import fault_program, training

ENDS = ["return", "20"]


def functions(log):
    return {row["function"] for kind in ("call", "gemm", "collective") for row in log.rows[kind]}


@pytest.mark.parametrize("variable,value,accepted", [
    ("TAUPROF_ENABLE", "maybe", "0 or 1"), ("TAUPROF_RANKS", "a-b", "0,4-7"), ("TAUPROF_CAPTURE", "api,everything", "api"),
    ("TAUPROF_DEVICE_TIMING", "sundial", "cupti"), ("TAUPROF_STEP_MARKER", "sometimes", "nvtx:GLOB"),
    ("TAUPROF_BUFFER_MB", "-1", "megabytes"), ("TAUPROF_MAX_MB", "lots", "megabytes"), ("TAUPROF_ON_FULL", "burst", "wrap"),
    ("TAUPROF_START_AFTER", "soon", "seconds"), ("TAUPROF_DURATION", "1h", "seconds"),
    ("TAUPROF_CAPTURE_RANGE", "here", "cudaProfilerApi"), ("TAUPROF_LOG_LEVEL", "loud", "warn")])
def test_a_bad_value_prints_one_line(recorder, variable, value, accepted):
    run = recorder.run([fault_program("ends"), *ENDS], variables={variable: value})
    assert (run.status, run.output) == (0, "ends by return\n")
    [line] = run.errors.splitlines()
    assert line.startswith(f"tauprof: {variable}={value} ")
    assert accepted in line
    assert len(run.log_files()) == 1


def test_recording_can_be_turned_off(recorder):
    run = recorder.run([fault_program("ends"), *ENDS], variables={"TAUPROF_ENABLE": "0"})
    assert run.what_the_user_sees() == (0, "ends by return\n", "")
    assert not run.logs.exists()


def test_only_wanted_ranks_record(recorder):
    run = recorder.run(training("--steps 2", 4), variables={"TAUPROF_RANKS": "1,3"})
    assert sorted(log.rows["process"][-1]["rank"] for log in run.read_logs()) == [1, 3]


def test_only_wanted_categories_are_recorded(recorder):
    log = recorder.run(training("--steps 2", 1), variables={"TAUPROF_CAPTURE": "gemm"}).only_log()
    assert log.rows["gemm"]
    assert not log.rows["device_activity"]
    assert "cudaMemcpyAsync" not in functions(log)


def test_device_times_can_be_turned_off(recorder):
    log = recorder.run(training("--steps 2", 1), variables={"TAUPROF_DEVICE_TIMING": "off"}).only_log()
    assert not log.rows["device_activity"]
    assert log.rows["gemm"]


@pytest.mark.parametrize("variables", [{"TAUPROF_START_AFTER": "1000"}, {"TAUPROF_CAPTURE_RANGE": "cudaProfilerApi"},
                                       {"TAUPROF_CAPTURE_RANGE": "nvtx:never"}])
def test_outside_the_window_the_log_has_only_a_gap(recorder, variables):
    log = recorder.run(training("--steps 2 --nvtx", 1), variables=variables).only_log()
    assert not log.rows["call"] and not log.rows["device_activity"]
    assert log.rows["gap"]


def test_an_nvtx_range_can_be_the_window(recorder):
    log = recorder.run(training("--steps 3 --nvtx --loss-every 1", 1),
                       variables={"TAUPROF_CAPTURE_RANGE": "nvtx:optimizer"}).only_log()
    assert log.rows["call"]
    assert not log.rows["gemm"]
    assert log.rows["gap"]


@pytest.mark.parametrize("on_full", ["wrap", "stop"])
def test_the_log_stays_below_its_limit(recorder, on_full):
    run = recorder.run([fault_program("short_threads"), "40", "4", "400"],
                       variables={"TAUPROF_MAX_MB": "1", "TAUPROF_ON_FULL": on_full})
    assert run.status == 0
    assert sum(path.stat().st_size for path in run.logs.iterdir()) <= 1 << 20
    assert "damage" not in run.check().stdout
