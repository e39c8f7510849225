"""Who makes the others wait: a rank whose kernels take 20 % longer stands first, whichever it is.

Steps are long (half a second), so that a busy machine's late wake-ups stay small beside them. Other causes and clean runs: tests/stragglers.
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
