"""Clocks, power, temperature and throttling."""

from dataclasses import dataclass
from typing import Dict, List, Optional

from tauprof.sections.units import Nanoseconds


@dataclass
class SensorRange:
    """Over the analysed steps, of each one's mean."""

    mean: float
    min: float
    max: float


@dataclass
class FollowedSensor:
    """The durations of the job's steps rise or fall with this sensor by more than chance."""

    sensor: str
    correlation: float
    p_adjusted: float


@dataclass
class RankTelemetry:
    rank: int
    steps: int
    sm_clock_mhz: Optional[SensorRange]
    clock_of_peers: Optional[float]
    power_w: Optional[SensorRange]
    temperature_c: Optional[SensorRange]
    throttled_steps: Optional[Dict[str, int]]
    cpu_wait_ns_per_step: Optional[Nanoseconds]
    followed: List[FollowedSensor]


@dataclass
class Telemetry:
    ranks: List[RankTelemetry]
