"""What was recorded, and how well."""

from dataclasses import dataclass
from typing import Dict, List, Optional

from tauprof.sections.units import Nanoseconds


@dataclass
class Run:
    id: Optional[str]
    ranks: int
    world_size: Optional[int]
    missing_ranks: List[int]
    hosts: int
    host_names: List[str]
    devices: List[str]
    device_count: int
    started: Optional[str]
    source: str
    command: Optional[str]
    versions: Dict[str, str]


@dataclass
class Files:
    read: int
    damaged: int
    skipped: int
    cut_short: int


@dataclass
class UnclassifiedKernel:
    name: str
    count: int
    ns: Nanoseconds


@dataclass
class RecorderCost:
    start_and_calls_ns: Optional[Nanoseconds]
    events_ns: Optional[Nanoseconds]
    cupti_ns: Optional[Nanoseconds]
    stacks_ns: Optional[Nanoseconds]
    end_ns: Optional[Nanoseconds]
    not_included: List[str]


@dataclass
class SplitCollectives:
    split: int
    by_length: int
    incomplete: int
    contradicting: int
    not_together: int
    in_graphs: int
    clocks_agree: bool


@dataclass
class NcclSplit:
    collectives: int
    compared_waits: int
    mean_difference_ns: Optional[Nanoseconds]
    most_difference_ns: Optional[Nanoseconds]


@dataclass
class ClockEvidence:
    events: int
    contradicting: int


@dataclass
class UntimedRanks:
    ranks: List[int]
    reason: str


@dataclass
class Gap:
    rank: int
    start_ns: Nanoseconds
    duration_ns: Nanoseconds
    scope: str
    reason: str


@dataclass
class Disbelief:
    what: str
    first: int
    rows: int


@dataclass
class Quality:
    events: int
    dropped: int
    dropped_by_reason: Dict[str, int]
    files: Files
    bytes: int
    lost_records: int
    lost_bytes: int
    unmatched_spans: int
    unclassified_kernels: List[UnclassifiedKernel]
    clamped_latencies: int
    profiler_ns_on_app_threads: Optional[Nanoseconds]
    profiler_cost: Optional[RecorderCost]
    steps_outside: int
    collectives: SplitCollectives
    clocks: ClockEvidence
    no_device_times: List[UntimedRanks]
    gaps: List[Gap]
    gaps_left_out: Optional[int] = None
    not_believed: Optional[List[Disbelief]] = None
    nccl_split: Optional[NcclSplit] = None


@dataclass
class ClockSegment:
    start_ns: Nanoseconds
    end_ns: Nanoseconds
    offset_ns: Nanoseconds
    drift_ppm: float
    bound_ns: Optional[Nanoseconds]
    used_offset_ns: Nanoseconds
    used_drift_ppm: float


@dataclass
class Clock:
    rank: int
    basis: str
    start_ns: Nanoseconds
    end_ns: Nanoseconds
    offset_ns: Nanoseconds
    drift_ppm: float
    bound_ns: Optional[Nanoseconds]
    used_offset_ns: Nanoseconds
    used_drift_ppm: float
    device_offset_ns: Optional[Nanoseconds]
    device_bound_ns: Optional[Nanoseconds]
    used_device_offset_ns: Nanoseconds
    segments: List[ClockSegment]
