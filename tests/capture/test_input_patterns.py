"""Recordings of the training job with input that comes late at regular intervals, or from memory of either kind."""

import pytest

from recorded_run import training


@pytest.mark.parametrize("every", [4, 10])
def test_every_nth_late_batch_is_found(recorder, every):
    late = f"--loader-ms 2 --loader-spike-ms 100 --loader-spike-every {every}"
    run = recorder.run(training(f"--layers 2 --steps {5 * every + 8} {late}"))
    assert run.errors == ""
    [rank] = run.report()["input"]["ranks"]
    assert (rank["pattern"], rank["every"]) == ("every_nth", every), rank
    assert rank["long_wait_ns"] > 50e6


def test_a_steady_loader_has_no_late_batches(recorder):
    run = recorder.run(training("--layers 2 --steps 30 --loader-ms 40"))
    assert run.errors == ""
    [rank] = run.report()["input"]["ranks"]
    assert rank["pattern"] == "steady", rank


@pytest.mark.parametrize("option,memory,host", [("", "pinned", "Pinned"), ("--pageable", "pageable", "Pageable")])
def test_copies_say_which_memory_they_are_from(recorder, option, memory, host):
    run = recorder.run(training(f"--layers 2 --steps 4 {option}"))
    assert run.errors == ""
    rows = run.only_log().rows["device_activity"]
    assert {row["host_memory"] for row in rows if row["copy_kind"] == "host_to_device"} == {memory}
    assert not any(row["host_memory"] for row in rows if row["activity"] == "kernel")
    names = {row["name"] for row in run.report()["kernels"]}
    assert f"Memcpy HtoD ({host} -> Device)" in names
