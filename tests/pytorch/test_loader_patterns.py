"""The pattern in which a DataLoader's batches are waited for: the report tells why they are late."""

import pytest


@pytest.mark.host_times
@pytest.mark.parametrize("name, pattern, every", [
    ("workers_in_step", "every_nth", 4),
    ("workers_started_anew", "epoch_start", 24),
])
def test_the_pattern_of_long_waits_is_found(runs_of, name, pattern, every):
    recorded = runs_of(name)["recorded"]
    assert recorded.status == 0, recorded.errors
    [rank] = recorded.report()["input"]["ranks"]
    assert (rank["pattern"], rank["every"]) == (pattern, every), rank
