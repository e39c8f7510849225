"""The part of the devices' peak that was used: operations of matrix products, and where the rest of the time went."""

from oracle import intervals, ledger, samples, windows

PEAK_FLOPS = 400e12  # per second, as the tests give it to the program
MOST_OF_PEAK = 1.1  # a share above it shows that the peak is wrong


def report(job, ledgers):
    """`ledgers`: {rank: (totals, window ns)}"""
    measured = [_of_rank(rank) for rank in job.logged_ranks()]
    executed, gemm_ns = (sum(values) for values in zip(*measured))
    step_ns = sum(window_ns for _, window_ns in ledgers.values())
    rows = ledger.report(list(ledgers.values()))["rows"]
    shares = {row: ns / step_ns for row, ns in rows.items() if row != "compute"}
    ideal = executed / (PEAK_FLOPS / 1e9 * step_ns)
    is_believed = executed and ideal <= MOST_OF_PEAK
    if executed:
        shares["non_gemm_compute"] = (rows["compute"] - gemm_ns) / step_ns
        if is_believed:
            shares |= {"gemm_inefficiency": gemm_ns / step_ns - ideal, "recomputation": 0, "model": ideal}
        else:
            shares["gemm_compute"] = gemm_ns / step_ns
    else:
        shares["compute"] = rows["compute"] / step_ns
    return {"hfu": ideal if is_believed else None, "mfu": ideal if is_believed else None, "peak_flops": PEAK_FLOPS,
            "executed_flops": samples.ratio(executed, len(windows.durations(job))) if executed else None,
            "waterfall": [{"name": name, "share": share} for name, share in shares.items()]}


def _of_rank(rank):
    """(operations, time in which a multiplication ran)"""
    flops, gemm_ns = 0, 0
    multiplications = [span for span in rank.spans if span.call and span.call.flops]
    for window in windows.device_windows(rank).values():
        flops += sum(span.call.flops for span in multiplications if window[0] <= span.start < window[1])
        gemm_ns += intervals.length(intervals.clip([(span.start, span.end) for span in multiplications], window))
    return flops, gemm_ns
