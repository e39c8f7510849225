"""The time ledger: every nanosecond of a device window in exactly one row, and in one phase."""

from oracle import collectives, idle, intervals, windows

ROWS = ("compute", "fused_comm_compute", "exposed_comm_transfer", "exposed_comm_unsplit", "exposed_comm_wait", "exposed_copy",
        "unclassified", "idle_dependency", "idle_device_latency", "idle_host_sync", "idle_host_allocation", "idle_host_launch", "idle_data_wait",
        "idle_host_stall", "idle_other")
BUSY_ROWS = (("compute", "compute"), ("fused", "fused_comm_compute"), ("comm", None), ("copy", "exposed_copy"),
             ("unclassified", "unclassified"))


def of_rank(job, rank):
    """({(row, phase): ns}, window ns) over all steps."""
    threads = idle.HostThreads(rank.process)
    totals, window_ns = {}, 0
    for window in windows.device_windows(rank).values():
        window_ns += window[1] - window[0]
        for row, phase, ns in _window_rows(job, rank, threads, window):
            totals[row, phase] = totals.get((row, phase), 0) + ns
    return totals, window_ns


def _window_rows(job, rank, threads, window):
    near = [span for span in rank.spans if span.start < window[1] and span.end > window[0]]
    splits = {id(span): _ready(job, span) for span in near if span.cls == "comm"}
    boundaries = [at for span in near for at in (span.start, span.end)]
    boundaries += [at for at in splits.values() if at is not None]
    gap_start = None
    for start, end in intervals.pieces(window, boundaries):
        running = [span for span in near if span.start <= start < span.end]
        if not running:
            gap_start = start if gap_start is None else gap_start
            ending = [span for span in rank.spans if span.start == end]
            if ending:
                span = idle.ends_gap(ending)
                for row, ns in idle.rows(threads, (gap_start, end), span):
                    yield row, span.phase, ns
                gap_start = None
            elif end == window[1]:
                yield from _rows_to_the_end(rank, threads, (gap_start, end))
            continue
        yield (*_busy_row(running, splits, start), end - start)


def _rows_to_the_end(rank, threads, gap):
    """Of a gap at the end of the last window: what ends it, if anything does, starts later."""
    start, left = gap[0], gap[1] - gap[0]
    later = min((span.start for span in rank.spans if span.start >= gap[1]), default=None)
    if later is None:
        yield from ((row, "other", ns) for row, ns in idle.rows_behind(threads, gap))
        return
    span = idle.ends_gap([span for span in rank.spans if span.start == later])
    for row, ns in idle.rows(threads, (start, later), span):
        if left > 0:
            yield row, span.phase, min(ns, left)
        left -= ns


def _busy_row(running, splits, at):
    """(row, phase) of an instant at which something runs."""
    for cls, row in BUSY_ROWS:
        deciding = [span for span in running if span.cls == cls]
        if deciding:
            phase = max(deciding, key=lambda span: span.launched).phase
            return row or _comm_row([splits[id(span)] for span in deciding], at), phase


def _comm_row(readies, at):
    if any(ready is not None and ready <= at for ready in readies):
        return "exposed_comm_transfer"
    if any(ready is None for ready in readies):
        return "exposed_comm_unsplit"
    return "exposed_comm_wait"


def _ready(job, span):
    collective = job.collectives.get(span.collective)
    if collective is None:
        return None
    part = next(part for part in collective.parts if part.rank == span.rank and part.arrival == span.start)
    return collectives.ready(collective, part)


def by_row(totals):
    return {row: sum(ns for (of_row, _), ns in totals.items() if of_row == row) for row in ROWS}


def report(ledgers):
    """The job's ledger from [(totals, window ns)] of its ranks."""
    totals = {}
    for of_one, _ in ledgers:
        for key, ns in of_one.items():
            totals[key] = totals.get(key, 0) + ns
    phases = {phase for _, phase in totals}
    by_phase = {phase: {row: totals.get((row, phase), 0) for row in ROWS} for phase in phases}
    return {"rows": by_row(totals), "by_phase": by_phase, "sum_ns": sum(totals.values()),
            "step_ns": sum(window_ns for _, window_ns in ledgers)}
