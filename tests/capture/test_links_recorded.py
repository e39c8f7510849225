"""Latency and bandwidth of recorded collectives against the simulator's own."""

import pytest
from recorded_run import fault_program

ALPHA_US, BETA_GB_PER_S = 20, 150
OPTIONS = f"devices=4,alpha_us={ALPHA_US},beta_gb_per_s={BETA_GB_PER_S},jitter=0.03,end_scatter_us=0.2"
STEPS = {"all_reduce": lambda n: 2 * (n - 1), "all_gather": lambda n: n - 1, "reduce_scatter": lambda n: n - 1}


@pytest.mark.parametrize("seed", [1, 2])
def test_the_report_finds_the_links_latency_and_bandwidth(recorder, seed):
    run = recorder.run([fault_program("size_sweep"), "2", "4"], options=f"{OPTIONS},seed={seed}")
    assert run.status == 0, run.errors
    rows = {(row["op"], row["ranks"]): row for row in run.report()["alpha_beta"]}
    assert set(rows) == {(op, ranks) for op in STEPS for ranks in (2, 4)}
    for (op, ranks), row in rows.items():
        assert row["identifiable"] and row["sizes"] == 21, row
        assert row["steps"] == STEPS[op](ranks)
        assert row["alpha_us"] == pytest.approx(ALPHA_US, rel=0.05), row
        assert row["beta_gb_per_s"] == pytest.approx(BETA_GB_PER_S, rel=0.05), row
        assert row["r2"] >= 0.97
    # The simulator's all-reduces are rings, whatever NCCL calls their kernels. Two communicator sizes show it.
    for ranks in (2, 4):
        row = rows["all_reduce", ranks]
        assert (row["algorithm"], row["algorithm_evidence"]) == ("ring", "inferred")
        assert rows["all_gather", ranks]["algorithm"] is None
