"""Faults in the spans of one process: the order in a stream, submission, the device's clock, graphs."""

from __future__ import annotations

import collections
import itertools

from .model import Process, Span

WANDER_NS = 3000  # how far a device's clock may be from the host's, as configured by default


def described(process: Process, span: Span) -> str:
    return f"{process.file}: span {span.id} ({span.kind} {span.name} on device {span.device} stream {span.stream})"


def span_faults(process: Process, wander_ns: int = WANDER_NS):
    """Yields a line for every fault."""
    yield from interval_faults(process)
    yield from stream_order_faults(process)
    yield from clock_faults(process, wander_ns)
    yield from graph_faults(process)


def interval_faults(process):
    for span in process.spans:
        if span.start < span.submitted:
            yield f"{described(process, span)} starts {span.submitted - span.start} ns before its submission"
        if span.end < span.start:
            yield f"{described(process, span)} ends {span.start - span.end} ns before its start"
    repeated = [number for number, count in collections.Counter(span.id for span in process.spans).items() if count > 1]
    if repeated:
        yield f"{process.file}: span {repeated[0]} is there more than once"


def stream_order_faults(process):
    """Spans of a stream follow each other in the order of submission. The nodes of a graph may overlap, so the graph's
    own span stands for them."""
    streams = collections.defaultdict(list)
    for span in process.spans:
        if not span.graph_node:
            streams[span.device, span.stream].append(span)
    for spans in streams.values():
        spans.sort(key=lambda span: span.id)
        for before, after in itertools.pairwise(spans):
            if after.start < before.end:
                yield (f"{described(process, after)} starts {before.end - after.start} ns before the end of its "
                       f"predecessor {before.id}")


def clock_faults(process, wander_ns):
    instants = collections.defaultdict(set)
    for span in process.spans:
        pairs = ((span.start, span.device_start), (span.end, span.device_end))
        instants[span.device].update(pairs)
        for host, device in pairs:
            if abs(device - host) > wander_ns:
                yield f"{described(process, span)}: the device's clock is {device - host} ns from the host's"
    for device, pairs in instants.items():
        for (host, shown), (later, shown_later) in itertools.pairwise(sorted(pairs)):
            if later == host or shown_later <= shown:
                yield (f"{process.file}: the clock of device {device} is not monotone: {shown} at {host}, "
                       f"{shown_later} at {later}")


def graph_faults(process):
    """A node's span is inside the span of its graph, if the graph's launch was finished."""
    launches = {(span.graph, span.correlation): span for span in process.spans if span.kind == "graph"}
    for span in process.spans:
        launch = launches.get((span.graph, span.correlation)) if span.graph_node else None
        if launch and not launch.start <= span.start <= span.end <= launch.end:
            yield f"{described(process, span)} is not inside the span {launch.id} of its graph"
