"""How far each rank and communicator came: hangs and mismatched calls."""

from dataclasses import dataclass
from typing import List, Optional

from tauprof.sections.units import Nanoseconds


@dataclass
class Suspect:
    rank: int
    reason: str


@dataclass
class DifferentCall:
    rank: int
    op: str
    dtype: Optional[str]
    count: int
    root: Optional[int]
    where: Optional[str]


@dataclass
class WaitingCollective:
    sequence: int
    op: str
    dtype: Optional[str]
    count: int
    root: Optional[int]
    where: Optional[str]
    waited_ns: Nanoseconds
    entered: List[int]
    not_entered: List[int]
    different: List[DifferentCall]
    members_without_log: int


@dataclass
class CommunicatorState:
    comm: str
    size: int
    ranks: List[int]
    completed_by_all: Optional[int]
    furthest: int
    stuck: bool
    waiting: Optional[WaitingCollective]


@dataclass
class MessageSide:
    count: int
    dtype: Optional[str]
    where: Optional[str]


@dataclass
class WaitingMessage:
    comm: str
    source: Optional[int]
    destination: Optional[int]
    waited_ns: Nanoseconds
    send: Optional[MessageSide]
    recv: Optional[MessageSide]


@dataclass
class RankWait:
    rank: int
    for_: int
    comm: str
    op: str
    sequence: int


@dataclass
class PendingMessage:
    op: str
    peer: int


@dataclass
class RankState:
    rank: int
    log_ended: bool
    silent: bool
    silent_for_ns: Nanoseconds
    call: Optional[str]
    in_call: bool
    doing_for_ns: Optional[Nanoseconds]
    where: Optional[str]
    thread: Optional[str]
    phase: str
    step: Optional[int]
    pending_messages: List[PendingMessage]


@dataclass
class Progress:
    state: str
    suspects: List[Suspect]
    communicators: List[CommunicatorState]
    messages: List[WaitingMessage]
    inside_nccl: List[int]
    deadlocks: List[List[RankWait]]
    ranks: List[RankState]


@dataclass
class MismatchedCall:
    op: str
    dtype: Optional[str]
    count: int
    root: Optional[int]


@dataclass
class Mismatch:
    comm: str
    rank: int
    what: str
    first_sequence: int
    count: int
    called: Optional[MismatchedCall]
    peers_called: Optional[MismatchedCall]
    peer: int
    where: Optional[str]
