"""Findings about rows of the ledger name the ranks and steps that have the time."""

from kineto_trace import Trace

STEPS, RANKS, LENGTH = 6, 4, 10_000


def job(slow, function=None):
    """Four ranks; in `slow`, pairs of rank and step, the host stands still, or in a call, for 5 ms."""
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
    assert 4_900_000 < found["saves_ns_per_step"] < 5_100_000
    assert "mostly cudaFree" in found["evidence"]


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
