"""Programs that ask the runtime for addresses of the driver's functions get hooks of those that take memory."""

import pytest

from recorded_run import fault_program

PIECE, PIECES, OTHER = 2 << 20, 4, 8192
MEMORY = ("cuMemCreate", "cuMemMap", "cuMemUnmap", "cuMemRelease")


@pytest.mark.parametrize("name", ["entry_points", "entry_points_12"])
def test_memory_of_the_driver_is_in_use_while_it_is_mapped(recorder, name):
    bare = recorder.run([fault_program(name)], preload=False)
    run = recorder.run([fault_program(name)])
    assert run.what_the_user_sees() == bare.what_the_user_sees() and run.status == 0
    [rank] = run.report()["memory"]["ranks"]
    assert rank["peak_bytes"] == PIECES * PIECE + OTHER and not rank["is_lower_bound"]
    log = run.only_log()
    called = [row["function"] for row in log.rows["call"] if row["function"] in MEMORY]
    assert {function: called.count(function) for function in MEMORY} == {
        "cuMemCreate": PIECES, "cuMemMap": PIECES + 1, "cuMemUnmap": 3, "cuMemRelease": PIECES}


def test_addresses_are_the_drivers_where_nothing_is_recorded(recorder):
    run = recorder.run([fault_program("entry_points")], variables={"TAUPROF_ENABLE": "0"})
    assert run.status == 0 and not run.logs.exists()
