"""Another profiler in the process uses CUPTI: it gets everything that it would get without us, and our log has the
gaps."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "capture"))
from recorded_log import read_log  # noqa: E402

WORK_OF_EACH_PART = 50


def run(tmp_path, *arguments, program="TAUPROF_OTHER_CUPTI_USER", **variables):
    needed = ("TAUPROF_WITH_SIMGPU", "TAUPROF_PRELOAD", program, "TAUPROF_BIN")
    if missing := [name for name in needed if name not in os.environ]:
        pytest.skip(f"{missing[0]} is not set")
    with_simgpu, preload, program, tauprof = (os.environ[name] for name in needed)
    environment = {**os.environ, "LD_PRELOAD": preload, "TAUPROF_DIR": str(tmp_path / "logs"), **variables}
    done = subprocess.run([with_simgpu, program, *arguments], env=environment, capture_output=True, text=True, check=True)
    logs = list((tmp_path / "logs").glob("*.tauprof"))
    assert len(logs) == 1
    return done, read_log(tauprof, logs[0])


def launches_with_times(log):
    """The number of memsets with device times, each of which must belong to a call of its own."""
    owners = [log.owner(row["correlation"]) for row in log.rows["device_activity"] if row["activity"] == "memset"]
    assert None not in owners
    assert len({owner["correlation"] for owner in owners}) == len(owners)
    return len(owners)


def device_gaps(log):
    return [row for row in log.rows["gap"] if row["scope"] == "device"]


def report_of(tmp_path):
    done = subprocess.run([os.environ["TAUPROF_BIN"], "analyze", tmp_path / "logs", "--json", "-"], capture_output=True,
                          text=True, check=True)
    return json.loads(done.stdout)


def test_the_other_profiler_gets_everything_and_its_time_is_a_gap(tmp_path):
    """No events take over: their calls would be in its trace."""
    done, log = run(tmp_path)
    assert done.stdout == "records 100, foreign buffers 0, foreign calls 0, wrong times 0\n"
    assert launches_with_times(log) == 3 * WORK_OF_EACH_PART
    assert len(device_gaps(log)) == 2
    assert not log.rows["drop"]
    assert done.stderr.count("tauprof:") == 1 and "another profiler takes CUPTI" in done.stderr


def test_events_that_the_user_asked_for_go_on(tmp_path):
    done, log = run(tmp_path, TAUPROF_DEVICE_TIMING="events")
    assert done.stdout.startswith("records 100, foreign buffers 0, ")
    assert launches_with_times(log) == 5 * WORK_OF_EACH_PART
    assert "tauprof:" not in done.stderr


def test_steps_beside_a_gap_are_left_out(tmp_path):
    """A step lasts from one synchronisation to the next: one part of the work is in each, and a gap starts or ends in
    each. With the gaps taken for idle time, two steps would seem to last for over a second."""
    run(tmp_path, TAUPROF_STEP_MARKER="call:cudaDeviceSynchronize")
    report = report_of(tmp_path)
    assert (report["steps"]["count"], report["steps"]["in_gaps"]) == (0, 4)
    assert report["quality"]["no_device_times"] == []


def test_a_profiler_that_comes_in_a_light_step_gets_everything(tmp_path):
    """Steps 8 to 15 are light: CUPTI is there to be taken, and the log says who had it."""
    done, log = run(tmp_path, "by-steps", TAUPROF_STEP_MARKER="call:cudaDeviceSynchronize", TAUPROF_EVERY="1/2")
    assert done.stdout == "records 100, foreign buffers 0, foreign calls 0, wrong times 0\n"
    states = [(row["state"], row["step"]) for row in log.rows["device_times"]]
    assert [state for state, _ in states] == ["taken", "switching", "off", "lent", "off", "switching", "taken"]
    assert states[-1] == ("taken", 16)
    # The first step starts with the end of the first work.
    marks = sorted(row["time"] for row in log.rows["step_mark"])
    full = {row["correlation"] for row in log.rows["call"] if row["function"] == "cudaMemsetAsync"
            and (row["start"] < marks[8] or row["start"] >= marks[16])}
    timed = {log.owner(row["correlation"])["correlation"] for row in log.rows["device_activity"]
             if row["activity"] == "memset"}
    assert len(full) == (9 + 7) * WORK_OF_EACH_PART and full <= timed
    edge = 200_000  # of a full block, into which its records reach
    assert not any(marks[8] + edge < log.calls[number]["start"] < marks[16] - edge for number in timed)
    assert len(device_gaps(log)) == 1


def test_the_report_says_who_had_cupti_throughout(tmp_path):
    """The recorder had a source of device times; that nothing came from it has another reason."""
    _, log = run(tmp_path, "throughout")
    assert launches_with_times(log) == 0
    assert len(device_gaps(log)) == 1
    report = report_of(tmp_path)
    assert report["quality"]["no_device_times"] == [{"ranks": [0], "reason": "CUPTI: somebody else uses CUPTI"}]
    [calls] = [row for row in report["calls"] if row["function"] == "cudaMemsetAsync"]
    assert calls["count"] == WORK_OF_EACH_PART


def test_cupti_is_taken_again_after_a_client_has_finalized_it(tmp_path):
    done, log = run(tmp_path, "finalize")
    assert launches_with_times(log) == 2 * WORK_OF_EACH_PART
    assert len(device_gaps(log)) == 1


def test_a_client_of_the_functions_with_subscribers_is_not_refused_because_of_us(tmp_path):
    done, log = run(tmp_path, "subscribe-v2", SIMGPU_CUPTI_FAULTS="version=130200")
    assert done.stdout == "result 0\n"
    assert launches_with_times(log) == 2 * WORK_OF_EACH_PART
    assert len(device_gaps(log)) == 1


def test_a_subscription_to_callbacks_takes_nothing_away(tmp_path):
    done, log = run(tmp_path, "subscribe-only")
    assert launches_with_times(log) == WORK_OF_EACH_PART
    assert not device_gaps(log)
    assert "tauprof:" not in done.stderr


@pytest.mark.parametrize("fault", ["enable=999", "register=39", "subscribe=39"])
def test_a_cupti_that_refuses_prints_one_line_and_loses_no_launch(tmp_path, fault):
    done, log = run(tmp_path, "subscribe-only", SIMGPU_CUPTI_FAULTS=fault)
    assert launches_with_times(log) == WORK_OF_EACH_PART
    assert done.stderr.count("tauprof:") == 1


def test_records_that_cupti_drops_are_counted(tmp_path):
    done, log = run(tmp_path, "subscribe-only", SIMGPU_CUPTI_FAULTS="no_buffers")
    assert launches_with_times(log) == 0
    assert sum(row["count"] for row in log.rows["drop"]) >= WORK_OF_EACH_PART
    assert {row["kind"] for row in log.rows["drop"]} == {"device_activity"}


def test_work_is_joined_to_its_call_if_the_thread_loses_its_processor_meanwhile(tmp_path):
    _, log = run(tmp_path, "interrupted", TAUPROF_DEVICE_TIMING="events")
    assert launches_with_times(log) == 20 * WORK_OF_EACH_PART


def test_no_device_times_are_recorded_if_none_are_wanted(tmp_path):
    _, log = run(tmp_path, "subscribe-only", TAUPROF_DEVICE_TIMING="off")
    assert not log.rows["device_activity"]
