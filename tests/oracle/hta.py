"""HolisticTraceAnalysis's temporal breakdown, by its own definitions and in its own window.

Its times are whole microseconds of the log's own clock. Starts are rounded up and ends down, so a span within one
microsecond has a length of -1.
"""

from fractions import Fraction


def of_rank(rank):
    spans = _in_window(rank)
    if not spans:
        return None
    everything = _merged(spans, rank)
    compute = _merged([span for span in spans if _kind(span.name) == "compute"], rank)
    comm = _merged([span for span in spans if _kind(span.name) == "comm"], rank)
    kernel_time = everything[-1][1] - everything[0][0]
    idle = kernel_time - _length(everything)
    return {
        "kernel_time_us": kernel_time, "idle_time_us": idle, "compute_time_us": _length(compute),
        "non_compute_time_us": kernel_time - idle - _length(compute),
        "comp_comm_overlap_pctg": _percentage(_overlap(compute, comm), _length(comm)),
    }


def _in_window(rank):
    """All spans with fewer than two ProfilerSteps; otherwise those launched by a recorded call before the last one."""
    steps = sorted(range_.start for range_ in rank.process.ranges if range_.name.startswith("ProfilerStep#"))
    if len(steps) < 2:
        return rank.spans
    last = _up(steps[-1] + rank.clock_offset_ns)
    return [span for span in rank.spans
            if span.call is not None and _up(span.call.start + rank.clock_offset_ns) < last]


def _up(ns):
    return -(-ns // 1000)


def _kind(name):
    if name.startswith(("nccl", "hip", "hccl")) or "ncclKernel" in name:
        return "comm"
    if name.startswith(("Memcpy", "Memset", "dma", "Stream Wait Event")) or name.endswith(("Sync", "Synchronize")):
        return "neither"
    return "compute"


def _merged(spans, rank):
    """A new group starts where a span starts after all ends so far."""
    groups = []
    for span in sorted(spans, key=lambda span: span.start):
        start, end = _up(span.start + rank.clock_offset_ns), (span.end + rank.clock_offset_ns) // 1000
        if groups and start <= groups[-1][1]:
            groups[-1] = (groups[-1][0], max(groups[-1][1], end))
        else:
            groups.append((start, end))
    return groups


def _length(groups):
    return sum(end - start for start, end in groups)


def _overlap(first, second):
    shared = [min(a[1], b[1]) - max(a[0], b[0]) for a in first for b in second if a[0] < b[1] and b[0] < a[1]]
    return sum(length for length in shared if length > 0)


def _percentage(part, whole):
    """In per cent, rounded to hundredths."""
    return Fraction(round(Fraction(10_000 * part, whole)), 100) if whole > 0 else None
