"""Graphs: what a launch runs is known from the driver and from what was captured, with records of its nodes or without."""

import pytest

from recorded_run import Recorder, fault_program

NODES = {"TAUPROF_CAPTURE": "api,device,gemm,nccl,memory,graph-nodes"}
STEPS = {"TAUPROF_STEP_MARKER": "call:cudaDeviceSynchronize"}
SIZE, COUNT = 1024, 1 << 20
FLOPS = {0: 2 * 2 * SIZE**3, 1: 3 * 2 * SIZE**3}  # of a step, by device


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Each kind of run once: (way, with nodes) -> the run."""
    recorder = Recorder(tmp_path_factory.mktemp("graphs"))
    made = {}

    def run(way, with_nodes=False):
        if (way, with_nodes) not in made:
            made[way, with_nodes] = recorder.run([fault_program("graph_steps"), way],
                                                 variables=STEPS | (NODES if with_nodes else {}))
            assert made[way, with_nodes].what_the_user_sees() == (0, "", "")
        return made[way, with_nodes]
    return run


@pytest.mark.parametrize("way, with_nodes", [("eager", False), ("whole", False), ("whole", True), ("compute", False),
                                             ("compute", True)])
def test_multiplications_in_graphs_are_counted_at_each_launch(runs, way, with_nodes):
    efficiency = runs(way, with_nodes).report()["efficiency"]
    assert efficiency["executed_flops"] == sum(FLOPS.values())
    assert efficiency["uncounted"] == []
    assert sum(row["share"] for row in efficiency["waterfall"]) == pytest.approx(1)


def contents(log):
    """{graph: [(kind, count, bytes or m)]}"""
    graphs = {}
    for row in log.rows["graph_content"]:
        graphs.setdefault(row["graph"], []).append((row["kind"], row["count"], row["bytes"] or row["m"]))
    return graphs


def nodes_of(items):
    return sum(count for kind, count, _ in items if kind in ("kernel", "copy", "fill"))


def test_the_log_has_what_a_graph_holds(runs):
    log = runs("whole").only_log()
    graphs = contents(log)
    gemms = []
    for items in graphs.values():
        gemms += [count for kind, count, size in items if kind == "gemm" and size == SIZE]
        assert ("nodes", nodes_of(items), 0) in items
        assert ("copy", 1, 8192) in items and ("fill", 1, 4096) in items
    assert gemms == [2, 3]
    launched = [row["graph"] for row in log.rows["call"] if row["function"] == "cudaGraphLaunch"]
    assert len(launched) == 12 and set(launched) == set(graphs)


def launched(log):
    """The graph of each launch."""
    return [row["graph"] for row in log.rows["call"] if row["function"] == "cudaGraphLaunch"]


@pytest.mark.parametrize("way, collectives", [("nested", 3), ("captured", 1)])
def test_a_graph_in_a_graph_is_looked_into(runs, way, collectives):
    """Its collectives and multiplications count wherever it is, as often as it is there."""
    report, log = runs(way).report(), runs(way).only_log()
    assert report["efficiency"]["executed_flops"] == sum(FLOPS.values())
    assert report["efficiency"]["uncounted"] == []
    [line] = report["collectives"]
    assert line["count"] == line["untimed"] == collectives * len(report["steps"]["list"])
    graphs = contents(log)
    for graph in set(launched(log)) - {0}:
        assert ("nodes", nodes_of(graphs[graph]), 0) in graphs[graph]
    for communicator in (1, 2):
        numbers = [row["sequence"] for row in log.rows["collective"]
                   if row["communicator"] == communicator and row["sequence"]]
        assert numbers == list(range(1, 6 * collectives + 1))


@pytest.mark.parametrize("way", ["nested", "captured"])
def test_collectives_of_graphs_in_graphs_are_joined_to_their_nodes(runs, way):
    run = runs(way, with_nodes=True)
    assert run.faults("--graph-nodes") == ""
    [line] = run.report()["collectives"]
    assert line["untimed"] == 0 and line["wait_ns"] > 0


def test_what_a_conditional_node_runs_is_not_known_and_the_report_says_so(runs):
    report = runs("condition").report()
    efficiency = report["efficiency"]
    assert efficiency["executed_flops"] == sum(FLOPS.values())
    assert [row["name"] for row in efficiency["uncounted"]] == ["CUDA graph"]
    assert report["ledger"]["rows"]["unclassified"] > 0
    [line] = report["collectives"]
    assert line["count"] == line["untimed"] == len(report["steps"]["list"])
    [finding] = [one for one in report["findings"] if one["id"] == "unclassified"]
    assert "nobody knows how often the bodies of their conditional nodes run" in finding["evidence"]


def test_kernels_of_conditional_bodies_are_not_taken_for_captured_collectives(runs):
    report = runs("condition", with_nodes=True).report()
    assert [line["comm"] for line in report["collectives"]] and all(
        line["comm"].startswith("unnamed") for line in report["collectives"] if not line["untimed"])


@pytest.mark.parametrize("way, marks, last", [
    ("edited", [1, 2], {("kernel", "_Z5firstv"), ("copy", 8192)}),
    ("changed", [1, 1, 2], set()),
    ("kernel", [1, 2], set()),
    ("updated", [1, 2], {("kernel", "_Z6secondv"), ("copy", 8192)})])
def test_graphs_that_change_are_known_anew_or_not_at_all(recorder, way, marks, last):
    run = recorder.run([fault_program("graph_edits"), way])
    assert run.what_the_user_sees() == (0, "", "")
    log = run.only_log()
    graphs = launched(log)
    assert graphs == [sorted(set(graphs))[mark - 1] for mark in marks] and 0 not in graphs
    items = {(row["kind"], row["name"] or row["bytes"]) for row in log.rows["graph_content"]
             if row["graph"] == graphs[-1] and row["kind"] != "nodes"}
    assert items == last


def test_a_graph_without_communication_and_copies_is_computation(runs):
    report = runs("compute").report()
    assert report["ledger"]["rows"]["unclassified"] == 0 and report["ledger"]["rows"]["compute"] > 0
    assert [(row["name"], row["class"]) for row in report["kernels"]] == [("CUDA graph", "compute")]


def test_any_other_graph_is_unclassified_and_the_report_says_how_to_look_into_it(runs):
    report = runs("whole").report()
    assert report["ledger"]["rows"]["compute"] == 0 and report["ledger"]["rows"]["unclassified"] > 0
    [finding] = [one for one in report["findings"] if one["id"] == "unclassified"]
    nodes = [nodes_of(items) for items in contents(runs("whole").only_log()).values()]
    assert f"({sum(nodes) / 2:.0f} nodes per rank and step)" in finding["evidence"], finding
    assert "graph-nodes" in finding["advice"]


def test_collectives_of_graphs_are_matched_and_their_waits_split_with_nodes(runs):
    """Device 1 multiplies once more, so device 0 waits for it, as without graphs."""
    for way, with_nodes in (("eager", False), ("whole", True)):
        report = runs(way, with_nodes).report()
        [line] = report["collectives"]
        assert (line["op"], line["size_bytes"], line["ranks"]) == ("all_reduce", 4 * COUNT, 2)
        assert line["count"] == len(report["steps"]["list"]) and line["untimed"] == 0
        assert line["wait_ns"] > 0 and line["transfer_ns"] > 0
        waits = {row["rank"]: row["wait_ns"] for row in report["communication"]["by_rank"]}
        assert waits[0] > 10 * waits[1]
        assert report["ledger"]["rows"]["unclassified"] == report["ledger"]["rows"]["exposed_comm_unsplit"] == 0


def test_sequence_numbers_of_replays_continue_without_nodes_too(runs):
    log = runs("whole").only_log()
    for communicator in (1, 2):
        numbers = [row["sequence"] for row in log.rows["collective"]
                   if row["communicator"] == communicator and row["sequence"]]
        assert numbers == list(range(1, 7))


def test_collectives_of_a_graph_without_nodes_are_counted_and_matched(runs):
    report = runs("whole").report()
    steps = len(report["steps"]["list"])
    [communicator] = report["progress"]["communicators"]
    assert communicator["completed_by_all"] == communicator["furthest"] == 6
    [line] = report["collectives"]
    assert (line["op"], line["size_bytes"], line["ranks"]) == ("all_reduce", 4 * COUNT, 2)
    assert line["count"] == line["untimed"] == steps
    assert {line[key] for key in ("wait_ns", "transfer_ns", "skew_ns", "exposed_ns", "busbw_gb_per_s")} == {None}
    assert report["quality"]["collectives"]["in_graphs"] == 2 * steps
    total = report["communication"]["total"]
    assert total["count"] == total["untimed"] == 2 * steps and total["wait_ns"] is None


def test_the_checks_say_that_times_in_graphs_are_not_known_and_what_tells_them(runs):
    recorded = runs("whole")
    steps, nodes = len(recorded.report()["steps"]["list"]), contents(recorded.only_log()).values()
    _, checks = recorded.health()
    assert checks["communication"]["outcome"] == checks["stragglers"]["outcome"] == "unknown"
    assert "in CUDA graphs with collectives (see stragglers)" in checks["communication"]["found"]
    found = checks["stragglers"]["found"]
    assert f"the times of {2 * steps} collectives in CUDA graphs are not known" in found
    assert "TAUPROF_CAPTURE=" in found and "graph-nodes" in found
    assert f"a record for each node ({sum(map(nodes_of, nodes)) / 2:.0f} per rank and step)" in found
    _, checks = runs("whole", True).health()
    assert checks["stragglers"]["outcome"] != "unknown"
