"""Patterns of waiting for a DataLoader's batches, which tell why they are late."""

import collections
import statistics

import pytest


def usual_waits(stamps, every):
    """The median stamped wait of the steps at each position in a period of `every` steps, shortest first."""
    waits = collections.defaultdict(list)
    for line in stamps:
        if line["phase"] == "dataload_wait":
            waits[line["step"] % every].append(line["end_ns"] - line["begin_ns"])
    return sorted(statistics.median(at_position) for at_position in waits.values())


@pytest.mark.host_times
@pytest.mark.parametrize("name, pattern, every", [
    ("workers_in_step", "every_nth", 4),
    ("workers_started_anew", "epoch_start", 24),
])
def test_the_pattern_of_long_waits_is_found(runs_of, name, pattern, every):
    recorded = runs_of(name)["recorded"]
    assert recorded.status == 0, recorded.errors
    *_, second, longest = usual_waits(runs_of(name).phases(), every)
    assert longest > 4 * second, "the scenario does not do what it should"
    [rank] = recorded.report()["input"]["ranks"]
    assert (rank["pattern"], rank["every"]) == (pattern, every), rank
