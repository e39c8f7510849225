"""The sections of tauprof's report as types. docs/metrics.md of the project says what each number means.

Names are the report's own keys, with an underscore where Python has the word (`class_`). Times are integer nanoseconds
(_ns) on the run's clock, shares are fractions; None is what the report gives as null, "not defined here", or leaves out
in this kind of report.
"""

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

from tauprof.sections.answers import Finding, Stragglers, Verdict, WhatIf
from tauprof.sections.communication import Collective, Communication, LinkFit, Messages, ParallelGroups
from tauprof.sections.memory import Memory
from tauprof.sections.progress import Mismatch, Progress
from tauprof.sections.run import Clock, Quality, Run
from tauprof.sections.telemetry import Telemetry
from tauprof.sections.time import Input, Ledger, Overlap, Phase, RankReport, Steps
from tauprof.sections.work import Call, Efficiency, Kernel, SlowCall


@dataclass
class Sections:
    """The whole report. The sections with a default are absent from the report of an imported operation trace."""

    schema: str
    run: Run
    quality: Quality
    steps: Steps
    whatif: WhatIf
    findings: List[Finding]
    settings: Optional[Dict[str, Dict[str, Any]]] = None
    phases: List[Phase] = field(default_factory=list)
    input: Optional[Input] = None
    ledger: Optional[Ledger] = None
    overlap: Optional[Overlap] = None
    collectives: List[Collective] = field(default_factory=list)
    alpha_beta: List[LinkFit] = field(default_factory=list)
    communication: Optional[Communication] = None
    messages: Optional[Messages] = None
    parallelism: List[ParallelGroups] = field(default_factory=list)
    stragglers: Optional[Stragglers] = None
    efficiency: Optional[Efficiency] = None
    memory: Optional[Memory] = None
    telemetry: Optional[Telemetry] = None
    calls: List[Call] = field(default_factory=list)
    kernels: List[Kernel] = field(default_factory=list)
    slow_calls: List[SlowCall] = field(default_factory=list)
    clock: List[Clock] = field(default_factory=list)
    progress: Optional[Progress] = None
    mismatches: List[Mismatch] = field(default_factory=list)
    per_rank: List[RankReport] = field(default_factory=list)
    verdict: Optional[Verdict] = None
