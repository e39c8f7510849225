"""What the devices and the host did: efficiency, kernels, calls."""

from dataclasses import dataclass
from typing import Dict, List, Optional

from tauprof.sections.units import Nanoseconds


@dataclass
class WaterfallRow:
    name: str
    share: float


@dataclass
class Gemm:
    function: str
    m: Optional[int]
    n: Optional[int]
    k: Optional[int]
    batch: int
    type_a: Optional[str]
    type_b: Optional[str]
    transpose_a: bool
    transpose_b: bool
    precision: str
    flops: float
    count: int
    total_ns: Nanoseconds
    flops_per_s: Optional[float]
    share_of_peak: Optional[float]
    lost_ns: Optional[Nanoseconds]


@dataclass
class UncountedKernel:
    name: str
    kind: str
    count: int
    total_ns: Nanoseconds
    share: float


@dataclass
class Efficiency:
    mfu: Optional[float]
    hfu: Optional[float]
    no_mfu_because: Optional[str]
    no_hfu_because: Optional[str]
    is_lower_bound: bool
    model_flops: Optional[float]
    model_flops_from: Optional[str]
    executed_flops: Optional[float]
    executed_by_precision: Optional[Dict[str, float]]
    peak_flops: Optional[float]
    waterfall: Optional[List[WaterfallRow]]
    gemms: List[Gemm]
    uncounted: List[UncountedKernel]


@dataclass
class Call:
    function: str
    count: int
    total_ns: Nanoseconds
    mean_ns: Nanoseconds
    min_ns: Nanoseconds
    max_ns: Nanoseconds


@dataclass
class Kernel:
    name: str
    class_: str
    count: int
    total_ns: Nanoseconds
    mean_ns: Nanoseconds
    share: float


@dataclass
class SlowCall:
    where: str
    call: Optional[str]
    count: int
    total_ns: Nanoseconds
    mean_ns: Nanoseconds
    device_ns: Optional[Dict[str, Nanoseconds]]
    ranks: List[int]
