"""Programs whose steps are CUDA graphs, or Triton's kernels: every launch of theirs is in the log, with what it runs."""

import pytest

from scenario_runs import ScenarioRuns, python_with_torch
from scenario_table import Scenario

STEPS, REDUCTIONS = 12, 8  # of a step: one for each gradient
NODES = {"TAUPROF_CAPTURE": "api,device,gemm,nccl,nvtx,memory,graph-nodes"}


@pytest.fixture(scope="module")
def whole_step(tmp_path_factory):
    """The runs of a job of two ranks, recorded and with records of the graphs' nodes."""
    python_with_torch()
    runs = ScenarioRuns(Scenario("whole_step", "messages.py", "--job whole-step", ranks=2), tmp_path_factory.mktemp("whole_step"))
    nodes = runs._finish(runs._start("nodes", None, NODES))
    for run in (runs["recorded"], nodes):
        assert (run.status, run.output) == (0, f"trained {STEPS} steps\n"), run.errors
        assert "tauprof: " not in run.errors
    return runs["recorded"], nodes


def test_collectives_of_a_whole_step_are_matched_at_each_launch(whole_step):
    graphs, _ = whole_step
    assert graphs.faults() == ""
    for log in graphs.read_logs():
        launches = [row for row in log.rows["call"] if row["function"] == "cudaGraphLaunch"]
        assert len(launches) == STEPS and len({row["graph"] for row in launches}) == 1 and launches[0]["graph"]
        replays = [row["sequence"] for row in log.rows["collective"] if row["graph"] and row["sequence"]]
        assert len(replays) == STEPS * REDUCTIONS
        assert replays == list(range(replays[0], replays[0] + len(replays)))


def test_a_whole_step_is_unclassified_and_its_multiplications_count(whole_step):
    graphs, nodes = (run.report() for run in whole_step)
    [finding] = [one for one in graphs["findings"] if one["id"] == "unclassified"]
    assert "CUDA graphs whose nodes have no records" in finding["evidence"]
    assert graphs["efficiency"]["executed_flops"] == nodes["efficiency"]["executed_flops"] > 0
    assert graphs["efficiency"]["uncounted"] == nodes["efficiency"]["uncounted"] == []


def test_with_records_of_nodes_the_waits_are_split(whole_step):
    _, nodes = whole_step
    assert nodes.faults("--graph-nodes") == ""
    report = nodes.report()
    assert report["ledger"]["rows"]["unclassified"] == 0
    assert report["ledger"]["rows"]["exposed_comm_unsplit"] == 0
    counts = report["quality"]["collectives"]
    assert counts["split"] >= STEPS * REDUCTIONS and counts["incomplete"] == 0
    assert sum(line["wait_ns"] for line in report["collectives"]) > 0
    assert sum(line["untimed"] for line in report["collectives"]) == 0


@pytest.mark.parametrize("name, arguments", [
    pytest.param("compiled", "model --layers 2", marks=pytest.mark.full),
    pytest.param("reduce_overhead", "reduce-overhead --layers 2", marks=pytest.mark.full)])
def test_every_launch_of_compiled_programs_is_in_the_log(tmp_path, name, arguments):
    """Triton launches through the driver; reduce-overhead makes trees of CUDA graphs.

    While it compiles nothing moves, and a record that was under way may be dropped and counted (docs/device-times.md).
    """
    python_with_torch()
    runs = ScenarioRuns(Scenario(name, "compiled_loops.py", arguments), tmp_path)
    run = runs["recorded"]
    assert run.status == 0, run.errors
    faults = [line for line in run.faults().splitlines() if line.startswith("truth-") and ": drop: " not in line]
    quality = run.report()["quality"]
    assert len(faults) == quality["dropped"] and all("span not in the log" in line for line in faults), faults
    assert quality["unmatched_spans"] == 0
    [log] = run.read_logs()
    launched = {row["function"] for row in log.rows["call"]}
    assert ("cuLaunchKernelEx" in launched or "cuLaunchKernel" in launched) if name == "compiled" else (
        "cudaGraphLaunch" in launched)
