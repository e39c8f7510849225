"""The limits that collectives set on a clock, by brute force: each pair of members alone, each corner tried.

A clock's error is a straight line; a correct clock's line is zero. A collective proves that one member ended no earlier
than another started: start_j + line_j(start_j) <= end_i + line_i(end_i). The first rank's line is zero. The other lines
are narrowed down, pair by pair, until nothing changes.
"""

from itertools import combinations

MOST_DRIFT = 200e-6  # of one clock against another
FAR_NS = 1e10  # stands for "no limit known"
ROUNDING_NS = 2  # times in a log are whole nanoseconds
SETTLED_NS = 1

ALL_PAIRS = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all")


def proofs(job):
    """(rank that ends, its end, rank that starts, its start), in true time."""
    for collective in job.collectives.values():
        for i in collective.parts:
            for j in collective.parts:
                if i is not j and _proves(collective, i, j):
                    yield i.rank, i.end, j.rank, j.arrival


def _proves(collective, i, j):
    if collective.op in ALL_PAIRS:
        return True
    if collective.op in ("broadcast", "send_receive"):
        return j.rank == collective.root
    return False


def true_time(rank, local, start):
    """The true time at which the rank's log says `local`; the offset holds exactly at `start`."""
    return start + (local - rank.clock_offset_ns - start) / (1 + rank.clock_drift_ppb / 1e9)


def offset(rank, reference, time, start):
    """How far the rank's clock is ahead of the reference's at a true time."""
    return (rank.clock_offset_ns - reference.clock_offset_ns +
            (time - start) * (rank.clock_drift_ppb - reference.clock_drift_ppb) / 1e9)


class Limits:
    """The possible error lines of a clock, as half-planes over (value at `first`, value at `last`)."""

    def __init__(self, first, last, drift):
        self.first, self.last = first, last
        length = last - first
        self.planes = [((-1, 1), length * (MOST_DRIFT - drift)), ((1, -1), length * (MOST_DRIFT + drift)),
                       ((1, 0), FAR_NS), ((-1, 0), FAR_NS), ((0, 1), FAR_NS), ((0, -1), FAR_NS)]
        self.corners = self._corners()

    def _weights(self, time):
        part = (time - self.first) / (self.last - self.first)
        return 1 - part, part

    def lowest(self, time):
        a, b = self._weights(time)
        return min(a * x + b * y for x, y in self.corners)

    def highest(self, time):
        a, b = self._weights(time)
        return max(a * x + b * y for x, y in self.corners)

    def require(self, time, most, sign):
        """Adds sign * line(time) <= most. Returns whether that says anything new."""
        a, b = self._weights(time)
        plane = (sign * a, sign * b), most
        if max(plane[0][0] * x + plane[0][1] * y for x, y in self.corners) <= most + SETTLED_NS:
            return False
        self.planes.append(plane)
        return True

    def settle(self):
        """Recomputes the corners and keeps only the half-planes that touch one."""
        self.corners = self._corners()
        self.planes = [((a, b), limit) for (a, b), limit in self.planes
                       if any(a * x + b * y > limit - 1e-3 for x, y in self.corners)]

    def _corners(self):
        found = []
        for ((a, b), limit), ((c, d), other) in combinations(self.planes, 2):
            determinant = a * d - b * c
            if abs(determinant) < 1e-15:
                continue
            x, y = (limit * d - b * other) / determinant, (a * other - limit * c) / determinant
            if all(p * x + q * y <= most + 1e-4 for (p, q), most in self.planes):
                found.append((x, y))
        return found


class _Reference:
    """The clock that all others are compared with."""

    def lowest(self, _):
        return 0

    highest = lowest


def limits(job, first, last):
    """The possible error of every rank's clock over true times from `first` to `last`, which must span the job."""
    ranks = job.logged_ranks()
    reference = ranks[0]
    owners = {rank.rank: _owner(rank, ranks) for rank in ranks}
    of_clock = {rank: _Reference() if rank == reference.rank else Limits(first, last, _drift(job.ranks[rank], reference))
                for rank in set(owners.values())}
    pairs = [(owners[i], end, owners[j], start) for i, end, j, start in proofs(job)
             if i in owners and j in owners and owners[i] != owners[j]]
    changed = set(of_clock)
    while changed:
        before, changed = changed, set()
        for i, end, j, start in pairs:
            if i not in before and j not in before:
                continue
            one, other = of_clock[i], of_clock[j]
            if j != reference.rank and other.require(start, end + one.highest(end) + ROUNDING_NS - start, 1):
                changed.add(j)
            if i != reference.rank and one.require(end, end - start - other.lowest(start) + ROUNDING_NS, -1):
                changed.add(i)
        for rank in changed:
            of_clock[rank].settle()
    return {rank: of_clock[owner] for rank, owner in owners.items()}


def _owner(rank, ranks):
    """The first rank that shares its clock."""
    return next(other.rank for other in ranks if other.host == rank.host)


def _drift(rank, reference):
    return (reference.clock_drift_ppb - rank.clock_drift_ppb) / (1e9 + rank.clock_drift_ppb)


def device_bound(job, reference, rank):
    """Half of the range that collectives leave for a device's offset from another one of its host, without drift."""
    on_host = {other.rank for other in job.logged_ranks() if other.host == job.ranks[rank].host}
    nearest = {(i, j): 0 if i == j else FAR_NS for i in on_host for j in on_host}
    for i, end, j, start in proofs(job):
        if i in on_host and j in on_host:
            nearest[i, j] = min(nearest[i, j], end - start)
    for over in on_host:
        for i in on_host:
            for j in on_host:
                nearest[i, j] = min(nearest[i, j], nearest[i, over] + nearest[over, j])
    return (nearest[reference, rank] + nearest[rank, reference]) / 2


def bound(of_clock, first, last):
    """Half of the larger of the ranges at the two ends."""
    return max(of_clock.highest(time) - of_clock.lowest(time) for time in (first, last)) / 2
