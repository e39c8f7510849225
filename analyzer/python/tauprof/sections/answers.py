"""Who holds up the others, what a repair gives back, and the verdict."""

from dataclasses import dataclass
from typing import Dict, List, Optional, Union

from tauprof.sections.units import Nanoseconds


@dataclass
class Straggler:
    rank: int
    score: float
    slowdown: Optional[float]
    blamed_ns: Nanoseconds
    last_share: float
    lateness_ns: Nanoseconds
    cause: str
    blamed_ns_by_cause: Dict[str, Nanoseconds]
    excess_ns: Optional[Nanoseconds]
    cost_ns_per_step: Nanoseconds
    gpu_hours: float
    throttle_reasons: List[str]
    steps: List[int]
    persistent: bool
    confidence: float
    within_clock_bound: bool


@dataclass
class PublishedRules:
    mean_over_1_1: Optional[List[int]]
    z_over_2: Optional[List[int]]


@dataclass
class RankBlame:
    rank: int
    blamed_ns: Optional[Nanoseconds]
    last_share: Optional[float]
    lateness_mean_ns: Optional[Nanoseconds]
    lateness_p95_ns: Optional[Nanoseconds]
    work_ns: Optional[Nanoseconds]


@dataclass
class Stragglers:
    found: List[Straggler]
    pattern: Optional[str]
    unblamed_ns: Optional[Nanoseconds]
    rules: PublishedRules
    ranks: List[RankBlame]


@dataclass
class Verdict:
    class_: str
    title: str
    because: List[str]
    by_time: bool


@dataclass
class Explanation:
    ranks: List[int]
    t_repaired_ns: Nanoseconds
    t_alone_ns: Nanoseconds
    removed: Optional[float]
    added: Optional[float]


@dataclass
class OperationStep:
    step: int
    t_measured_ns: Nanoseconds
    t_nodelay_ns: Nanoseconds
    t_ideal_ns: Nanoseconds
    t_ideal_to_last_end_ns: Nanoseconds
    slowdown: Optional[float]
    launch_slowdown: Optional[float]
    by_op: Optional[Dict[str, Optional[float]]]
    by_dp_rank: Optional[Dict[str, Optional[float]]]
    by_stage: Optional[Dict[str, Optional[float]]]
    launch_by_op: Optional[Dict[str, Optional[float]]]
    launch_by_dp_rank: Optional[Dict[str, Optional[float]]]
    launch_by_stage: Optional[Dict[str, Optional[float]]]


@dataclass
class WhatIf:
    """The run replayed. What follows limited_to is of imported operation traces only."""

    replay_error: Optional[float]
    combined_saving_ns_per_step: Optional[Nanoseconds]
    replay_error_worst: Optional[float] = None
    reason: Optional[str] = None
    combined_contention_ns_per_step: Optional[Nanoseconds] = None
    contention_loss: Optional[float] = None
    limited_to: Optional[str] = None
    t_measured_ns: Optional[Nanoseconds] = None
    t_nodelay_ns: Optional[Nanoseconds] = None
    t_ideal_ns: Optional[Nanoseconds] = None
    t_ideal_to_last_end_ns: Optional[Nanoseconds] = None
    slowdown: Optional[float] = None
    by_rank: Optional[Dict[str, Optional[float]]] = None
    by_op: Optional[Dict[str, Optional[float]]] = None
    by_dp_rank: Optional[Dict[str, Optional[float]]] = None
    by_stage: Optional[Dict[str, Optional[float]]] = None
    m_w: Optional[float] = None
    m_s: Optional[float] = None
    m_w_detail: Optional[Explanation] = None
    m_s_detail: Optional[Explanation] = None
    launch_slowdown: Optional[float] = None
    launch_by_op: Optional[Dict[str, Optional[float]]] = None
    launch_by_dp_rank: Optional[Dict[str, Optional[float]]] = None
    launch_by_stage: Optional[Dict[str, Optional[float]]] = None
    job: Optional[Dict[str, Union[int, str]]] = None
    operations_per_step: Optional[int] = None
    dependencies: Optional[int] = None
    by_step: Optional[List[OperationStep]] = None


@dataclass
class Finding:
    id: str
    severity: str
    title: str
    evidence: str
    ranks: List[int]
    steps: List[int]
    saves_ns_per_step: Optional[Nanoseconds]
    saves_reason: Optional[str]
    replay_error: Optional[float]
    advice: str
    where: Optional[str]
    where_share: Optional[float]
