"""The fixture of tests of scenarios: see scenario_runs.py."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from scenario_runs import ScenarioRuns, python_with_torch  # noqa: E402
from scenario_table import scenario  # noqa: E402


@pytest.fixture(scope="session")
def runs_of(tmp_path_factory):
    """runs_of(name, *windows): the runs of that scenario, made on first use; then these windows are recorded, too."""
    python_with_torch()
    made = {}

    def of(name, *windows):
        if name not in made:
            made[name] = ScenarioRuns(scenario(name), tmp_path_factory.mktemp(name), windows)
        return made[name]

    return of
