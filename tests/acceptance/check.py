"""A check: what it claims, how it looks, and how long it may take. An outcome: what came of it.

    passed     everything that was expected is so
    failed     something that was expected is not so, or the check itself broke
    lacked     this machine has not what the check needs; never counts as passed
    measured   numbers for which nobody has set a bound
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable

PASSED, FAILED, LACKED, MEASURED = "passed", "failed", "lacked", "measured"
LAST_CHARACTERS = 3000


class Lacked(Exception):
    """Raised by a check: the text says what this machine lacks."""


@dataclass(frozen=True)
class Check:
    name: str
    claim: str  # a sentence that is true if the check passes
    look: Callable  # look(trial)
    timeout_s: int = 300
    needs_minutes: bool = False  # --minutes is added to the timeout
    measures: bool = False  # its outcome is "measured" where it finds nothing wrong
    is_about_time: bool = False  # other checks at the same time would change what it sees

    @property
    def runs_alone(self):
        return self.measures or self.is_about_time


@dataclass
class Outcome:
    check: str
    claim: str
    outcome: str
    why: list = field(default_factory=list)  # what is wrong or lacking, a line each
    evidence: dict = field(default_factory=dict)  # what was seen: numbers, names
    output: str = ""  # the last lines of what the programs printed
    seconds: float = 0.0


def outcome_of(check, wrong, evidence, output):
    good = MEASURED if check.measures else PASSED
    return Outcome(check.name, check.claim, FAILED if wrong else good, list(wrong), evidence,
                   output[-LAST_CHARACTERS:])


def lacking(check, why, evidence=None, output=""):
    return Outcome(check.name, check.claim, LACKED, [" ".join(why.split())], evidence or {},
                   output[-LAST_CHARACTERS:])


def failing(check, why, evidence=None, output=""):
    return Outcome(check.name, check.claim, FAILED, [why], evidence or {}, output[-LAST_CHARACTERS:])
