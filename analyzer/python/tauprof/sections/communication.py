"""Collectives, messages and links."""

from dataclasses import dataclass
from typing import List, Optional

from tauprof.sections.time import Statistics
from tauprof.sections.units import Nanoseconds


@dataclass
class Collective:
    """Calls of one operation and size on one communicator; times are sums."""

    comm: str
    named: bool
    op: str
    dtype: Optional[str]
    ranks: int
    size_bytes: Optional[int]
    count: int
    untimed: int
    enqueue_ns: Optional[Statistics]
    algbw_gb_per_s: Optional[float]
    busbw_gb_per_s: Optional[float]
    busbw_transfer_gb_per_s: Optional[float]
    link_peak_gb_per_s: Optional[float]
    share_of_link_peak: Optional[float]
    wait_ns: Optional[Nanoseconds]
    wait_at_least_ns: Optional[Nanoseconds]
    wait_is_upper_bound: bool
    wait_within_clock_bound: bool
    transfer_ns: Optional[Nanoseconds]
    skew_ns: Optional[Nanoseconds]
    imbalance: Optional[float]
    imbalance_received: Optional[float]
    heaviest_receiver: Optional[int]
    exposed_ns: Optional[Nanoseconds]


@dataclass
class LinkFit:
    """Time of a collective against its size: alpha + size / beta."""

    op: str
    ranks: int
    hosts: Optional[int]
    algorithm: Optional[str]
    algorithm_evidence: Optional[str]
    steps: int
    from_bytes: int
    to_bytes: int
    sizes: int
    count: int
    alpha_us: Optional[float]
    beta_gb_per_s: Optional[float]
    r2: Optional[float]
    mean_rel_error: Optional[float]
    max_rel_error: Optional[float]
    identifiable: bool
    not_identifiable_because: Optional[str]


@dataclass
class WaitTotals:
    """Of a communicator, a phase, a rank, or all; the key that applies is set."""

    count: int
    untimed: int
    span_ns: Optional[Nanoseconds]
    wait_ns: Optional[Nanoseconds]
    transfer_ns: Optional[Nanoseconds]
    unsplit_ns: Optional[Nanoseconds]
    exposed_ns: Optional[Nanoseconds]
    exposed_wait_ns: Optional[Nanoseconds]
    wait_is_upper_bound: bool
    wait_within_clock_bound: bool
    comm: Optional[str] = None
    phase: Optional[str] = None
    rank: Optional[int] = None


@dataclass
class Communication:
    total: WaitTotals
    by_comm: List[WaitTotals]
    by_phase: List[WaitTotals]
    by_rank: List[WaitTotals]


@dataclass
class Channel:
    comm: str
    source: int
    destination: int
    count: int
    bytes: int
    source_wait_ns: Optional[Nanoseconds]
    destination_wait_ns: Optional[Nanoseconds]
    transfer_ns: Optional[Nanoseconds]


@dataclass
class Stage:
    rank: int
    compute_ns: Nanoseconds
    wait_previous_ns: Nanoseconds
    wait_next_ns: Nanoseconds
    caused_ns: Nanoseconds
    bubble: float


@dataclass
class Pipeline:
    stages: List[Stage]
    critical_rank: int
    most_waited_for: Optional[int]
    imbalance: float
    bubble: float
    ideal_bubble: Optional[float]
    messages_per_step: float


@dataclass
class Messages:
    channels: List[Channel]
    pipelines: List[Pipeline]


@dataclass
class KeptWeights:
    """What keeping gathered weights between the passes would take and spare."""

    more_bytes: int
    share_of_device: Optional[float]
    fits: Optional[bool]
    gone_ns: Nanoseconds
    gone_exposed_ns: Nanoseconds


@dataclass
class ShardingBalance:
    gather_ns: Nanoseconds
    compute_ns: Nanoseconds
    gathers_over_compute: float
    if_weights_were_kept: Optional[KeptWeights]


@dataclass
class ParallelGroups:
    """Communicators that serve one purpose; times, calls and bytes per rank and step."""

    kind: str
    evidence: str
    sequences: bool
    sharding: Optional[str]
    ranks: int
    groups: int
    comms: List[str]
    calls_per_step: float
    bytes_per_step: Optional[int]
    span_ns_per_step: Nanoseconds
    wait_ns_per_step: Nanoseconds
    exposed_ns_per_step: Nanoseconds
    share_of_step: float
    exposed_share: float
    balance: Optional[ShardingBalance]
