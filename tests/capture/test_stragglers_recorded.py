"""Who makes the others wait: a rank whose kernels take 20 % longer stands first, and a clean run names nobody.

Steps are long (half a second), so that a busy machine's late wake-ups stay small beside them.
"""

import pytest

from recorded_run import training

LONG_STEPS = "--micro-batches 32"
STEPS = 4


def stragglers(recorder, ranks, options):
    run = recorder.run(training(f"--steps {STEPS} {LONG_STEPS}", ranks), options=options)
    assert run.status == 0, run.errors
    return [(row["rank"], row["cause"]) for row in run.report()["stragglers"]["found"]]


@pytest.mark.parametrize("ranks,slow", [(2, 0), (2, 1), (4, 0), (4, 1), (4, 2), (4, 3)])
def test_a_slow_rank_stands_first(recorder, ranks, slow):
    assert stragglers(recorder, ranks, f"slow={slow}:1.2")[:1] == [(slow, "slow_compute")]


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_a_clean_run_names_nobody(recorder, ranks):
    assert stragglers(recorder, ranks, "") == []


def found_with(recorder, ranks, arguments="", options=""):
    run = recorder.run(training(f"--steps 6 {LONG_STEPS} {arguments}", ranks), options=options)
    assert run.status == 0, run.errors
    return [(row["rank"], row["cause"]) for row in run.report()["stragglers"]["found"]]


def test_a_stalled_host_stands_first(recorder):
    assert found_with(recorder, 2, "--host-stall 1:200 --host-stall-every 1 --sync-every-step")[:1] == [
        (1, "host_stall")]


def test_a_throttled_device_is_told_from_a_slow_one(recorder):
    """The recorder reads the device's clock once a second."""
    assert found_with(recorder, 2, options="throttle=1:0:1000:1.4")[:1] == [(1, "throttled")]
