"""Findings about rows of the ledger name the ranks and steps that have the time, and where in the program it lies."""

import pytest

from kineto_trace import Trace, report_of, run

STEPS, RANKS, LENGTH = 6, 4, 10_000


def job(slow, function=None):
    """Four ranks; in `slow`, pairs of rank and step, the host is stalled, or in a call, for 5 ms."""
    traces = []
    for rank in range(RANKS):
        trace = Trace(rank, RANKS)
        for step in range(STEPS):
            start = step * LENGTH
            trace.step(step, start, start + LENGTH)
            trace.kernel(start + 100, start + 4_000)
            if (rank, step) in slow:
                trace.event("cpu_op", "aten::before", start + 3_990, start + 4_000)
                if function:
                    trace.call(function, start + 4_000, start + 9_000)
                trace.event("cpu_op", "aten::after", start + 9_000, start + 9_010)
                trace.kernel(start + 9_020, start + 9_900)
            else:
                trace.kernel(start + 4_000, start + 9_900, launch=(start + 200, start + 210))
        traces.append(trace)
    return traces


def findings(report, traces, name):
    return [finding for finding in report(*traces)["findings"] if finding["id"] == name]


def test_a_rank_whose_host_allocates_in_each_step(report):
    [found] = findings(report, job({(2, step) for step in range(STEPS)}, "cudaFree"), "allocation")
    assert (found["ranks"], found["steps"]) == ([2], [])
    # The ranks never meet, so only the steps of one of the four become shorter.
    assert 4_900_000 < found["saves_ns_per_step"] * RANKS < 5_100_000
    assert "mostly cudaFree" in found["evidence"]
    assert "expandable_segments" in found["advice"] and "CUDA graphs" not in found["advice"]


def test_a_step_in_which_all_ranks_allocate(report):
    [found] = findings(report, job({(rank, 3) for rank in range(RANKS)}, "cudaMalloc"), "allocation")
    assert (found["ranks"], found["steps"]) == ([], [3])
    assert "50.0 % of the time of all ranks in step 3" in found["evidence"]
    assert found["saves_ns_per_step"] * STEPS < 5_100_000


def test_a_step_in_which_one_rank_stalls(report):
    [found] = findings(report, job({(1, 4)}), "host-stall")
    assert (found["ranks"], found["steps"]) == ([1], [4])
    assert "rank 1 in step 4 (5.2" in found["evidence"]


def test_what_all_ranks_do_in_all_steps_names_none(report):
    everywhere = {(rank, step) for rank in range(RANKS) for step in range(STEPS)}
    [found] = findings(report, job(everywhere, "cudaFree"), "allocation")
    assert (found["ranks"], found["steps"]) == ([], [])


def test_a_stall_lies_between_the_operators_around_it(report):
    [found] = findings(report, job({(1, 4)}), "host-stall")
    assert found["where"] == "after aten::before, before aten::after"
    assert 0.95 < found["where_share"] < 0.97  # 5 of 5.2 ms


def stalled(ranks=1, steps=4, inside=(), names=None):
    """In each step, 5 ms pass in the sparse part of forward, between two operators, of which one contains others."""
    traces = []
    for rank in range(ranks):
        trace = Trace(rank, ranks)
        for step in range(steps):
            now = step * LENGTH
            trace.step(step, now, now + LENGTH)
            trace.annotation("## forward ##", now + 50, now + 9_000)
            trace.annotation((names or {}).get(step, "# running sparse arch"), now + 60, now + 8_000)
            trace.event("cpu_op", "aten::reshape", now + 200, now + 300)
            trace.event("cpu_op", "aten::_reshape_alias", now + 250, now + 260)
            trace.kernel(now + 200, now + 400)
            for category, name in inside:
                trace.event(category, name, now + 310, now + 7_990)
            for start in range(now + 400, now + 6_000, 400) if step % 2 else ():  # no silence: a busy host
                trace.event("python_function", "<built-in method append of list object at 0x7f>", start, start + 1)
            trace.event("cpu_op", "_AlltoAllSingle", now + 6_000, now + 7_000)
            trace.event("cpu_op", "record_param_comms", now + 6_050, now + 6_900)
            trace.kernel(now + 6_200, now + 9_900, launch=(now + 6_100, now + 6_110))
        traces.append(trace)
    return traces


def test_where_names_the_ranges_around_and_the_operators_before_and_after(report):
    of_job = report(*stalled())["findings"]
    for name in ("host-stall", "launch-bound"):
        [found] = [finding for finding in of_job if finding["id"] == name]
        assert found["where"] == "forward > # running sparse arch, after aten::reshape, before _AlltoAllSingle"


def test_the_text_report_says_where(tauprof, tmp_path):
    report_of(tauprof, tmp_path, *stalled())
    text = run(tauprof, "analyze", tmp_path / "logs", "--show", "findings").stdout
    assert "at forward > # running sparse arch, after aten::reshape, before _AlltoAllSingle (" in text


def test_of_python_functions_the_innermost_of_the_users_own_says_where(report):
    inside = (("python_function", "train.py(12): main"), ("python_function", "nn.Module: Model_0"),
              ("python_function", "torch/nn/modules/module.py(1532): _call_impl"),
              ("python_function", "nn.Module: Sparse_0"), ("python_function", "src/model.py(77): look_up"),
              ("python_function", "/opt/lib/python3.10/site-packages/torch/nn/functional.py(5): pad"),
              ("python_function", "contextlib.py(79): inner"), ("python_function", "<built-in function len>"))
    [found] = findings(report, stalled(inside=inside), "host-stall")
    assert found["where"].startswith(
        "forward > # running sparse arch > Sparse_0 > src/model.py:77 look_up, after aten::reshape, before _Allto")


def test_where_stops_at_the_range_that_all_of_it_has_in_common(report):
    names = {step: f"part {'abcd'[step]}" for step in range(4)}
    [found] = findings(report, stalled(names=names), "host-stall")
    assert found["where"] == "forward" or found["where"].startswith("forward > part b")
    [found] = findings(report, stalled(names={step: f"part {step}" for step in range(8)}, steps=8), "host-stall")
    assert found["where"] == "forward"


def test_a_wait_for_the_device_lies_at_the_call_that_launched_late(report):
    """The kernel starts 5 ms after its launch, while the host is elsewhere."""
    trace = Trace()
    for step in range(4):
        now = step * LENGTH
        trace.step(step, now, now + LENGTH)
        trace.kernel(now + 100, now + 400)
        trace.annotation("embedding", now + 410, now + 500)
        trace.kernel(now + 5_400, now + 9_900, launch=(now + 420, now + 430))
        trace.annotation("elsewhere", now + 600, now + 9_800)
    [found] = findings(report, [trace], "device-latency")
    assert found["where"] == "embedding"


@pytest.mark.parametrize("late_by", [1_500, 5_000])
def test_the_cause_of_a_straggler_has_a_place(report, late_by):
    traces = []
    for rank in range(4):
        trace = Trace(rank, 4)
        for step in range(6):
            now = step * 20_000
            trace.step(step, now, now + 20_000)
            trace.kernel(now + 100, now + 1_000)
            start = now + 1_100 + (late_by if rank == 2 else 0)
            if rank == 2:
                trace.annotation("tokenize", now + 1_000, start - 20)
                for at in range(now + 1_010, start - 30, 200):
                    trace.event("cpu_op", "aten::item", at, at + 5)
            trace.collective(start, now + 8_000, "allreduce", 1_000_000, range(4), sequence=step + 1)
            trace.kernel(now + 8_010, now + 19_900, launch=(now + 7_000, now + 7_010))
        traces.append(trace)
    [found] = findings(report, traces, "straggler")
    assert found["ranks"] == [2]
    assert found["where"].startswith("tokenize")
