"""Who makes the others wait: a rank whose kernels take 20 % longer is listed first, whichever rank it is.

Steps are long (half a second), so that the late wake-ups of a busy machine are short in comparison. tests/stragglers
has other causes and runs without stragglers.
"""

import pytest

from recorded_run import training
from tiers import two_tiers

LONG_STEPS = "--micro-batches 32"
STEPS = 4


def stragglers(recorder, ranks, options):
    run = recorder.run(training(f"--steps {STEPS} {LONG_STEPS}", ranks), options=options)
    assert run.status == 0, run.errors
    return [(row["rank"], row["cause"]) for row in run.report()["stragglers"]["found"]]


@pytest.mark.parametrize("ranks,slow", two_tiers([(2, 0), (2, 1), (4, 0), (4, 1), (4, 2), (4, 3)],
                                                 {(2, 1), (4, 2)}.__contains__))
def test_the_slow_rank_is_listed_first(recorder, ranks, slow):
    assert stragglers(recorder, ranks, f"slow={slow}:1.2")[:1] == [(slow, "slow_compute")]
