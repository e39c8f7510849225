"""PyTorch's memory as the recorder sees it, beside what PyTorch says of it."""

import pytest

from scenario_runs import ScenarioRuns, python_with_torch
from scenario_table import Scenario


@pytest.fixture(scope="module")
def ranks(tmp_path_factory):
    """The memory of a rank: with PyTorch's default, and with expandable segments, which it takes from the driver."""
    python_with_torch()
    runs = ScenarioRuns(Scenario("mlp", "mlp.py", "--optimizer fused"), tmp_path_factory.mktemp("memory"))
    expandable = runs._finish(runs._start("expandable", None, {"PYTORCH_ALLOC_CONF": "expandable_segments:True"}))
    found = []
    for run in (runs["recorded"], expandable):
        assert run.status == 0, run.errors
        [rank] = run.report()["memory"]["ranks"]
        found.append(rank)
    return found


def test_memory_that_pytorch_takes_from_the_driver_is_known(ranks):
    for rank in ranks:
        assert rank["peak_bytes"] >= rank["peak_reserved_bytes"] > 0 and not rank["is_lower_bound"]


def test_the_allocators_differ_by_what_they_reserve_alone(ranks):
    """Memory that PyTorch did not reserve is the libraries' and the same."""
    default, expandable = (rank["peak_bytes"] - rank["peak_reserved_bytes"] for rank in ranks)
    assert default == expandable
