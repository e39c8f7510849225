"""Faults found when the ranks of a communicator report different things about the same operation."""

import pytest

from written_truth import TruthFile, faults_of


def two_ranks(first, second, tmp_path, **shared):
    """Both ranks' parts of one operation, as (arrival, ready, end). `shared` and a fourth member give more fields."""
    files = []
    for rank, (arrival, ready, end, *fields) in enumerate((first, second)):
        own = {**shared, **(fields[0] if fields else {})}
        files.append(TruthFile(rank).collective(arrival, ready, end, **own).ended())
    return faults_of(tmp_path, *files)


def test_an_all_pairs_operation_is_ready_with_its_last_member(tmp_path):
    assert two_ranks((10, 25, 40), (25, 25, 41), tmp_path) == []
    found, = two_ranks((10, 10, 40), (25, 25, 41), tmp_path)
    assert "world: AllReduce 0: rank 0 is ready at 10" in found
    assert len(two_ranks((10, 26, 40), (25, 26, 41), tmp_path)) == 2


def test_nobody_ends_before_it_is_ready(tmp_path):
    found, = two_ranks((10, 25, 24), (25, 25, 41), tmp_path)
    assert "is ready at 25 and ends at 24" in found


@pytest.mark.parametrize("operation, root, other, good", [
    ("Broadcast", (10, 10, 30), (25, 25, 40), True),    # the root sends and goes on
    ("Broadcast", (10, 25, 30), (25, 25, 40), True),    # or waits for its receiver
    ("Broadcast", (25, 25, 30), (10, 10, 40), False),   # a receiver waits for the root
    ("Broadcast", (25, 25, 30), (10, 25, 40), True),
    ("Reduce", (10, 25, 30), (25, 25, 40), True),
    ("Reduce", (10, 10, 30), (25, 25, 40), False),      # the root of a reduction waits for everybody
    ("Reduce", (25, 25, 30), (10, 10, 40), True),       # a rank that only sends may go on
])
def test_whom_a_rooted_operation_waits_for(tmp_path, operation, root, other, good):
    assert (two_ranks(root, other, tmp_path, op=operation, peer=0) == []) == good


@pytest.mark.parametrize("fields, message", [
    ({"op": "AllGather"}, "says operation AllReduce, rank 1 says AllGather"),
    ({"size": 4}, "says bytes 1024, rank 1 says 4"),
    ({"ranks": 3}, "says ranks 2, rank 1 says 3"),
    ({"sequence": 1}, "world: AllReduce 0: ranks [1] of 2 do not have it"),
])
def test_ranks_must_agree(tmp_path, fields, message):
    found = two_ranks((10, 25, 40), (25, 25, 41, fields), tmp_path)
    assert any(message in line for line in found), found


def test_a_missing_member_is_excused_by_a_killed_process(tmp_path):
    file = TruthFile(0).collective(10, 25, 40)
    assert faults_of(tmp_path, file, TruthFile(1), killed=2) == []


def test_a_rank_has_an_operation_once(tmp_path):
    file = TruthFile(0).collective(10, 10, 20, ranks=1).collective(30, 30, 40, ranks=1).ended()
    assert any("rank 0 has it 2 times" in line for line in faults_of(tmp_path, file))


def test_every_part_has_a_span_that_holds_it(tmp_path):
    unlinked = TruthFile(0).span(1, 5).collective(10, 10, 20, ranks=1, span=False).ended()
    assert "has no span 1" in faults_of(tmp_path, unlinked)[0]
    outside = TruthFile(0).span(11, 20, kind="collective").collective(10, 10, 20, ranks=1, span=False).ended()
    assert "is not inside its span 1" in faults_of(tmp_path, outside)[0]


def exchange(send, receive, tmp_path, **receiver):
    sender = TruthFile(0).collective(*send, op="Send", peer=1).ended()
    return faults_of(tmp_path, sender, TruthFile(1).collective(*receive, op="Recv", peer=0, **receiver).ended())


def test_a_receive_waits_for_its_send(tmp_path):
    assert exchange((10, 10, 20), (15, 15, 30), tmp_path) == []
    assert exchange((10, 15, 20), (15, 15, 30), tmp_path) == []
    assert exchange((15, 15, 20), (10, 15, 30), tmp_path) == []
    assert "not the latest arrival" in exchange((15, 15, 20), (10, 10, 30), tmp_path)[0]


def test_a_send_and_its_receive_agree(tmp_path):
    assert "1024 bytes are sent and 8 received" in exchange((10, 10, 20), (15, 15, 30), tmp_path, size=8)[0]
    assert len(exchange((10, 10, 20), (15, 15, 30), tmp_path, sequence=1)) == 2
