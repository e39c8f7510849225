"""Faults in the collectives of a run: whether the ranks agree with each other.

A rank's part of an operation may start to move data once the ranks that send it data have arrived: all ranks in an
all-pairs operation, the root if the root sends, and all ranks for the root of a reduction. A rank that only sends may
go on when it has arrived itself, or wait for its receivers; NCCL may do either.
"""

from __future__ import annotations

import collections

from .model import Collective, Process

FROM_ROOT = {"Broadcast", "Bcast", "Scatter"}
TO_ROOT = {"Reduce", "Gather"}
POINT_TO_POINT = {"Send", "Recv"}


def described(part: Collective) -> str:
    return f"{part.communicator}: {part.operation} {part.sequence}"


def collective_faults(processes: list[Process]):
    """Yields a line for every fault. If a process was killed, operations may lack members."""
    someone_died = any(process.end is None for process in processes)
    yield from span_link_faults(processes)
    parts = [part for process in processes for part in process.collectives]
    yield from exchange_faults([part for part in parts if part.operation in POINT_TO_POINT], someone_died)
    operations = collections.defaultdict(list)
    for part in parts:
        if part.operation not in POINT_TO_POINT:
            operations[part.communicator, part.sequence].append(part)
    for members in operations.values():
        yield from membership_faults(members, someone_died)
        yield from agreement_faults(members)
        yield from readiness_faults(members)


def span_link_faults(processes):
    for process in processes:
        spans = {span.id: span for span in process.spans if span.kind == "collective"}
        for part in process.collectives:
            span = spans.get(part.span)
            if span is None:
                yield f"{process.file}: {described(part)} has no span {part.span}"
            elif not span.start <= part.arrival <= part.end <= span.end:
                yield f"{process.file}: {described(part)} is not inside its span {part.span}"


def membership_faults(members, someone_died):
    first = members[0]
    counts = collections.Counter(part.rank for part in members)
    for rank, count in sorted(counts.items()):
        if count > 1:
            yield f"{described(first)}: rank {rank} has it {count} times"
    missing = sorted(set(range(first.ranks)) - set(counts))
    if missing and not someone_died:
        yield f"{described(first)}: ranks {missing} of {first.ranks} do not have it"


def agreement_faults(members):
    first = members[0]
    for part in members[1:]:
        for field in ("operation", "bytes", "ranks", "peer"):
            one, other = getattr(first, field), getattr(part, field)
            if one != other:
                yield f"{described(first)}: rank {first.rank} says {field} {one}, rank {part.rank} says {other}"


def readiness_faults(members):
    whole = len({part.rank for part in members}) == members[0].ranks
    for part in members:
        yield from own_time_faults(part)
        if whole and part.ready not in possible_ready_times(part, members):
            yield (f"{described(part)}: rank {part.rank} is ready at {part.ready}, which is not the latest arrival of "
                   f"those it waits for")


def own_time_faults(part):
    if not part.arrival <= part.ready <= part.end:
        yield (f"{described(part)}: rank {part.rank} arrives at {part.arrival}, is ready at {part.ready} and ends at "
               f"{part.end}")


def possible_ready_times(part, members):
    everybody = max(member.arrival for member in members)
    if part.operation not in FROM_ROOT | TO_ROOT:
        return {everybody}
    is_root = part.rank == part.peer
    if is_root == (part.operation in FROM_ROOT):  # only sends
        return {part.arrival, everybody}
    if is_root:
        return {everybody}
    # Data may come straight from the root or through other ranks, which must have arrived too.
    root = max((member.arrival for member in members if member.rank == part.peer), default=part.arrival)
    return {time for time in (member.arrival for member in members) if time >= max(part.arrival, root)}


def exchange_faults(parts, someone_died):
    sends = {(p.communicator, p.rank, p.peer, p.sequence): p for p in parts if p.operation == "Send"}
    receives = {(p.communicator, p.peer, p.rank, p.sequence): p for p in parts if p.operation == "Recv"}
    if len(sends) + len(receives) != len(parts):
        yield "a send or receive has the communicator, ranks and number of another one"
    for part in parts:
        yield from own_time_faults(part)
    for key in sorted(sends.keys() | receives.keys()):
        send, receive = sends.get(key), receives.get(key)
        if send is None or receive is None:
            if not someone_died:
                yield f"{described(send or receive)} from rank {key[1]} to rank {key[2]} has no counterpart"
        else:
            yield from pair_faults(send, receive)


def pair_faults(send, receive):
    name = f"{described(send)} from rank {send.rank} to rank {receive.rank}"
    if send.bytes != receive.bytes:
        yield f"{name}: {send.bytes} bytes are sent and {receive.bytes} received"
    both = max(send.arrival, receive.arrival)
    if receive.ready != both or send.ready not in (send.arrival, both):
        yield f"{name}: ready at {send.ready} and {receive.ready}, which is not the latest arrival of those it waits for"
