"""Kernels that a library launches through the driver, without a hooked call: CUPTI reports the launch."""

from recorded_run import fault_program

COUNT = 30


def test_launches_through_the_driver_get_call_rows(recorder):
    run = recorder.run([fault_program("driver_launches"), str(COUNT)])
    assert run.what_the_user_sees() == (0, "", "")
    log = run.only_log()
    launches = [row for row in log.rows["call"] if row["function"] == "cuLaunchKernel"]
    memsets = [row for row in log.rows["call"] if row["function"] == "cudaMemsetAsync"]
    assert len(launches) == COUNT
    assert {row["thread"] for row in launches} == {row["thread"] for row in memsets}
    assert all(memsets[0]["start"] < row["start"] < memsets[1]["start"] and row["duration"] > 0 for row in launches)
    kernels = {row["correlation"] for row in log.rows["device_activity"] if row["name"] == "spin"}
    assert kernels == {row["correlation"] for row in launches}
    assert run.report()["quality"]["unmatched_spans"] == 0


def test_launches_after_the_last_call_of_the_thread_get_call_rows(recorder):
    run = recorder.run([fault_program("driver_launches"), str(COUNT), "last"])
    assert run.what_the_user_sees() == (0, "", "")
    log = run.only_log()
    launches = [row for row in log.rows["call"] if row["function"] == "cuLaunchKernel"]
    assert len({row["correlation"] for row in launches}) == len(launches) == COUNT
    assert run.report()["quality"]["unmatched_spans"] == 0


def test_launches_through_the_driver_get_no_call_rows_if_calls_are_not_wanted(recorder):
    run = recorder.run([fault_program("driver_launches"), "3"], variables={"TAUPROF_CAPTURE": "device,nccl"})
    assert run.what_the_user_sees() == (0, "", "")
    assert not run.only_log().rows["call"]
