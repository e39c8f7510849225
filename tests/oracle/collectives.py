"""Arrivals, waits and bandwidths of collectives."""

from fractions import Fraction

from oracle import intervals, samples

TYPE_BYTES = {"float16": 2, "bfloat16": 2, "float32": 4}
ALL_PAIRS = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all")


def ready(collective, part):
    """When the last member that the part waits for arrived, but where all need all no earlier than the shortest span
    before its end; None if a member is not recorded."""
    if len(collective.parts) < members(collective):
        return None
    arrived = max(other.arrival for other in collective.parts if other.arrival < part.end)
    if collective.op not in ALL_PAIRS:
        return arrived
    return max(arrived, part.end - min(other.end - other.arrival for other in collective.parts))


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
        "wait_at_least_ns": _least_wait(group) if op in ALL_PAIRS else None,
        "transfer_ns": sum(transfer for _, transfer in splits) if splits else None,
        "skew_ns": sum(_skew(collective) for collective in complete) if complete else None,
        "exposed_ns": sum(exposed[collective.id] for collective in group),
    }


def _least_wait(group):
    """Of what cannot be split: until the last known arrival, and what is longer than the shortest span of that size."""
    shortest = min(part.end - part.arrival for collective in group for part in collective.parts)
    least = [max(part.end - part.arrival - shortest,
                 max(other.arrival for other in collective.parts if other.arrival < part.end) - part.arrival)
             for collective in group if len(collective.parts) < members(collective) for part in collective.parts]
    return sum(least) if least else None


def _splits(collective):
    for part in collective.parts:
        at = ready(collective, part)
        if at is not None:
            yield at - part.arrival, part.end - at


def _skew(collective):
    arrivals = [part.arrival for part in collective.parts]
    return max(arrivals) - min(arrivals)


def communication(job):
    """Sums over whole units, by communicator, phase and rank."""
    units = [(collective, part) for collective in job.collectives.values() for part in collective.parts
             if part.is_analysed]
    spans = {(span.collective, rank.rank): span for rank in job.logged_ranks() for span in rank.spans
             if span.collective is not None}
    times = [(collective.comm, spans[collective.id, part.rank].phase, part.rank,
              _unit_times(job.ranks[part.rank], collective, part)) for collective, part in units]
    return {
        "total": _summed(unit for *_, unit in times),
        "by_comm": [{"comm": comm, **_summed(unit for name, _, _, unit in times if name == comm)}
                    for comm in sorted({name for name, *_ in times})],
        "by_phase": [{"phase": phase, **_summed(unit for _, name, _, unit in times if name == phase)}
                     for phase in sorted({name for _, name, *_ in times})],
        "by_rank": [{"rank": rank.rank, **_summed(unit for _, _, number, unit in times if number == rank.rank)}
                    for rank in job.logged_ranks()],
    }


UNIT_TIMES = ("span_ns", "wait_ns", "transfer_ns", "unsplit_ns", "exposed_ns", "exposed_wait_ns")


def _unit_times(rank, collective, part):
    compute = [(span.start, span.end) for span in rank.spans if span.cls in ("compute", "fused")]

    def exposed(start, end):
        return end - start - intervals.overlap([(start, end)], intervals.clip(compute, (start, end)))

    at = ready(collective, part)
    span = part.end - part.arrival
    wait = at - part.arrival if at is not None else 0
    return {"span_ns": span, "wait_ns": wait, "transfer_ns": span - wait if at is not None else 0,
            "unsplit_ns": span if at is None else 0, "exposed_ns": exposed(part.arrival, part.end),
            "exposed_wait_ns": exposed(part.arrival, part.arrival + wait) if wait else 0}


def _summed(units):
    units = list(units)
    return {"count": len(units), **{name: sum(unit[name] for unit in units) for name in UNIT_TIMES}}


def channels(job):
    """Messages recorded on both sides, by sender and receiver."""
    groups = {}
    for collective in job.collectives.values():
        if collective.op == "send_receive" and len(collective.parts) == 2 and any(
                part.is_analysed for part in collective.parts):
            source, destination = sorted(collective.parts, key=lambda part: part.rank != collective.root)
            groups.setdefault((collective.comm, source.rank, destination.rank), []).append(
                (collective, source, destination))
    return [_channel(key, groups[key]) for key in sorted(groups)]


def _channel(key, messages):
    def waited(which):
        return sum(ready(message[0], message[which]) - message[which].arrival for message in messages)

    comm, source, destination = key
    spans = sum(receiver.end - receiver.arrival for _, _, receiver in messages)
    return {"comm": comm, "source": source, "destination": destination, "count": len(messages),
            "bytes": sum(size_bytes(collective) for collective, *_ in messages),
            "source_wait_ns": waited(1), "destination_wait_ns": waited(2), "transfer_ns": spans - waited(2)}


def exposed_by_collective(job):
    exposed = {collective: 0 for collective in job.collectives}
    for rank in job.logged_ranks():
        compute = [(span.start, span.end) for span in rank.spans if span.cls in ("compute", "fused")]
        for span in rank.spans:
            if span.collective is not None:
                own = [(span.start, span.end)]
                near = intervals.clip(compute, own[0])
                exposed[span.collective] += intervals.length(own) - intervals.overlap(own, near)
    return exposed
