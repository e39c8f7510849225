"""Steps, phases, input and the ledger: where the time goes."""

from dataclasses import dataclass
from typing import Dict, List, Optional

from tauprof.sections.units import Nanoseconds


@dataclass
class Statistics:
    """Of one value per step."""

    mean: int
    median: int
    p95: int
    min: int
    max: int
    stddev: int


@dataclass
class Step:
    step: int
    duration_ns: Optional[Nanoseconds]
    host_duration_ns: Optional[Nanoseconds]


@dataclass
class Steps:
    unit: str
    count: int
    warmup: int
    unwanted: int
    in_gaps: int
    outside_share: float
    origin: str
    detected_by: str
    confidence: Optional[float]
    reason: Optional[str]
    duration_ns: Optional[Statistics]
    host_duration_ns: Optional[Statistics]
    samples_per_s: Optional[float]
    samples_from: Optional[str]
    tokens_per_s: Optional[float]
    tokens_from: Optional[str]
    list: List[Step]


@dataclass
class Phase:
    name: str
    derived: bool
    host_ns: Optional[Statistics]
    host_issuing_ns: Optional[Statistics]
    host_blocked_ns: Optional[Statistics]
    device_ns: Optional[Statistics]
    host_of_ranks_ns: Optional[Statistics]
    device_of_ranks_ns: Optional[Statistics]
    host_share: Optional[float]
    device_share: Optional[float]


@dataclass
class BatchRate:
    min: Optional[float]
    mean: Optional[float]
    max: Optional[float]


@dataclass
class RankInput:
    rank: int
    fetch_wait_ns: Optional[Statistics]
    copy_ns: Optional[Statistics]
    batches: int
    pattern: str
    every: Optional[int]
    short_wait_ns: Optional[Nanoseconds]
    long_wait_ns: Optional[Nanoseconds]
    long_steps: List[int]


@dataclass
class Input:
    fetch_wait_ns: Optional[Statistics]
    copy_ns: Optional[Statistics]
    batches_per_s: BatchRate
    samples_per_s: Optional[float]
    ranks: List[RankInput]


@dataclass
class Evidence:
    recorded: Optional[Nanoseconds]
    inferred: Optional[Nanoseconds]


@dataclass
class Ledger:
    """Over the analysed steps of all ranks; the rows sum to sum_ns, which equals step_ns."""

    rows: Dict[str, Optional[Nanoseconds]]
    by_phase: Dict[str, Dict[str, Optional[Nanoseconds]]]
    evidence: Dict[str, Evidence]
    sum_ns: Optional[Nanoseconds]
    step_ns: Optional[Nanoseconds]


@dataclass
class Overlap:
    overlap_fraction: Optional[float]
    overlap_efficiency: Optional[float]
    overlap_efficiency_step: Optional[float]
    comm_ns: Optional[Nanoseconds]
    compute_ns: Optional[Nanoseconds]
    hidden_comm_ns: Optional[Nanoseconds]
    exposed_comm_ns: Optional[Nanoseconds]


@dataclass
class Hta:
    """By the definitions of Holistic Trace Analysis, in its window."""

    kernel_time_us: float
    idle_time_us: float
    compute_time_us: float
    non_compute_time_us: float
    comp_comm_overlap_pctg: Optional[float]


@dataclass
class RankReport:
    rank: int
    devices: List[int]
    host: Optional[str]
    no_device_times: Optional[str]
    step_ns: Optional[Nanoseconds]
    ledger: Dict[str, Optional[Nanoseconds]]
    overlap: Overlap
    hta: Optional[Hta]
    hta_differs: Optional[str]
