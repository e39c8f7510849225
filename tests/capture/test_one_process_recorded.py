"""Processes that drive several devices: each device is a rank, though there is one log."""

import pytest
from recorded_run import fault_program

DEVICES, TIMES = 3, 10
# What the last device fills takes it about 4 ms, far more than threads are late.
OPTIONS = f"devices={DEVICES},time_scale=50"


@pytest.mark.parametrize("way,timing", [("group", "auto"), ("default", "auto"), ("threads", "auto"), ("threads", "events")])
def test_each_device_of_a_process_is_the_rank_that_its_communicator_says(recorder, way, timing):
    run = recorder.run([fault_program("one_process"), way], options=OPTIONS,
                       variables={"TAUPROF_DEVICE_TIMING": timing})
    assert run.status == 0, run.errors
    report = run.report("--steps", "1:7")
    assert (report["run"]["ranks"], report["run"]["world_size"]) == (DEVICES, DEVICES)
    assert [row["rank"] for row in report["per_rank"]] == list(range(DEVICES))
    [reductions] = report["collectives"]
    assert (reductions["op"], reductions["ranks"]) == ("all_reduce", DEVICES)
    assert report["quality"]["collectives"]["split"] == TIMES
    assert report["mismatches"] == []
    # All wait for the last one, which has most to do.
    waits = {row["rank"]: row["wait_ns"] for row in report["communication"]["by_rank"]}
    assert waits[DEVICES - 1] < min(waits[rank] for rank in range(DEVICES - 1)) / 4


@pytest.mark.parametrize("way", ["group", "threads"])
def test_progress_counts_each_devices_own_calls(recorder, way):
    run = recorder.run([fault_program("one_process"), way], options=OPTIONS)
    assert run.status == 0, run.errors
    [communicator] = run.report()["progress"]["communicators"]
    assert communicator["ranks"] == list(range(DEVICES))
    assert communicator["completed_by_all"] == communicator["furthest"] == TIMES


def test_where_events_time_one_device_of_a_group_nothing_is_said_of_waits(recorder):
    run = recorder.run([fault_program("one_process"), "group"], options=OPTIONS,
                       variables={"TAUPROF_DEVICE_TIMING": "events"})
    assert run.status == 0, run.errors
    counts = run.report()["quality"]["collectives"]
    assert (counts["split"], counts["incomplete"]) == (0, TIMES)
