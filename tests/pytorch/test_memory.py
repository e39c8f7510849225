"""What PyTorch says of its memory corrects what the recorder sees of it."""

from scenario_runs import ScenarioRuns, python_with_torch
from scenario_table import Scenario


def test_memory_that_no_hook_sees_makes_the_peak_a_lower_bound(tmp_path):
    """With expandable segments PyTorch takes its memory by the driver's calls."""
    python_with_torch()
    runs = ScenarioRuns(Scenario("mlp", "mlp.py", "--optimizer fused"), tmp_path)
    expandable = runs._finish(runs._start("expandable", None, {"PYTORCH_ALLOC_CONF": "expandable_segments:True"}))
    for run, is_lower_bound in ((runs["recorded"], False), (expandable, True)):
        assert run.status == 0, run.errors
        [rank] = run.report()["memory"]["ranks"]
        assert rank["peak_reserved_bytes"] > 0
        assert rank["is_lower_bound"] == is_lower_bound
        assert (rank["peak_bytes"] < rank["peak_reserved_bytes"]) == is_lower_bound
