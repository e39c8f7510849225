"""Faults found within one process, and the command that reports them."""

import pytest

from simgpu_truth.check import main
from written_truth import TruthFile, faults_of


def test_a_good_process_has_no_fault(tmp_path):
    file = TruthFile().span(10, 20).span(20, 30).span(12, 40, stream=8)
    file.announce("step", 0, "begin", 1).announce("phase:forward", 0, "begin", 2)
    file.announce("phase:backward", 0, "begin", 3, thread=101).announce("phase:forward", 0, "end", 4)
    file.announce("step", 0, "end", 5).announce("phase:backward", 0, "end", 6, thread=101).ended()
    assert faults_of(tmp_path, file) == []


def test_a_process_without_end(tmp_path):
    assert "has no end" in faults_of(tmp_path, TruthFile().span(10, 20))[0]
    assert faults_of(tmp_path, TruthFile().span(10, 20), killed=1) == []


@pytest.mark.parametrize("file, message", [
    (TruthFile().span(10, 20, submitted=15), "starts 5 ns before its submission"),
    (TruthFile().span(20, 10), "ends 10 ns before its start"),
    (TruthFile().span(10, 20).span(19, 30), "starts 1 ns before the end of its predecessor 1"),
    (TruthFile().span(50, 60).span(10, 20), "starts 50 ns before the end of its predecessor 1"),
    (TruthFile().span(10, 20, number=4).span(30, 40, number=4), "span 4 is there more than once"),
    (TruthFile().span(10, 20_000), "1 spans end after the end of the process"),
])
def test_times_that_cannot_be(tmp_path, file, message):
    found = faults_of(tmp_path, file.ended())
    assert any(message in line for line in found), found


def test_the_device_clock_stays_near_the_hosts(tmp_path):
    file = TruthFile().span(10, 20, skew=3001).ended()
    assert "3001 ns from the host's" in faults_of(tmp_path, file)[0]
    assert faults_of(tmp_path, file, wander_ns=4000) == []


def test_the_device_clock_never_goes_back(tmp_path):
    backwards = TruthFile().span(10, 20, skew=15).span(21, 40, skew=-1).ended()
    assert "not monotone: 35 at 20, 20 at 21" in faults_of(tmp_path, backwards)[0]
    twice = TruthFile().span(10, 20, skew=1).span(20, 30, skew=2).ended()
    assert "not monotone" in faults_of(tmp_path, twice)[0]
    devices = TruthFile().span(10, 20, skew=15).span(21, 40, skew=-1, device=1).ended()
    assert faults_of(tmp_path, devices) == []


def test_nodes_of_a_graph_run_side_by_side_inside_its_span(tmp_path):
    def graph(last_end):
        file = TruthFile().span(0, 5).span(10, 50, kind="graph", graph=3, correlation=9)
        file.span(10, 30, graph=3, node=1, correlation=9).span(20, last_end, graph=3, node=2, correlation=9)
        return file.span(60, 70).ended()
    assert faults_of(tmp_path, graph(50)) == []
    found, = faults_of(tmp_path, graph(51))
    assert "is not inside the span 2 of its graph" in found


def test_a_graph_stands_in_its_streams_order(tmp_path):
    file = TruthFile().span(0, 15).span(10, 50, kind="graph", graph=3).ended()
    assert "before the end of its predecessor" in faults_of(tmp_path, file)[0]


@pytest.mark.parametrize("entries, message", [
    ([("step", 0, "begin", 1)], "step 0 has no end"),
    ([("step", 0, "end", 1)], "step 0 ends where nothing is open"),
    ([("step", 0, "begin", 1), ("step", 1, "end", 2), ("step", 0, "end", 3)], "step 1 ends where step 0 is open"),
    ([("step", 0, "begin", 2), ("step", 0, "end", 1)], "goes back in time"),
])
def test_announcements_that_do_not_nest(tmp_path, entries, message):
    file = TruthFile()
    for entry in entries:
        file.announce(*entry)
    found, = faults_of(tmp_path, file.ended())
    assert message in found


def test_the_command_reports_faults_and_sums_up(tmp_path, capsys):
    TruthFile().span(10, 20).span(30, 40, kind="memcpy").ended().write(tmp_path)
    assert main([str(tmp_path)]) == 0
    assert "1 kernel, 1 memcpy" in capsys.readouterr().out
    TruthFile(rank=1).span(10, 20).write(tmp_path)
    assert main([str(tmp_path)]) == 1
    assert "truth-101.tsv: has no end" in capsys.readouterr().out
    assert main([str(tmp_path), "--killed", "1"]) == 0


def test_the_command_refuses_a_directory_without_truth(tmp_path, capsys):
    assert main([str(tmp_path)]) == 2
    assert "no truth-*.tsv" in capsys.readouterr().err
