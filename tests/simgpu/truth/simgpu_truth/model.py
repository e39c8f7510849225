"""The contents of a truth file, with a dataclass for each kind of line. Times are nanoseconds of CLOCK_MONOTONIC."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Optional


@dataclass(frozen=True, slots=True)
class CallSite:
    """The n-th call (from 1) of a function on a thread."""
    thread: int
    function: str
    nth: int


@dataclass(frozen=True, slots=True)
class Span:
    id: int
    kind: str
    name: str
    device: int
    context: int
    stream: int
    correlation: int
    call: CallSite
    submitted: int
    start: int
    end: int
    device_start: int
    device_end: int
    bytes: int
    detail: str
    graph: int
    graph_node: int


@dataclass(frozen=True, slots=True)
class Collective:
    span: int
    communicator: str
    rank: int
    ranks: int
    sequence: int
    operation: str
    peer: int
    bytes: int
    arrival: int
    ready: int
    end: int
    call: CallSite


@dataclass(frozen=True, slots=True)
class Announcement:
    what: str
    index: int
    begins: bool
    thread: int
    time: int


@dataclass(frozen=True, slots=True)
class InjectionStrike:
    what: str
    device: int
    start: int
    end: int


@dataclass(slots=True)
class Process:
    """A truth file. `end` is None if the process did not exit in order."""
    file: str
    pid: int = -1
    rank: int = -1
    host: str = ""
    start: int = 0
    end: Optional[int] = None
    spans: list[Span] = field(default_factory=list)
    collectives: list[Collective] = field(default_factory=list)
    announcements: list[Announcement] = field(default_factory=list)
    injections: list[InjectionStrike] = field(default_factory=list)
