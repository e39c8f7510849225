"""The oracle, on cases small enough to compute by hand."""

from fractions import Fraction

import pytest

from oracle import (call_phases, collectives, compare, hta, kernels, ledger, overlap, phases, report, samples,
                    stragglers, windows)
from oracle.job_of_calls import JobOfCalls
from oracle.truth import Span


def test_overlap_of_15_ns_compute_and_20_ns_communication_in_24_ns():
    built = JobOfCalls()
    built.launch("compute", 100, 115)
    built.launch("comm", 104, 124, stream=17)
    result = overlap.report(overlap.of_rank(built.job.ranks[0]))
    assert result["overlap_efficiency"] == Fraction(11, 15)  # 73.3 %
    assert result["overlap_fraction"] == Fraction(55, 100)
    assert result["overlap_efficiency_step"] == Fraction(11, 15)  # the window holds nothing else
    assert (result["hidden_comm_ns"], result["exposed_comm_ns"]) == (11, 9)


def test_overlap_is_undefined_without_communication():
    built = JobOfCalls()
    built.launch("compute", 100, 115)
    result = overlap.report(overlap.of_rank(built.job.ranks[0]))
    assert result["overlap_fraction"] is None and result["overlap_efficiency"] is None


def test_communication_waits_until_the_last_arrival():
    built = JobOfCalls(2)
    built.collective({0: (100, 160), 1: (140, 161)})
    built.launch("compute", 110, 120)
    assert built.rows(0) == {"compute": 10, "exposed_comm_wait": 30, "exposed_comm_transfer": 20}
    assert built.rows(1) == {"exposed_comm_transfer": 21}


def test_communication_without_its_peer_is_not_split():
    built = JobOfCalls(2)
    built.collective({0: (100, 160), 1: (140, 161)}, missing=(1,))
    assert built.rows(0) == {"exposed_comm_unsplit": 60}
    assert collectives.rows(built.job)[0]["wait_ns"] is None


def test_a_transfer_takes_precedence_over_a_wait():
    built = JobOfCalls(2)
    built.collective({0: (100, 200), 1: (150, 200)})
    built.collective({0: (100, 130), 1: (100, 130)})
    assert built.rows(0) == {"exposed_comm_transfer": 80, "exposed_comm_wait": 20}


def test_copies_take_precedence_over_unclassified_work():
    built = JobOfCalls()
    built.launch("copy", 100, 120)
    built.launch("unclassified", 110, 130, stream=13)
    assert built.rows() == {"exposed_copy": 20, "unclassified": 10}


def test_an_instant_has_the_phase_of_the_latest_launch():
    built = JobOfCalls()
    built.launch("compute", 100, 120, phase="forward")
    built.launch("compute", 110, 130, phase="backward", stream=13)
    totals, _ = ledger.of_rank(built.job, built.job.ranks[0])
    assert totals == {("compute", "forward"): 10, ("compute", "backward"): 20}


def test_device_windows_never_go_backwards():
    built = JobOfCalls()
    built.launch("compute", 100, 110, step=0)
    built.launch("compute", 300, 310, step=1)
    built.launch("copy", 250, 260, step=2, stream=13)
    assert windows.device_windows(built.job.ranks[0]) == {0: (100, 300), 1: (300, 300), 2: (300, 310)}


@pytest.mark.parametrize("op, size, factor", [
    ("all_reduce", 4000, Fraction(3, 2)), ("all_gather", 16000, Fraction(3, 4)),
    ("reduce_scatter", 16000, Fraction(3, 4)), ("all_to_all", 16000, Fraction(3, 4)), ("broadcast", 4000, 1)])
def test_bandwidths_use_the_factors_of_nccl_tests(op, size, factor):
    built = JobOfCalls(4)
    built.collective({0: (0, 100), 1: (20, 100), 2: (40, 100), 3: (60, 100)}, op=op)
    row = collectives.rows(built.job)[0]
    assert row["size_bytes"] == size
    assert row["algbw_gb_per_s"] == Fraction(size, 70)
    assert row["busbw_gb_per_s"] == Fraction(size, 70) * factor
    assert row["busbw_transfer_gb_per_s"] == (None if op == "broadcast" else Fraction(size, 40) * factor)
    assert (row["wait_ns"], row["transfer_ns"], row["skew_ns"]) == (60 + 40 + 20, 4 * 40, 60)


def test_an_early_sender_does_not_wait_for_a_late_receiver():
    built = JobOfCalls(2)
    built.collective({0: (0, 10), 1: (50, 60)}, op="send_receive")
    row = collectives.rows(built.job)[0]
    assert (row["wait_ns"], row["transfer_ns"]) == (0, 20)


def test_exposed_time_of_a_collective_excludes_computation():
    built = JobOfCalls(1)
    built.collective({0: (100, 200)})
    built.launch("compute", 150, 300)
    assert collectives.rows(built.job)[0]["exposed_ns"] == 50


def test_blame_is_divided_among_ranks_that_have_not_arrived():
    built = JobOfCalls(3)
    built.collective({0: (100, 120), 1: (106, 120), 2: (110, 120)})
    blamed = stragglers.blame(list(built.job.collectives.values()))
    assert blamed == {1: 3, 2: 3 + 4 + 4}


def test_what_is_longer_than_the_shortest_span_is_waiting_for_its_rank():
    built = JobOfCalls(3)
    built.collective({0: (0, 100), 1: (10, 30), 2: (5, 100)})
    [collective] = built.job.collectives.values()
    assert [collectives.ready(collective, part) - part.arrival for part in collective.parts] == [80, 0, 75]
    assert stragglers.blame([collective]) == {1: Fraction(5, 2) + 2 * 5 + 2 * 70, 2: Fraction(5, 2)}


def test_the_late_rank_is_blamed_most():
    built = JobOfCalls(3)
    built.collective({0: (100, 120), 1: (106, 120), 2: (110, 120)})
    result = stragglers.report(built.job, {rank: ({}, 100) for rank in range(3)})
    assert (result["most_blamed"], result["blame_ns"]) == (2, 14)
    assert [row["last_share"] for row in result["ranks"]] == [0, 0, 1]
    assert [row["lateness_mean_ns"] for row in result["ranks"]] == [0, 0, 4]
    assert [row["work_ns"] for row in result["ranks"]] == [100, 100, 100]


def test_on_a_tie_nobody_arrives_last():
    built = JobOfCalls(2)
    built.collective({0: (100, 120), 1: (100, 120)})
    result = stragglers.report(built.job, {rank: ({}, 100) for rank in range(2)})
    assert [row["last_share"] for row in result["ranks"]] == [0, 0]


def test_work_time_rules_name_ranks_above_their_limits():
    work = {0: 80, 1: 80, 2: 80, 3: 80, 4: 80, 5: 120}
    assert stragglers.rules(work) == {"mean_over_1_1": [5], "z_over_2": [5]}
    assert stragglers.rules({rank: work[rank] for rank in range(1, 6)})["z_over_2"] is None
    assert stragglers.rules({0: 80}) == {"mean_over_1_1": [], "z_over_2": None}
    assert stragglers.rules({0: 80, 1: None}) == {"mean_over_1_1": None, "z_over_2": None}


def test_work_time_is_the_step_without_waiting():
    built = JobOfCalls(2)
    built.collective({0: (100, 160), 1: (140, 161)})
    ledgers = {rank: ledger.of_rank(built.job, built.job.ranks[rank]) for rank in (0, 1)}
    assert [row["work_ns"] for row in stragglers.report(built.job, ledgers)["ranks"]] == [20, 21]
    assert stragglers.report(built.job, {**ledgers, 1: ({("exposed_comm_unsplit", "other"): 1}, 9)})["ranks"][1][
        "work_ns"] is None


def host_means(built):
    return {row["name"]: row["host_ns"]["mean"] for row in phases.rows(built.job) if row["host_ns"]["mean"]}


def test_host_time_belongs_to_the_innermost_range():
    built = JobOfCalls()
    built.launch("compute", 30, 60, phase="forward")
    built.launch("compute", 50, 80, phase="forward", stream=13)
    built.range("step 0", 0, 100, step=0)
    built.range("forward", 10, 60, phase="forward")
    built.range("h2d", 20, 30, phase="h2d")
    rows = {row["name"]: row for row in phases.rows(built.job)}
    assert rows["forward"]["host_ns"]["mean"] == 40 and rows["h2d"]["host_ns"]["mean"] == 10
    assert rows["other"]["host_share"] == Fraction(1, 2)
    assert rows["forward"]["device_ns"]["mean"] == 50 and rows["forward"]["device_share"] == Fraction(1, 2)
    assert rows["total"]["derived"] and not rows["forward"]["derived"]


def test_host_time_outside_ranges_belongs_to_the_current_or_the_next_call():
    built = JobOfCalls()
    built.range("step 0", 0, 100, step=0)
    built.range("h2d", 50, 60, phase="h2d")
    built.launch("compute", 200, 210, at=19, phase="forward").end = 30
    built.call("other", 25, 35, thread="pt_autograd_0", phase="backward")  # the earlier call decides while both run
    built.call("other", 55, 56, phase="h2d")  # starts in a range, so no time before it prepares it
    built.call("sync", 70, 80, phase="sync_gather")
    assert host_means(built) == {"forward": 30, "backward": 5, "h2d": 10, "sync_gather": 20, "other": 15 + 20,
                                 "backward_step": 5, "total": 100}


def test_a_call_that_started_in_the_previous_step_counts():
    built = JobOfCalls()
    built.range("step 0", 10, 100, step=0)
    built.call("other", 0, 20, phase="optim_step", thread="device_1")
    built.launch("compute", 200, 210, at=30, phase="forward")
    assert host_means(built)["optim_step"] == 10


@pytest.mark.parametrize("marked, before, wait", [(False, "optim_step", 40), (False, "forward", 0),
                                                  (True, "optim_step", 0)])
def test_pauses_before_input_copies_are_data_waits_without_loader_ranges(marked, before, wait):
    built = JobOfCalls()
    built.range("step 0", 0, 100, step=0)
    if marked:
        built.range("next_batch", 90, 95, phase="dataload_wait")
    built.launch("compute", 200, 210, at=0, phase=before, function="cudaLaunchKernel").end = 10
    built.launch("copy", 220, 230, at=50, phase="h2d", to_device=True)
    assert host_means(built).get("dataload_wait", 0) == wait + (5 if marked else 0)


def test_the_time_before_the_first_input_copy_of_a_step_is_a_data_wait():
    built = JobOfCalls()
    built.range("step 0", 0, 100, step=0)
    built.call("other", 5, 10, phase="forward")
    built.launch("copy", 220, 230, at=50, phase="h2d", to_device=True)
    assert host_means(built)["dataload_wait"] == 45, "a call that launches nothing may come before it"


def phase_of(call, built, kernel="k"):
    call.step = 0
    spans = [Span(0, "compute", kernel, 7, 1000, 1001, call)]
    call_phases.assign(built.job.ranks[0].process, spans)
    return call.phase


@pytest.mark.parametrize("values, kernel, phase", [
    ({"thread": "pt_autograd_0"}, "lpnorm_cleanup", "backward"),
    ({}, "lpnorm_cleanup", "unscale_clip"),
    ({}, "multi_tensor_apply_kernel<FusedAdamMathFunctor<float, 4> >", "optim_step"),
    ({"to_device": True}, "Memcpy HtoD", "h2d"),
    ({"thread": "worker"}, "k", "backward"),
    ({}, "k", "other"),  # behind backward, but no kernel of an optimizer
    ({"function": "cudaMemcpyAsync"}, "Memcpy DtoH", "other")])
def test_calls_outside_ranges_get_their_phase_by_the_rules(values, kernel, phase):
    built = JobOfCalls()
    built.call("launch", 50, 51, thread="worker", function="cudaLaunchKernel", step=0)
    call = built.call("launch", 60, 61, **{"function": "cudaLaunchKernel", **values})
    assert phase_of(call, built, kernel) == phase


def test_launches_of_the_main_thread_before_backward_are_forward():
    built = JobOfCalls()
    call = built.call("launch", 40, 41, function="cudaLaunchKernel")
    built.call("launch", 50, 51, thread="worker", function="cudaLaunchKernel", step=0)
    assert phase_of(call, built) == "forward"


def test_kernels_of_a_single_thread_get_their_phase_by_name_and_order():
    built = JobOfCalls()
    calls = [built.call("launch", at, at + 1, function="cudaLaunchKernel", step=0) for at in range(10, 60, 10)]
    names = ["k", "norm_forward", "k", "norm_backward", "k"]
    spans = [Span(0, "compute", name, 7, 1000, 1001, call) for name, call in zip(names, calls)]
    call_phases.assign(built.job.ranks[0].process, spans)
    assert [call.phase for call in calls] == ["forward"] * 3 + ["backward"] * 2


def test_a_threads_own_range_wins_over_kernels_and_those_over_the_thread():
    built = JobOfCalls()
    built.range("forward", 0, 100, phase="forward")
    built.range("optimizer", 40, 60, thread="worker", phase="optim_step")
    call = built.call("launch", 50, 51, thread="worker", function="cudaLaunchKernel")
    assert phase_of(call, built) == "optim_step"
    built.job.ranks[0].process.ranges.pop()
    assert phase_of(call, built) == "backward", "the main thread's range says nothing of other threads"
    assert phase_of(call, built, "lpnorm_cleanup") == "unscale_clip"


def test_collectives_and_synchronisations_follow_the_previous_launch():
    built = JobOfCalls()
    built.range("optimizer", 0, 20, phase="optim_step")
    built.call("launch", 10, 11, function="cudaLaunchKernel", step=0)
    built.call("launch", 30, 31, function="cudaMemcpyAsync", to_device=True, step=0)
    start = built.call("other", 40, 41, function="ncclGroupStart", step=0)
    collective = built.call("launch", 50, 51, function="ncclAllReduce", step=0)
    wait = built.call("sync", 60, 61, function="cudaStreamSynchronize", step=0)
    outside = built.call("sync", 70, 71, function="cudaStreamSynchronize")
    call_phases.assign(built.job.ranks[0].process, [])
    assert [call.phase for call in (start, collective, wait, outside)] == [
        "optim_step", "optim_step", "sync_gather", "other"]


def test_slow_first_steps_are_warm_up():
    built = JobOfCalls()
    at = 100
    for step, length in enumerate([900, 310, 100, 160, 99, 100, 102, 100]):
        built.launch("compute", at, at + 10, step=step)
        at += length
    built.launch("compute", at - 10, at, step=7)
    assert windows.warmup(built.job) == [0, 1]
    built.job.ranks[0].warmup = [0, 1]
    assert windows.report(built.job)["count"] == 6 and windows.report(built.job)["warmup"] == 2


def test_quantiles_interpolate():
    assert samples.summary([4, 1, 2, 3])["median"] == Fraction(5, 2)
    assert samples.quantile([0, 100], Fraction(95, 100)) == 95
    assert samples.deviation([1, 3]) == 1


def test_kernels_count_in_the_window_where_they_start():
    built = JobOfCalls()
    built.launch("compute", 10, 20, name="early", step=None)
    built.launch("compute", 30, 50, name="k")
    built.launch("copy", 40, 90, name="late", step=None)
    built.launch("compute", 50, 60, name="k", stream=13)
    assert [(row["name"], row["total_ns"], row["share"]) for row in kernels.rows(built.job)] == [
        ("k", 30, Fraction(3, 8)), ("late", 50, Fraction(5, 8))]


def test_hta_rounds_to_whole_microseconds():
    built = JobOfCalls()
    built.launch("compute", 1_500, 10_900)
    built.launch("comm", 6_000, 20_000, stream=17, name="ncclDevKernel_AllReduce")
    assert hta.of_rank(built.job.ranks[0]) == {
        "kernel_time_us": 18, "idle_time_us": 0, "compute_time_us": 8, "non_compute_time_us": 10,
        "comp_comm_overlap_pctg": Fraction(2857, 100)}


def test_hta_counts_negative_time_within_a_microsecond():
    built = JobOfCalls()
    built.launch("compute", 1_100, 1_900)  # from 2 to 1
    built.launch("compute", 5_000, 7_000, stream=13)
    assert hta.of_rank(built.job.ranks[0]) == {
        "kernel_time_us": 5, "idle_time_us": 4, "compute_time_us": 1, "non_compute_time_us": 0,
        "comp_comm_overlap_pctg": None}
    built.job.ranks[0].clock_offset_ns = 500  # from 1.6 to 2.4 and from 5.5 to 7.5 on the log's clock
    assert hta.of_rank(built.job.ranks[0])["compute_time_us"] == 1 - 0


@pytest.mark.parametrize("name, kind", [
    ("ncclDevKernel_AllReduce", "comm"), ("void ncclKernel_Sum(int)", "comm"), ("hipLaunch", "comm"),
    ("my_nccl_kernel", "compute"), ("Memset (Device)", "neither"), ("my Memcpy", "compute"), ("dma0", "neither"),
    ("Context Sync", "neither"), ("Stream Wait Event", "neither"), ("cudaDeviceSynchronize", "neither")])
def test_hta_classifies_by_name(name, kind):
    built = JobOfCalls()
    built.launch("unclassified", 10_000, 20_000, name=name)
    built.launch("copy", 30_000, 40_000, name="Memcpy HtoD")
    result = hta.of_rank(built.job.ranks[0])
    assert (result["compute_time_us"] == 10) == (kind == "compute")
    assert (result["comp_comm_overlap_pctg"] is not None) == (kind == "comm")


def test_the_comparison_names_the_differences():
    built = JobOfCalls(2)
    built.collective({0: (100, 160), 1: (140, 161)})
    for rank in (0, 1):
        built.range("step 0", 0, 200, rank, step=0)
    expected, got = report.expected(built.job), report.expected(built.job)
    for row in got["steps"]["list"]:
        row["duration_ns"] = int(row["duration_ns"])  # 40.5
    for name in ("mean", "median", "p95", "min", "max", "stddev"):
        got["steps"]["duration_ns"][name] = int(got["steps"]["duration_ns"][name])
    got["stragglers"]["found"] = []
    got["stragglers"]["unblamed_ns"] = 0
    for row in got["stragglers"]["ranks"]:
        row["blamed_ns"] = 40 * row["rank"]
        row["lateness_mean_ns"] = int(row["lateness_mean_ns"])
    got = plain(got)
    assert compare.table(compare.differences(expected, got)) == ""
    got["ledger"]["rows"]["compute"] += 1
    assert compare.table(compare.differences(expected, got)) == "ledger.rows.compute: expected 0, got 1"


def plain(value):
    """The values as a report has them: whole numbers as integers, others as floats."""
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [plain(entry) for entry in value]
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    return value
