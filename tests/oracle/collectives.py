"""Arrivals, waits and bandwidths of collectives."""

from fractions import Fraction

from oracle import intervals, samples

TYPE_BYTES = {"float16": 2, "bfloat16": 2, "float32": 4}
ALL_PAIRS = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all")


def ready(collective, part):
    """None where a member is not recorded."""
    if len(collective.parts) < members(collective):
        return None
    return max(other.arrival for other in collective.parts if other.arrival < part.end)


def members(collective):
    return 2 if collective.op == "send_receive" else collective.ranks


def size_bytes(collective):
    plain = collective.count * TYPE_BYTES[collective.dtype]
    return plain * collective.ranks if collective.op in ("all_gather", "reduce_scatter", "all_to_all") else plain


def bus_factor(collective):
    n = collective.ranks
    if collective.op == "all_reduce":
        return Fraction(2 * (n - 1), n)
    if collective.op in ("all_gather", "reduce_scatter", "all_to_all"):
        return Fraction(n - 1, n)
    return Fraction(1)


def rows(job):
    groups = {}
    for collective in job.collectives.values():
        if not any(part.is_analysed for part in collective.parts):
            continue
        key = (collective.comm, collective.op, collective.dtype, size_bytes(collective))
        groups.setdefault(key, []).append(collective)
    exposed = exposed_by_collective(job)
    return [_row(key, groups[key], exposed) for key in sorted(groups)]


def _row(key, group, exposed):
    comm, op, dtype, size = key
    splits = [split for collective in group for split in _splits(collective)]
    times = [samples.mean([part.end - part.arrival for part in collective.parts]) for collective in group]
    factor = bus_factor(group[0])
    bandwidth = samples.ratio(size, samples.mean(times))
    complete = [collective for collective in group if len(collective.parts) == members(collective)]
    shortest = [min(part.end - part.arrival for part in collective.parts) for collective in complete]
    has_transfer = op in ALL_PAIRS and complete
    return {
        "comm": comm, "op": op, "dtype": dtype, "size_bytes": size, "count": len(group),
        "algbw_gb_per_s": bandwidth,
        "busbw_gb_per_s": bandwidth * factor,
        "busbw_transfer_gb_per_s": samples.ratio(size * factor, samples.mean(shortest)) if has_transfer else None,
        "wait_ns": sum(wait for wait, _ in splits) if splits else None,
        "transfer_ns": sum(transfer for _, transfer in splits) if splits else None,
        "skew_ns": sum(_skew(collective) for collective in complete) if complete else None,
        "exposed_ns": sum(exposed[collective.id] for collective in group),
    }


def _splits(collective):
    for part in collective.parts:
        at = ready(collective, part)
        if at is not None:
            yield at - part.arrival, part.end - at


def _skew(collective):
    arrivals = [part.arrival for part in collective.parts]
    return max(arrivals) - min(arrivals)


def exposed_by_collective(job):
    exposed = {collective: 0 for collective in job.collectives}
    for rank in job.logged_ranks():
        compute = [(span.start, span.end) for span in rank.spans if span.cls == "compute"]
        for span in rank.spans:
            if span.collective is not None:
                own = [(span.start, span.end)]
                near = intervals.clip(compute, own[0])
                exposed[span.collective] += intervals.length(own) - intervals.overlap(own, near)
    return exposed
