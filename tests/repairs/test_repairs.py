"""Each repair is in the report of the job with its defect, not in that of the one without, and saves what it says."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from paired_runs import run_pair  # noqa: E402
from repair_pairs import PAIRS, REPAIRS  # noqa: E402


def test_every_repair_has_a_pair():
    assert {pair.repair for pair in PAIRS} == set(REPAIRS)


# Its saving depends on how quiet the machine is.
@pytest.mark.parametrize("pair", [pytest.param(pair, id=pair.name) for pair in PAIRS if pair.in_every_run])
def test_the_repair_is_found_where_its_defect_is(tmp_path, pair):
    assert run_pair(pair, tmp_path).misnamed() == ""


@pytest.mark.full
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_the_repair_saves_what_the_report_says(tmp_path, pair):
    assert run_pair(pair, tmp_path).fault() == ""
