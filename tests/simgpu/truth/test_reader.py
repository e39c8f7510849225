"""How the reader handles whole, damaged and foreign files."""

import pytest

from simgpu_truth.reader import FormatError, read_directory, read_file
from written_truth import TruthFile


def test_every_kind_of_line_is_read(tmp_path):
    file = TruthFile(rank=3).span(10, 20).collective(30, 40, 50, peer=1).announce("phase:forward", 2, "begin", 5)
    file.add("inject", "stall_host", 0, 60, 70).ended(80).write(tmp_path)
    process, = read_directory(tmp_path)
    assert (process.pid, process.rank, process.host, process.end) == (103, 3, "node", 80)
    kernel, carrier = process.spans
    assert (kernel.kind, kernel.name, kernel.start, kernel.end, kernel.stream) == ("kernel", "kernel", 10, 20, 7)
    assert (kernel.call.function, kernel.call.nth, kernel.call.thread) == ("cudaLaunchKernel", 1, 100)
    part, = process.collectives
    assert (part.span, part.communicator, part.operation, part.peer, part.bytes) == (carrier.id, "world", "AllReduce", 1, 1024)
    assert (part.arrival, part.ready, part.end, part.call.function) == (30, 40, 50, "ncclAllReduce")
    announced, = process.announcements
    assert (announced.what, announced.index, announced.begins, announced.time) == ("phase:forward", 2, True, 5)
    strike, = process.injections
    assert (strike.what, strike.device, strike.start, strike.end) == ("stall_host", 0, 60, 70)


def test_escaped_text_is_what_it_was(tmp_path):
    file = TruthFile().announce(r"phase:a\tb\\n\nc", 0, "begin", 5)
    assert read_file(file.write(tmp_path)).announcements[0].what == "phase:a\tb\\n\nc"


@pytest.mark.parametrize("tail", [b"\0" * 4096, b"span\t2\tKer", b"span\t2\tKer" + b"\0" * 10])
def test_a_killed_process_leaves_all_whole_lines(tmp_path, tail):
    process = read_file(TruthFile().span(10, 20).write(tmp_path, tail))
    assert len(process.spans) == 1 and process.end is None


def test_processes_come_by_rank(tmp_path):
    for rank in (2, 0, 1):
        TruthFile(rank).write(tmp_path)
    assert [process.rank for process in read_directory(tmp_path)] == [0, 1, 2]


@pytest.mark.parametrize("line, message", [
    ("spin\t1", "2: 'spin.*KeyError"),
    ("end\tsoon", "ValueError"),
    ("end\t1\t2", "TypeError"),
    ("announce\tstep\t1\tmiddle\t1\t1", "KeyError 'middle'"),
    ("span\t1\tkernel\t9\t0\t1\t7\t1\t1\t9\t1\t0\t1\t2\t1\t2\t0\t\t0\t0", "KeyError 9"),
])
def test_a_bad_line_is_named(tmp_path, line, message):
    path = tmp_path / "truth-1.tsv"
    path.write_text(f"simgpu-truth\t1\n{line}\n")
    with pytest.raises(FormatError, match=message):
        read_file(path)


@pytest.mark.parametrize("content", ["", "simgpu-truth\t2\n", "something else\n"])
def test_another_format_is_refused(tmp_path, content):
    path = tmp_path / "truth-1.tsv"
    path.write_text(content)
    with pytest.raises(FormatError, match="truth-1.tsv:1: does not begin with"):
        read_file(path)
