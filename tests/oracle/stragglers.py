"""Which ranks make the others wait: blame, lateness, last arrivals, and the two work-time rules."""

from fractions import Fraction

from oracle import collectives, samples, windows


def report(job, ledgers):
    """`ledgers`: {rank: (totals, window ns)}."""
    recorded = [collective for collective in job.collectives.values()
                if collective.ranks > 1 and len(collective.parts) == collectives.members(collective)]
    complete = [collective for collective in recorded if _is_analysed(collective)]
    blamed = blame(complete)
    steps = {rank.rank: len(windows.device_windows(rank)) for rank in job.logged_ranks()}
    work = {rank: _work_ns(*ledgers[rank]) for rank in ledgers}
    ranks = [{"rank": rank, **_lateness(rank, complete),
              "work_ns": None if work[rank] is None else Fraction(work[rank], steps[rank])} for rank in steps]
    has_messages = any(collective.op == "send_receive" for collective in complete)
    most_blamed = max(blamed, key=lambda rank: (blamed[rank], -rank), default=None)
    return {"most_blamed": None if has_messages else most_blamed,
            "unblamed_ns": None if has_messages else _starting_up(recorded),
            "blame_ns": sum(blamed.values()), "ranks": ranks, "rules": rules(work)}


def _is_analysed(collective):
    return all(part.is_analysed for part in collective.parts)


def _starting_up(recorded):
    """The least and most that starting up can have cost: all waiting in each communicator's first collective, and all
    waiting for ranks that have been late at every collective since, because they may still be behind."""
    least = most = Fraction(0)
    behind = {}  # communicator: ranks
    for collective in sorted(recorded, key=lambda one: (one.comm, one.sequence)):
        blamed = blame([collective])
        late = {rank for rank, ns in blamed.items() if ns > 0}
        is_first = collective.sequence == 1
        behind[collective.comm] = late if is_first else late & behind.get(collective.comm, set())
        if not _is_analysed(collective):
            continue
        least += sum(blamed.values()) if is_first else 0
        most += sum(blamed[rank] for rank in behind[collective.comm])
    return [least, most]


def blame(complete):
    """Each slice of a member's wait is divided equally among the ranks that have not yet arrived. What lasts beyond all
    arrivals is the fault of the member with the shortest span, which came last."""
    blamed = {}
    for collective in complete:
        arrivals = sorted({part.arrival for part in collective.parts})
        last = min(collective.parts, key=lambda part: (part.end - part.arrival, -part.arrival))
        for part in collective.parts:
            end = collectives.ready(collective, part)
            hidden = end - max(at for at in arrivals if at <= end)
            if hidden > 0:
                blamed[last.rank] = blamed.get(last.rank, 0) + hidden
            for start, stop in zip(arrivals, arrivals[1:]):
                if start < part.arrival or stop > end:
                    continue
                missing = [other.rank for other in collective.parts if other.arrival >= stop]
                for rank in missing:
                    blamed[rank] = blamed.get(rank, 0) + Fraction(stop - start, len(missing))
    return blamed


def _lateness(rank, complete):
    late, last = [], 0
    for collective in complete:
        arrivals = {part.rank: part.arrival for part in collective.parts}
        if rank not in arrivals:
            continue
        late.append(max(0, arrivals[rank] - samples.quantile(arrivals.values(), Fraction(1, 2))))
        last += all(arrivals[rank] > at for other, at in arrivals.items() if other != rank)
    return {"last_share": samples.ratio(last, len(late)), "lateness_mean_ns": samples.mean(late) if late else None,
            "lateness_p95_ns": samples.quantile(late, Fraction(95, 100)) if late else None}


def _work_ns(totals, window_ns):
    """None if the rank's waiting is unknown."""
    if any(row == "exposed_comm_unsplit" and ns > 0 for (row, _), ns in totals.items()):
        return None
    return window_ns - sum(ns for (row, _), ns in totals.items() if row == "exposed_comm_wait")


def rules(work):
    """`work`: {rank: ns}, each over the same number of steps."""
    if None in work.values():
        return {"mean_over_1_1": None, "z_over_2": None}
    mean = samples.mean(work.values())
    deviation = samples.deviation(work.values())
    over = [rank for rank in sorted(work) if 10 * work[rank] > 11 * mean]
    far = [rank for rank in sorted(work) if work[rank] - mean > 2 * deviation]
    return {"mean_over_1_1": over, "z_over_2": far if len(work) > 5 else None}
