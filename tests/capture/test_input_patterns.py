"""Recordings of the training job with a loader that is late at regular intervals: the report says how often."""

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
