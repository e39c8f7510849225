"""Random traces compared with a second computation on a grid, where every microsecond of a window has one row."""

import random

import pytest

from kineto_trace import ALL_REDUCE, GEMM, Trace, line_of, rows
from tiers import two_tiers

CLASSES = {  # row: what runs; in order of precedence
    "compute": ("kernel", GEMM),
    "fused_comm_compute": ("kernel", "void quack::gemm_all_reduce_kernel<float>(float*)"),
    "exposed_comm_unsplit": ("kernel", ALL_REDUCE),
    "exposed_copy": ("gpu_memcpy", "Memcpy DtoD (Device -> Device)"),
    "unclassified": ("kernel", "our_all_to_all"),
}


def scenario(seed):
    """(steps, spans): host windows, and (row, start, end, launch or None) of device work."""
    draw = random.Random(seed)
    ends = sorted(draw.sample(range(0, 2_000, 7), draw.randint(2, 6)))
    spans = []
    for _ in range(draw.randint(5, 40)):
        launch = draw.randrange(-200, 2_200)
        start = launch + draw.choice([0, 1, 5, 50, 400])
        spans.append((draw.choice(list(CLASSES)), start, start + draw.choice([0, 1, 3, 20, 90, 300]),
                      None if draw.random() < 0.1 else launch))
    return list(zip(ends, ends[1:])), spans


def trace_of(steps, spans):
    trace = Trace(0, 2)  # without its peer, communication cannot be split
    for number, (start, end) in enumerate(steps):
        trace.step(number, start, end)
    for stream, (row, start, end, launch) in enumerate(spans):
        category, name = CLASSES[row]
        correlation = None if launch is None else trace.call("cudaLaunchKernel", launch, launch + 1, tid=stream + 1)
        trace.on_device(start, end, name, category, stream=stream, correlation=correlation)
    return trace


def windows_of(steps, spans):
    """{step: (start, end)} on the device, by the definition in docs/metrics.md. Each span has its own stream, so the
    main stream is that of the longest computation and bounds only the step that launched it.
    """
    main = max(range(len(spans)), key=lambda one: (spans[one][0] == "compute") * (spans[one][2] - spans[one][1]))
    firsts, bound, last = {}, {}, None
    for stream, (_, start, end, launch) in enumerate(spans):
        for number, (first, until) in enumerate(steps):
            if launch is not None and first <= launch < until:
                firsts[number] = min(start, firsts.get(number, start))
                last = end if last is None else max(last, end)
                bound |= {number: start} if stream == main else {}
    starts = {}
    for number in sorted(firsts):
        after_all = min((start for other, start in bound.items() if other >= number), default=last)
        own = bound.get(number, max([firsts[number], *starts.values()]))
        starts[number] = min(own, after_all) if starts else firsts[number]
    if not firsts:
        return {}
    ends = [*list(starts.values())[1:], max(last, steps[max(firsts)][1])]
    number, start = next(iter(starts.items()))
    starts[number] = min(start, steps[number][0])
    return {number: (start, end) for (number, start), end in zip(starts.items(), ends)}


def ledger_of(windows, spans):
    ledger = dict.fromkeys(CLASSES, 0) | {"idle": 0}
    for first, until in windows.values():
        for time in range(first, until):
            running = {row for row, start, end, _ in spans if start <= time < end}
            ledger[next((row for row in CLASSES if row in running), "idle")] += 1
    return ledger


def covered(spans, windows, *classes):
    return sum(any(start <= time < end and row in classes for row, start, end, _ in spans)
               for first, until in windows.values() for time in range(first, until))


@pytest.mark.parametrize("seed", two_tiers(range(40), range(10).__contains__))
def test_the_ledger_of_random_work_equals_the_grids(report, seed):
    steps, spans = scenario(seed)
    windows = windows_of(steps, spans)
    if not windows:
        return
    result = report(trace_of(steps, spans))
    assert [(step["step"], step["duration_ns"]) for step in result["steps"]["list"]] == [
        (number, 1_000 * (end - start)) for number, (start, end) in sorted(windows.items())]
    found = rows(result)
    idle = sum(us for row, us in found.items() if row.startswith("idle"))
    expected = ledger_of(windows, spans)
    assert {row: found.get(row, 0) for row in CLASSES} | {"idle": idle} == expected
    comm, compute = covered(spans, windows, "exposed_comm_unsplit"), covered(spans, windows, "compute")
    assert result["overlap"]["comm_ns"] == 1_000 * comm
    assert result["overlap"]["compute_ns"] == 1_000 * compute
    assert result["overlap"]["hidden_comm_ns"] == 1_000 * (
        comm + compute - covered(spans, windows, "exposed_comm_unsplit", "compute"))


GROUPS = {"tp0": (0, 1), "tp1": (2, 3), "all": (0, 1, 2, 3)}


def collectives(seed):
    """[(group, {rank: (start, end)})]: collectives of one group never overlap, those of two groups may."""
    draw = random.Random(seed)
    found = []
    for group, members in GROUPS.items():
        now = 300
        for _ in range(6):
            first, now = now + draw.randint(1, 50), now + 250
            found.append((group, {rank: (first + draw.randint(0, 80), now + draw.randint(0, 9)) for rank in members}))
            now += 60
    kernels = {rank: [(start, start + draw.randint(1, 60)) for start in range(200, 2_000, 90)] for rank in range(4)}
    return found, kernels


def ready(spans, rank):
    end = spans[rank][1]
    shortest = min(stop - start for start, stop in spans.values())
    return max(end - shortest, *(other for other, _ in spans.values() if other < end))


def split_on_the_grid(rank, found, kernels):
    sums = dict.fromkeys(("compute", "exposed_comm_transfer", "exposed_comm_wait"), 0)
    for time in range(100, 4_000):
        running = [spans for _, spans in found if rank in spans and spans[rank][0] <= time < spans[rank][1]]
        if any(start <= time < end for start, end in kernels[rank]):
            sums["compute"] += 1
        elif any(ready(spans, rank) <= time for spans in running):
            sums["exposed_comm_transfer"] += 1
        elif running:
            sums["exposed_comm_wait"] += 1
    return sums


@pytest.mark.parametrize("seed", two_tiers(range(20), range(5).__contains__))
def test_the_waits_of_random_collectives_equal_the_grids(report, seed):
    found, kernels = collectives(seed)
    traces = [Trace(rank, 4) for rank in range(4)]
    for rank, trace in enumerate(traces):
        trace.step(1, 0, 10_000)
        for start, end in kernels[rank]:
            trace.kernel(start, end)
        for group, spans in found:
            if rank in spans:
                stream = 20 + list(GROUPS).index(group)
                trace.collective(*spans[rank], "allreduce", 1_000, GROUPS[group], group, stream=stream)
    result = report(*traces)
    for rank in range(4):
        expected = split_on_the_grid(rank, found, kernels)
        assert {row: rows(result, rank).get(row, 0) for row in expected} == expected
    for group in GROUPS:
        waits = sum(ready(spans, rank) - spans[rank][0] for name, spans in found if name == group for rank in spans)
        assert line_of(result, "all_reduce", group)["wait_ns"] == 1_000 * waits
    blamed = sum(entry["blamed_ns"] for entry in result["stragglers"]["ranks"])
    assert blamed == pytest.approx(sum(line["wait_ns"] for line in result["collectives"]), abs=100)
