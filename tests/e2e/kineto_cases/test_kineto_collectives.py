"""Waits, blame, sizes and bandwidth of a few collectives, computed by hand from docs/metrics.md."""

import json

import pytest

from kineto_trace import ALL_REDUCE, COMM, SEND_RECV, Trace, imported, job, line_of, rows, run, straggling


def test_waits_blame_and_bandwidth_of_an_all_reduce(report):
    traces = job(3)
    for trace, late in zip(traces, (0, 10, 40)):
        trace.collective(300 + late, 400, "allreduce", 1_000_000, range(3))
    result = report(*traces)
    line = line_of(result, "all_reduce")
    assert (line["size_bytes"], line["dtype"], line["ranks"], line["count"]) == (4_000_000, "float", 3, 1)
    assert (line["wait_ns"], line["transfer_ns"], line["skew_ns"]) == (70_000, 180_000, 40_000)
    assert line["exposed_ns"] == 250_000
    assert not line["wait_is_upper_bound"]
    assert line["algbw_gb_per_s"] == pytest.approx(4_000_000 / (250_000 / 3))
    assert line["busbw_gb_per_s"] == pytest.approx(4_000_000 / (250_000 / 3) * 4 / 3)
    assert line["busbw_transfer_gb_per_s"] == pytest.approx(4_000_000 / 60_000 * 4 / 3)
    assert [straggling(result, rank)["blamed_ns"] for rank in range(3)] == [0, 5_000, 65_000]
    assert [straggling(result, rank)["last_share"] for rank in range(3)] == [0, 0, 1]
    assert [straggling(result, rank)["lateness_mean_ns"] for rank in range(3)] == [0, 0, 30_000]
    assert rows(result, 0)["exposed_comm_wait"] == 40 and rows(result, 0)["exposed_comm_transfer"] == 60
    assert "exposed_comm_wait" not in rows(result, 2)


@pytest.mark.parametrize("name, kernel, sent, received, operation, size, factor", [
    ("allreduce", "AllReduce", 1000, 1000, "all_reduce", 4_000, 1),
    ("_allgather_base", "AllGather", 1000, 2000, "all_gather", 8_000, 1 / 2),
    ("allgather_into_tensor_coalesced", "AllGather", 1000, 2000, "all_gather", 8_000, 1 / 2),
    ("reduce_scatter_tensor_coalesced", "ReduceScatter", 2000, 1000, "reduce_scatter", 8_000, 1 / 2),
    ("_reduce_scatter_base", "ReduceScatter", 2000, 1000, "reduce_scatter", 8_000, 1 / 2),
    ("all_to_allv", "SendRecv", 2000, 2000, "all_to_all", 8_000, 1 / 2),
    ("all_to_all", "SendRecv", 2000, 2000, "all_to_all", 8_000, 1 / 2),
    ("broadcast", "Broadcast", 1000, 1000, "broadcast", 4_000, 1),
    ("reduce", "Reduce", 1000, 1000, "reduce", 4_000, 1),
])
def test_sizes_follow_the_conventions_of_nccl_tests(report, name, kernel, sent, received, operation, size, factor):
    traces = job(2)
    for trace in traces:
        trace.collective(300, 400, name, sent, range(2), out=received, kernel=f"ncclDevKernel_{kernel}_RING_LL(int)")
    line = line_of(report(*traces), operation)
    assert line["size_bytes"] == size
    assert line["busbw_gb_per_s"] == pytest.approx(size * factor / 100_000)


@pytest.mark.parametrize("dtype, name, size", [("Float", "float", 4), ("BFloat16", "bfloat16", 2),
                                               ("Half", "half", 2), ("Long", "int64", 8)])
def test_element_types_have_their_sizes(report, dtype, name, size):
    traces = job(2)
    for trace in traces:
        trace.collective(300, 400, "allreduce", 1000, range(2), dtype=dtype)
    line = line_of(report(*traces), "all_reduce")
    assert (line["dtype"], line["size_bytes"]) == (name, 1000 * size)


def test_an_unequal_all_to_all_counts_the_bytes_sent_to_others(report):
    traces = job(2)
    for trace, (to_0, to_1) in zip(traces, ((100, 300), (500, 700))):
        trace.collective(300, 400, "all_to_allv", to_0 + to_1, range(2), kernel=SEND_RECV,
                         **{"In split size": f"[{to_0}, {to_1}]", "Out split size": "[]"})
    line = line_of(report(*traces), "all_to_all")
    assert line["size_bytes"] is None
    assert line["algbw_gb_per_s"] == pytest.approx((300 + 500) * 4 / 2 / 100_000)


def test_overlapping_collectives_wait_only_while_all_of_them_do(report):
    traces = job(2)
    traces[0].collective(300, 400, "allreduce", 1000, (0, 1), group="a")
    traces[1].collective(350, 400, "allreduce", 1000, (0, 1), group="a")
    for trace in traces:  # the other group transfers from 320 on
        trace.collective(320, 380, "allreduce", 1000, (0, 1), group="b", stream=24)
    result = report(*traces)
    assert rows(result, 0)["exposed_comm_wait"] == 20
    assert rows(result, 0)["exposed_comm_transfer"] == 80


def test_a_rank_that_recorded_nothing_on_its_device_keeps_no_others_from_being_split(tauprof, report, tmp_path):
    """As in a job that hangs: rank 2 sits in a call, and nothing places its clock."""
    traces = job(2) + [Trace(2, 3, base_ns=None)]
    for trace in traces[:2]:
        trace.world = 3
        for number in range(5):
            start = 1_000 + 200 * number + 20 * trace.rank
            trace.collective(start, 1_100 + 200 * number, "allreduce", 1_000, range(2), "pair", sequence=number + 1)
    traces[2].step(1, 0, 100_000)
    traces[2].call("cudaStreamSynchronize", 30, 90_000)
    result = report(*traces)
    assert [clock["basis"] for clock in result["clock"]] == ["shared", "wall_clock", "unknown"]
    assert result["quality"]["collectives"]["split"] == 5
    assert rows(result, 0)["exposed_comm_wait"] == 5 * 20
    assert straggling(result, 1)["blamed_ns"] == 4 * 20_000  # without the first, which is starting up
    assert str(-2**63) not in json.dumps(result)


def test_no_log_is_called_missing_where_all_are_there(tauprof, tmp_path):
    traces = job(3)
    for trace in traces[:2]:  # rank 2 has not come
        trace.collective(300 + 10 * trace.rank, 400, "allreduce", 1_000, range(3), sequence=1)
    text = run(tauprof, "analyze", imported(tauprof, tmp_path, traces), "--show", "all").stdout
    assert "cannot be told: the logs hold no collective that all its ranks carried out" in text
    assert "logs of all its ranks" not in text


def test_waiting_has_a_lower_bound_where_a_rank_is_missing(tauprof, tmp_path):
    """Of three ranks, rank 2 has no log. It comes last to the first and to the third all-reduce."""
    traces = [Trace(rank, 3) for rank in range(2)]
    for trace in traces:
        trace.step(1, 0, 100_000)
        for start, end in ((300, 380 + 10 * trace.rank), (1_000 + 30 * trace.rank, 1_060), (2_000, 2_500)):
            trace.collective(start, end, "allreduce", 1_000, range(3))
        trace.collective(3_000 + 40 * trace.rank, 3_090, "broadcast", 1_000, range(3), kernel="ncclDevKernel_Broadcast")
    logs = imported(tauprof, tmp_path, traces)
    result = json.loads(run(tauprof, "analyze", logs, "--json", "-").stdout)
    line = line_of(result, "all_reduce")
    # The shortest lasts 30 µs: rank 1's second.
    assert line["wait_at_least_ns"] == 1_000 * (50 + 60 + 30 + 0 + 470 + 470)
    assert line["wait_ns"] is None and line_of(result, "broadcast")["wait_at_least_ns"] is None
    assert "exposed_comm_wait" not in rows(result, 0)
    text = run(tauprof, "analyze", logs, "--show", "all").stdout
    assert ">=1.080 ms" in text
    assert "2 of 3 ranks have a log; rank 2 has none; in collectives with the others they waited 1.080 ms at least" in " ".join(text.split())


def test_known_arrivals_bound_the_waiting_where_sizes_differ(report):
    """Of three ranks, rank 2 has no log; every all-reduce has a size of its own."""
    traces = [Trace(rank, 3) for rank in range(2)]
    for trace in traces:
        trace.step(1, 0, 100_000)
        for number in range(3):
            start = 1_000 * (number + 1) + 30 * trace.rank
            trace.collective(start, 1_000 * (number + 1) + 200, "allreduce", 1_000 + number, range(3))
    result = report(*traces)
    assert [line["wait_at_least_ns"] for line in result["collectives"]] == [30_000] * 3


def test_a_missing_rank_does_not_affect_groups_without_it(report):
    traces = job(4)[:3]
    for rank, trace in enumerate(traces):
        trace.collective(300 + 10 * rank, 400, "allreduce", 1000, ((0, 1), (2, 3))[rank // 2], group=f"tp{rank // 2}")
    result = report(*traces)
    assert rows(result, 0)["exposed_comm_wait"] == 10
    assert rows(result, 2)["exposed_comm_unsplit"] == 80
    assert line_of(result, "all_reduce", "tp1")["wait_ns"] is None


def test_overlap_matches_the_example_in_the_document(report):
    traces = [Trace(rank, 2) for rank in range(2)]
    for trace in traces:
        trace.step(1, 0, 100_000)
        trace.kernel(1_000, 16_000, launch=(10, 20))
        trace.collective(5_000, 25_000, "allreduce", 1000, range(2), launch=(30, 40))
    overlap = report(*traces)["overlap"]
    assert overlap["hidden_comm_ns"] == 2 * 11_000_000
    assert overlap["overlap_fraction"] == pytest.approx(0.55)
    assert overlap["overlap_efficiency"] == pytest.approx(11 / 15)


def test_the_rank_that_computes_longer_is_the_straggler(report):
    traces = job(4)
    for i in range(5):
        start = 1_000 * (i + 1)
        for rank, trace in enumerate(traces):
            computed = start + (400 if rank == 2 else 100)
            trace.kernel(start, computed, launch=(start - 60, start - 55))
            trace.collective(computed, start + 500, "allreduce", 1000, range(4), launch=(start - 54, start - 50))
    result = report(*traces)
    assert [entry["rank"] for entry in result["stragglers"]["found"]] == [2]
    assert result["stragglers"]["found"][0]["cause"] == "slow_compute"
    assert straggling(result, 2)["blamed_ns"] == 5 * 3 * 300_000


def test_blame_moves_on_to_the_rank_that_made_the_late_rank_late(report):
    """Rank 3 computes longer; rank 2 waits for it in their group and so arrives late at rank 0's collective."""
    traces = job(4)
    for i in range(10):
        start = 1_000 * (i + 1)
        for rank, trace in enumerate(traces):
            tensor, data = ((0, 1), (2, 3))[rank // 2], ((0, 2), (1, 3))[rank % 2]
            computed = start + (200 if rank == 3 else 100)
            reduced = start + (220 if rank >= 2 else 120)
            trace.kernel(start, computed, launch=(start - 60, start - 55))
            trace.collective(computed, reduced, "allreduce", 1000, tensor, f"tp{rank // 2}",
                             launch=(start - 54, start - 53))
            trace.collective(reduced, start + 240, "allreduce", 1000, data, f"dp{rank % 2}",
                             launch=(start - 52, start - 51), stream=24)
    result = report(*traces)
    assert sum(rows(result, rank).get("exposed_comm_wait", 0) for rank in range(4)) == 3_000
    # The first collective of a group has no predecessor to compare with.
    assert straggling(result, 3)["blamed_ns"] >= 2_900_000
    assert [entry["rank"] for entry in result["stragglers"]["found"]] == [3]


def test_on_a_tie_nobody_arrives_last(report):
    traces = job(2)
    for trace in traces:
        trace.collective(300, 400, "allreduce", 1000, range(2))
    result = report(*traces)
    assert [straggling(result, rank)["last_share"] for rank in range(2)] == [0, 0]


def test_a_collective_without_correlation_keeps_its_arguments(report):
    traces = job(2)
    for trace in traces:
        trace.collective(300, 400, "allreduce", 1000, range(2), sequence=1)
        del trace.events[-1]["args"]["correlation"]
        trace.kernel(500, 600)
    assert line_of(report(*traces), "all_reduce")["size_bytes"] == 4_000


def annotated(trace, start, end, operation, dims, types, **args):
    """A collective of which only the range around its launch tells something, as in traces with record_shapes."""
    trace.event("user_annotation", f"nccl:{operation}", start - 10, start - 1,
                **{"External id": start, "Input Dims": dims, "Input type": types, **args})
    trace.kernel(start, end, ALL_REDUCE if "reduce" in operation else SEND_RECV, stream=COMM)


def test_sizes_and_types_come_from_the_inputs_of_the_annotation(report):
    traces = job(2)
    for trace in traces:
        annotated(trace, 300, 400, "all_reduce", [[4096, 4096]], ["float"])
        annotated(trace, 500, 520, "all_reduce", [[64, 128], [8192]], ["c10::BFloat16", "c10::BFloat16"])
        annotated(trace, 600, 620, "all_to_all", [[1000]], ["long int"])
    result = report(*traces)
    assert {(line["op"], line["dtype"], line["size_bytes"], line["count"]) for line in result["collectives"]} == {
        ("all_reduce", "float", 64 << 20, 1), ("all_reduce", "bfloat16", 32 << 10, 1), ("all_to_all", "int64", None, 1)}


@pytest.mark.parametrize("dims, types", [
    ([[1, -5]], ["float"]), ("[[2, 3]", "[]"), ([[1 << 40, 1 << 40]], ["float"]), ([["[", "}"]], ["x"]), ([], [])])
def test_inputs_that_make_no_sense_give_no_size(report, dims, types):
    traces = job(2)
    for trace in traces:
        annotated(trace, 300, 400, "all_reduce", dims, types)
    assert line_of(report(*traces), "all_reduce")["size_bytes"] in (None, 0)
