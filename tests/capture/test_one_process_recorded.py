"""Processes that drive several devices: each device is a rank, although there is only one log."""

import pytest
from recorded_run import fault_program

DEVICES, TIMES = 3, 10
# The memset of the last device takes about 40 ms, far longer than most delays of a thread.
OPTIONS = f"devices={DEVICES},time_scale=500"


@pytest.mark.parametrize("way,timing", [("group", "auto"), ("default", "auto"), ("threads", "auto"), ("threads", "events"),
                                        ("config", "auto"), ("grow", "auto"), ("split", "auto")])
def test_each_device_of_a_process_has_the_rank_of_its_communicator(recorder, way, timing):
    run = recorder.run([fault_program("one_process"), way], options=OPTIONS,
                       variables={"TAUPROF_DEVICE_TIMING": timing})
    assert run.status == 0, run.errors
    report = run.report()
    assert (report["run"]["ranks"], report["run"]["world_size"]) == (DEVICES, DEVICES)
    assert [row["rank"] for row in report["per_rank"]] == list(range(DEVICES))
    [reductions] = report["collectives"]
    assert (reductions["op"], reductions["ranks"]) == ("all_reduce", DEVICES)
    assert report["quality"]["collectives"]["split"] == TIMES
    assert report["mismatches"] == []
    # All wait for the last device, which has the most work.
    waits = {row["rank"]: row["wait_ns"] for row in report["communication"]["by_rank"]}
    assert waits[DEVICES - 1] < min(waits[rank] for rank in range(DEVICES - 1)) / 4


@pytest.mark.parametrize("way", ["group", "threads", "grow", "split"])
def test_progress_counts_the_calls_of_each_device(recorder, way):
    run = recorder.run([fault_program("one_process"), way], options=OPTIONS)
    assert run.status == 0, run.errors
    communicator = max(run.report()["progress"]["communicators"], key=lambda one: len(one["ranks"]))
    assert communicator["ranks"] == list(range(DEVICES))
    assert communicator["completed_by_all"] == communicator["furthest"] == TIMES


def test_what_is_split_from_a_shrunk_communicator_is_matched(recorder):
    run = recorder.run([fault_program("one_process"), "shrink"], options=f"devices={DEVICES + 1},time_scale=500")
    assert run.status == 0, run.errors
    report = run.report()
    [reductions] = report["collectives"]
    assert (reductions["op"], reductions["ranks"]) == ("all_reduce", DEVICES)
    assert report["quality"]["collectives"]["split"] == TIMES and report["mismatches"] == []


def test_no_waits_are_reported_if_events_time_only_one_device_of_a_group(recorder):
    run = recorder.run([fault_program("one_process"), "group"], options=OPTIONS,
                       variables={"TAUPROF_DEVICE_TIMING": "events"})
    assert run.status == 0, run.errors
    counts = run.report()["quality"]["collectives"]
    assert (counts["split"], counts["incomplete"]) == (0, TIMES)
