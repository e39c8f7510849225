"""tauprof diff of recorded runs of one job, in which a rank differs: it is named, with its cause, and not the network."""

import json

import pytest

from recorded_job import Job, record, waits_for_cpu
from recorded_run import tauprof
from tiers import two_tiers

STEPS = 24  # as many as a comparison judges
# The differences in each pair of runs: the simulator's options of A and of B, who is named, and the row of its ledger.
PAIRS = {
    "a slower rank": ("slow=2:1.2", "", [2], "compute"),
    "a repaired rank": ("", "slow=2:1.2", [2], "compute"),
    "two slower ranks of eight": ("slow=1:1.2,slow=6:1.2", "", [1, 6], "compute"),
    "all ranks slower": ("slow=0:1.2,slow=1:1.2,slow=2:1.2,slow=3:1.2", "", [], None),
}


def recorded(recorder, options, ranks):
    return record(recorder, Job(options=options, ranks=ranks, steps=STEPS))


def skip_if_disturbed(runs, report):
    """Other programs on the machine must not have taken CPUs for a tenth of what was injected."""
    injected_ns = 0.2 * STEPS * min(report["step"]["a_ns"], report["step"]["b_ns"])
    lost_ns = max(max(waits_for_cpu(run).values()) for run in runs)
    if lost_ns > 0.1 * injected_ns:
        pytest.skip(f"a rank waited {lost_ns / 1e6:.0f} ms for a CPU")


@pytest.mark.parametrize("pair", two_tiers(PAIRS, ["a slower rank"].__contains__))
def test_the_rank_that_differs_is_named(recorder, pair):
    options_a, options_b, named, row = PAIRS[pair]
    ranks = 8 if "eight" in pair else 4
    runs = [recorded(recorder, options, ranks) for options in (options_a, options_b)]
    sides = [str(run.logs) for run in runs]
    text = tauprof("diff", sides[0], "--against", sides[1]).stdout
    report = json.loads(tauprof("diff", sides[0], "--against", sides[1], "--json", "-").stdout)
    skip_if_disturbed(runs, report)
    assert report["verdict"]["outcome"] == ("faster" if pair == "a repaired rank" else "slower"), text
    assert [rank["rank"] for rank in report["ranks"] if rank["named"]] == named, text
    assert len(text.splitlines()) <= 32, text
    second = text.splitlines()[1]
    if not named:
        assert "no single rank explains it" in second, text
        return
    who = f"rank {named[0]} explains" if len(named) == 1 else f"ranks {', '.join(map(str, named))} explain"
    assert who in second and "comm" not in second, text
    for rank in report["ranks"]:
        if rank["named"]:
            assert (rank["row"], rank["cause"]) == (row, "slow_compute"), rank
    # The others' kernels take longer, too, beside collectives that wait for it; that is its doing.
    assert sum(rank["explains"] for rank in report["ranks"] if rank["named"]) == pytest.approx(1, abs=0.15), text
