"""The one file that a run leaves. It is whole at any time: written before the first check and after each."""

from __future__ import annotations

import collections
import json
import os

from check import LACKED, Outcome

SCHEMA = "tauprof.acceptance/1"


class ResultFile:
    def __init__(self, path, checks, settings, made_of):
        self.path = path
        self.content = {"schema": SCHEMA, "made_of": made_of, "settings": settings, "machine": None,
                        "interrupted_by": None}
        self.outcomes = {check.name: Outcome(check.name, check.claim, LACKED, ["time: not looked at"])
                         for check in checks}
        self.write()

    def write(self):
        counts = collections.Counter(outcome.outcome for outcome in self.outcomes.values())
        content = {**self.content, "counts": counts,
                   "checks": [vars(outcome) for outcome in self.outcomes.values()]}
        beside = f"{self.path}.part"
        with open(beside, "w", encoding="utf-8") as file:
            json.dump(content, file, indent=1, default=str)
            file.write("\n")
        os.replace(beside, self.path)

    def add(self, outcome):
        self.outcomes[outcome.check] = outcome
        self.write()

    def tell(self, **facts):
        self.content.update(facts)
        self.write()

    def of(self, kind):
        return [outcome for outcome in self.outcomes.values() if outcome.outcome == kind]
