"""The imbalance of all-to-alls with unequal parts, as mixtures of experts make them."""

import pytest
from recorded_run import training

RANKS = 4
HEAVY = 3  # expert 0 gets this many times the tokens of any other


def test_the_imbalance_follows_what_the_ranks_send_each_other(recorder):
    run = recorder.run(training(f"--experts --expert-imbalance {HEAVY} --steps 3", RANKS))
    assert run.status == 0, run.errors
    report = run.report("--steps", "1:2")
    exchanges = [row for row in report["collectives"] if row["op"] == "all_to_all"]
    assert all(row["size_bytes"] is None for row in exchanges)
    # To the experts, rank 0 keeps its own large part and sends three small ones; the others send one large part and two
    # small ones. Back, rank 0 sends three large parts, the others small ones. A step has as many exchanges of one kind as
    # of the other.
    there = (HEAVY + RANKS - 2) / ((RANKS - 1 + (RANKS - 1) * (HEAVY + RANKS - 2)) / RANKS)
    back = HEAVY * (RANKS - 1) / ((HEAVY * (RANKS - 1) + (RANKS - 1) ** 2) / RANKS)
    assert sum(row["imbalance"] * row["count"] for row in exchanges) / sum(
        row["count"] for row in exchanges) == pytest.approx((there + back) / 2, rel=0.01)
    # Each rank receives back what it sent there, and the other way round.
    assert sum(row["imbalance_received"] * row["count"] for row in exchanges) / sum(
        row["count"] for row in exchanges) == pytest.approx((there + back) / 2, rel=0.01)
