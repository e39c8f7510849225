"""Overlap of computation and communication, by each of the definitions."""

from oracle import intervals, samples, windows


def of_window(rank, window):
    compute = _class(rank, "compute", window)
    comm = _class(rank, "comm", window)
    return {"compute": intervals.length(compute), "comm": intervals.length(comm),
            "both": intervals.length(compute + comm), "step": window[1] - window[0]}


def _class(rank, cls, window):
    return intervals.clip([(span.start, span.end) for span in rank.spans if span.cls == cls], window)


def of_rank(rank):
    return [of_window(rank, window) for window in windows.device_windows(rank).values()]


def report(measured):
    """`measured`: the windows of one rank or of all."""
    comm = sum(window["comm"] for window in measured)
    hidden = sum(window["compute"] + window["comm"] - window["both"] for window in measured)
    smaller = sum(min(window["compute"], window["comm"]) for window in measured)
    late = sum(window["both"] - max(window["compute"], window["comm"]) for window in measured)
    late_step = sum(window["step"] - max(window["compute"], window["comm"]) for window in measured)
    return {
        "overlap_fraction": samples.ratio(hidden, comm),
        "overlap_efficiency": 1 - samples.ratio(late, smaller) if smaller else None,
        "overlap_efficiency_step": 1 - samples.ratio(late_step, smaller) if smaller else None,
        "comm_ns": comm,
        "compute_ns": sum(window["compute"] for window in measured),
        "hidden_comm_ns": hidden,
        "exposed_comm_ns": comm - hidden,
    }
