"""All-to-alls of unequal parts, as experts make them: how unequal they are."""

import pytest
from recorded_run import training

RANKS = 4
HEAVY = 3  # expert 0 gets so many times the tokens of each other


def test_the_imbalance_is_that_of_what_ranks_send_each_other(recorder):
    run = recorder.run(training(f"--experts --expert-imbalance {HEAVY} --steps 3", RANKS))
    assert run.status == 0, run.errors
    report = run.report("--steps", "1:2")
    exchanges = [row for row in report["collectives"] if row["op"] == "all_to_all"]
    assert all(row["size_bytes"] is None for row in exchanges)
    # To the experts: rank 0 keeps what is for its own and sends three small parts, the others a large one and two small
    # ones. Back: rank 0 sends three large parts, the others small ones. A step has as many of both.
    there = (HEAVY + RANKS - 2) / ((RANKS - 1 + (RANKS - 1) * (HEAVY + RANKS - 2)) / RANKS)
    back = HEAVY * (RANKS - 1) / ((HEAVY * (RANKS - 1) + (RANKS - 1) ** 2) / RANKS)
    assert sum(row["imbalance"] * row["count"] for row in exchanges) / sum(
        row["count"] for row in exchanges) == pytest.approx((there + back) / 2, rel=0.01)
    # What rank 0 sends there is what it receives back, and the other way round.
    assert sum(row["imbalance_received"] * row["count"] for row in exchanges) / sum(
        row["count"] for row in exchanges) == pytest.approx((there + back) / 2, rel=0.01)
