"""Which collectives of the ranks are the same one, whatever their clocks say."""

import json
import random

import pytest

from kineto_trace import BASE_NS, COMM, SEND_RECV, Trace, job, line_of, rows, straggling


def test_a_send_is_matched_with_its_receive(report):
    traces = job(2)
    traces[0].collective(300, 400, "send", 1000, range(2), kernel=SEND_RECV, **{"Dst Rank": 1})
    traces[1].collective(350, 400, "recv", 1000, range(2), kernel=SEND_RECV, **{"Src Rank": 0})
    result = report(*traces)
    line = line_of(result, "send_recv")
    assert (line["size_bytes"], line["count"], line["wait_ns"]) == (4_000, 1, 50_000)
    assert line["wait_is_upper_bound"]
    assert line["busbw_gb_per_s"] == pytest.approx(4_000 / 75_000)


def test_tensor_and_data_parallel_groups_are_kept_apart(report):
    traces = job(4)
    for rank, trace in enumerate(traces):
        tensor, data = ((0, 1), (2, 3))[rank // 2], ((0, 2), (1, 3))[rank % 2]
        trace.collective(300 + 10 * (rank % 2), 400, "allreduce", 1000, tensor, group=f"tp{rank // 2}", sequence=1)
        trace.collective(500 + 20 * (rank // 2), 600, "allreduce", 1000, data, group=f"dp{rank % 2}", sequence=1,
                         stream=24)
    result = report(*traces)
    assert {line["comm"]: (line["wait_ns"], line["ranks"]) for line in result["collectives"]} == {
        "tp0": (10_000, 2), "tp1": (10_000, 2), "dp0": (20_000, 2), "dp1": (20_000, 2)}
    waits = [rows(result, rank).get("exposed_comm_wait", 0) for rank in range(4)]
    assert waits == [30, 20, 10, 0]


def test_groups_with_one_name_and_different_members_are_kept_apart(report):
    traces = job(4)
    for rank, trace in enumerate(traces):
        late = 50 if rank == 3 else 0
        trace.collective(300 + late, 400, "allreduce", 1000, ((0, 1), (2, 3))[rank // 2], group="tp", sequence=1)
    result = report(*traces)
    assert [rows(result, rank).get("exposed_comm_wait", 0) for rank in range(4)] == [0, 0, 50, 0]


def test_a_trace_that_starts_late_is_matched_from_the_end(report):
    traces = job(2)
    for i in range(4):
        start = 1_000 * (i + 1)
        traces[0].all_reduce(start, start + 100)
        if i >= 2:
            traces[1].all_reduce(start + 30, start + 100)
    result = report(*traces)
    assert line_of(result, "all_reduce")["count"] == 4
    assert line_of(result, "all_reduce")["wait_ns"] == 60_000
    assert rows(result, 0)["exposed_comm_unsplit"] == 200
    assert result["quality"]["collectives"]["incomplete"] == 2


def test_a_trace_that_starts_and_ends_later_is_matched_by_time(report):
    traces = job(2)
    for i in range(6):
        start = 1_000 * (i + 1)
        if i < 5:
            traces[0].all_reduce(start, start + 100)
        if i > 0:
            traces[1].all_reduce(start + 30, start + 100)
    result = report(*traces)
    assert line_of(result, "all_reduce")["wait_ns"] == 4 * 30_000
    assert result["quality"]["collectives"]["incomplete"] == 2


def test_clocks_with_different_bases_are_aligned(report):
    traces = job(2)
    traces[1].base_ns, traces[1].shift = BASE_NS + 5_000_000, -5_000
    for trace, late in zip(traces, (0, 40)):
        trace.collective(300 + late, 400, "allreduce", 1000, range(2))
    assert rows(report(*traces), 0)["exposed_comm_wait"] == 40


def test_old_traces_count_from_1970_and_may_mix_integers_and_floats(report):
    traces = job(2, base_ns=None, shift=1_700_000_000_000_000)
    for trace, late in zip(traces, (0, 40)):
        trace.all_reduce(300 + late, 400)
    traces[1].end_with_work()
    traces[1].is_in_the_midst = False
    for event in traces[1].events:
        event["ts"] = f"{event['ts']}.000"
    text = [json.dumps(trace.document()) for trace in traces]
    assert '.000"' in text[1]
    assert rows(report(*traces), 0)["exposed_comm_wait"] == 40


def test_wall_clocks_that_collectives_contradict_are_not_used(report):
    traces = job(2)
    traces[1].shift = 50_000
    for trace in traces:
        for event in trace.events:
            event["ts"] += 0 if trace.rank == 0 else 50_000
        for start in (300, 600, 900):
            trace.collective(start, start + 50, "allreduce", 1000, range(2), sequence=start)
    result = report(*traces)
    assert [clock["basis"] for clock in result["clock"]] == ["shared", "collectives"]
    assert [clock["used_offset_ns"] for clock in result["clock"]] == [0, 50_000_000]
    assert result["quality"]["collectives"]["clocks_agree"]
    assert rows(result, 0)["exposed_comm_transfer"] == 150


@pytest.mark.parametrize("offset", [60, 150, 5_000])
def test_unnamed_groups_of_two_do_not_wait_for_each_other(report, offset):
    traces = job(4)
    for rank, trace in enumerate(traces):
        for i in range(5):
            start = 1_000 + 10_000 * i + offset * (rank // 2)
            trace.all_reduce(start, start + 100)
    result = report(*traces)
    assert [rows(result, rank).get("exposed_comm_wait", 0) for rank in range(4)] == [0] * 4
    assert result["stragglers"]["found"] == []


def lossy_job(lost, how, offset=0):
    """Four ranks, 48 all-reduces each, to which they come up to 200 µs apart. `lost`: (rank, number) pairs that have no
    record. `how`: what the trace says about them. Each rank's clock is ahead of the one before by `offset`."""
    draw = random.Random(4)
    traces = [Trace(rank, 4, shift=offset * rank) for rank in range(4)]
    waited = 0
    for number in range(48):
        begin = 1_000 * number + draw.randint(0, 90)
        arrivals = [begin + 200 + draw.randint(0, 200) for _ in traces]
        is_whole = all((rank, number) not in lost for rank in range(4))
        waited += sum(max(arrivals) - at for at in arrivals) if is_whole else 0
        for trace, at in zip(traces, arrivals):
            if number % 8 == 0:
                trace.step(number // 8, 1_000 * number, 1_000 * number + 8_000)
                trace.kernel(1_000 * number + 10, 1_000 * number + 90)
            if (trace.rank, number) in lost:
                continue
            if how == "unnamed":
                trace.all_reduce(at, begin + 700)
            else:
                trace.collective(at, begin + 700, "allreduce", 1_000 + number % 5 if how == "sizes" else 1_000, range(4),
                                 sequence=number + 1 if how == "numbered" else None)
    return traces, waited


@pytest.mark.parametrize("how", ["numbered", "named", "sizes", "unnamed"])
@pytest.mark.parametrize("lost", [{(2, 20)}, {(0, 3)}, {(3, 24)}, {(1, 10), (2, 30)}, {(1, 40), (1, 41)}])
@pytest.mark.parametrize("offset", [0, 90])
def test_a_lost_kernel_record_moves_no_other_collective(report, how, lost, offset):
    traces, waited = lossy_job(lost, how, offset)
    result = report(*traces)
    numbers = len({number for _, number in lost})
    assert result["quality"]["collectives"] == {"split": 48 - numbers, "by_length": 0, "incomplete": numbers,
                                                "contradicting": 0, "not_together": 0, "in_graphs": 0,
                                                "clocks_agree": True}
    assert sum(line["wait_ns"] for line in result["collectives"]) == pytest.approx(1_000 * waited, abs=4 * 48 * 1_000)


@pytest.mark.parametrize("shift", [0, 5_000, -7_300, 3_000_000])
def test_buckets_that_follow_each_other_are_matched_though_clocks_are_wrong_by_more_than_they_last(report, shift):
    draw = random.Random(7)
    traces = [Trace(rank, 4, shift=shift * (rank == 2)) for rank in range(4)]
    waited = now = 0
    for step in range(6):
        length = 40_000 + draw.randint(0, 300)
        for trace in traces:
            trace.step(step, now, now + length)
            trace.kernel(now + 10, now + 9_000)
        ends = [now + 9_000] * 4
        for _ in range(6):
            arrivals = [end + draw.randint(0, 500) for end in ends]
            ends = [max(arrivals) + 3_000] * 4
            waited += sum(max(arrivals) - at for at in arrivals)
            for trace, at, end in zip(traces, arrivals, ends):
                trace.collective(at, end, "allreduce", 1_000, range(4))
        now += length
    result = report(*traces)
    assert result["quality"]["collectives"]["split"] == 36
    assert sum(line["wait_ns"] for line in result["collectives"]) == pytest.approx(1_000 * waited, abs=4 * 36 * 1_000)


def test_lengths_say_who_came_late_where_no_clock_does(report):
    """Kernels of 15.8 and 0.8 ms on clocks that have nothing to do with each other. Rank 1 computes for 15 ms more."""
    draw = random.Random(2)
    traces = [Trace(rank, 2) for rank in range(2)]
    for trace, computing, length in zip(traces, (1_000, 16_000), (15_800, 800)):
        trace.step(1, 0, 1_000_000)
        now = 100
        for number in range(12):
            now += draw.randint(0, 9_000)
            trace.kernel(now, now + computing)
            now += computing
            trace.collective(now, now + length, "allreduce", 1_000, range(2), sequence=number + 1)
            now += length
    result = report(*traces)
    assert result["quality"]["collectives"]["by_length"] == result["quality"]["collectives"]["split"] == 12
    line = line_of(result, "all_reduce")
    assert (line["wait_ns"], line["transfer_ns"], line["skew_ns"]) == (12 * 15_000_000, 24 * 800_000, 12 * 15_000_000)
    assert [found["rank"] for found in result["stragglers"]["found"]] == [1]
    assert straggling(result, 1)["last_share"] == 1


def test_a_trace_without_a_wall_clock_is_aligned_by_collectives(report):
    traces = job(2)
    traces[1].base_ns = None
    for trace, late in zip(traces, (0, 40)):
        trace.collective(300 + late, 400, "allreduce", 1000, range(2))
    result = report(*traces)
    assert [clock["basis"] for clock in result["clock"]] == ["shared", "collectives"]
    assert rows(result)["exposed_comm_wait"] == 40


def test_one_way_messages_do_not_align_a_trace_without_a_wall_clock(report):
    traces = job(2)
    traces[1].base_ns = None
    for trace in traces:
        trace.kernel(300, 400, SEND_RECV, stream=COMM)
    result = report(*traces)
    assert [clock["basis"] for clock in result["clock"]] == ["shared", "unknown"]
    assert result["clock"][1]["bound_ns"] is None
    assert "exposed_comm_wait" not in rows(result)


def test_unnamed_messages_of_two_pairs_do_not_wait_for_each_other(report):
    traces = job(4)
    for rank, trace in enumerate(traces):
        for i in range(5):
            start = 1_000 + 10_000 * i + 3_000 * (rank // 2)
            trace.kernel(start, start + 5_000, SEND_RECV, stream=COMM)
    result = report(*traces)
    assert [rows(result, rank).get("exposed_comm_wait", 0) for rank in range(4)] == [0] * 4
    assert result["stragglers"]["found"] == []


def test_messages_name_their_peer_by_its_rank_in_the_job(report):
    traces = job(4)
    traces[1].collective(300, 400, "send", 1000, (1, 3), group="pp1", kernel=SEND_RECV, **{"Dst Rank": 3})
    traces[3].collective(350, 400, "recv", 1000, (1, 3), group="pp1", kernel=SEND_RECV, **{"Src Rank": 1})
    result = report(*traces)
    assert line_of(result, "send_recv")["wait_ns"] == 50_000
    assert rows(result, 1)["exposed_comm_wait"] == 50
