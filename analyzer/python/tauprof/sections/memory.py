"""Device memory."""

from dataclasses import dataclass
from typing import Dict, List, Optional


@dataclass
class MemoryAtStep:
    step: int
    bytes: int


@dataclass
class RankMemory:
    rank: int
    peak_bytes: Optional[int]
    is_lower_bound: bool
    by_phase: Optional[Dict[str, int]]
    growth_bytes_per_step: Optional[int]
    growth_by_phase: Optional[Dict[str, int]]
    is_growing: bool
    allocations_per_step: Optional[float]
    frees_per_step: Optional[float]
    device_bytes: Optional[int]
    share_of_device: Optional[float]
    peak_allocated_bytes: Optional[int]
    peak_reserved_bytes: Optional[int]
    unused_share: Optional[float]
    allocator_retries: Optional[int]
    in_use: List[MemoryAtStep]


@dataclass
class Memory:
    peak_bytes: Optional[int]
    by_phase: Optional[Dict[str, int]]
    ranks: List[RankMemory]
