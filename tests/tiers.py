"""The two tiers of tests (CONTRIBUTING.md, Tests): what every run runs, and what only `scripts/test --full` does.

A matrix of like cases keeps a few of them in every run, at least one of each kind; the others carry the mark `full`.
"""

import pytest


def two_tiers(cases, in_every_run):
    """The cases as parameters for pytest: those for which in_every_run(case) is false carry the mark `full`."""
    return [case if in_every_run(case) else as_full(case) for case in cases]


def as_full(case):
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.full)
