"""Repeats the tests of this folder and writes the fault table: see faults.py and scripts/stress."""

import pathlib
import random
import sys
from collections import Counter

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "capture")]

from fault_table import FaultTable  # noqa: E402
from recorded_run import Recorder  # noqa: E402

# The table; {title: s spent on it by this process}; how many faults are tried.
TABLE, SPENT, FAULTS = pytest.StashKey(), pytest.StashKey(), pytest.StashKey()


def pytest_addoption(parser):
    parser.addoption("--times", type=int, default=1, help="run each fault this many times")
    parser.addoption("--minutes", type=float, help="share this time equally among the faults")
    parser.addoption("--seed", type=int, default=0, help="of the random moments at which faults happen")
    parser.addoption("--write-table", type=pathlib.Path, help="write the table into this document")
    parser.addoption("--keep-others", action="store_true", help="rows of faults that are not tried stay as they are")


def pytest_configure(config):
    config.addinivalue_line("markers", "fault(title, loses, says): one line of the table in docs/reliability.md")
    config.stash[TABLE] = FaultTable()
    config.stash[SPENT] = Counter()


def pytest_generate_tests(metafunc):
    times = metafunc.config.getoption("times")
    if times > 1 and next(metafunc.definition.iter_markers("fault"), None):
        metafunc.fixturenames.append("repetition")
        metafunc.parametrize("repetition", range(times))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    for item in items:
        if row := row_of(item):
            config.stash[TABLE].add(row, item.location[:2])
    # All faults in turn, so that each has had as many turns as the others whenever the time is up.
    items.sort(key=lambda item: item.callspec.params.get("repetition", 0) if hasattr(item, "callspec") else 0)


def pytest_collection_finish(session):
    session.config.stash[FAULTS] = len({row["title"] for row in map(row_of, session.items) if row})


def row_of(item):
    mark = item.get_closest_marker("fault")
    return mark and mark.kwargs


def pytest_runtest_setup(item):
    minutes, row = item.config.getoption("minutes"), row_of(item)
    if minutes and row:
        share_s = minutes * 60 / item.config.stash[FAULTS]
        if item.config.stash[SPENT][row["title"]] > share_s:
            pytest.skip("the share of this fault is used up")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    report = (yield).get_result()
    if row := row_of(item):
        report.fault = row  # goes with the report to the process that writes the table
        item.config.stash[SPENT][row["title"]] += report.duration


def pytest_sessionstart(session):
    session.config.pluginmanager.register(Counts(session.config.stash[TABLE]))


class Counts:
    """Counts what was tried, also by other processes (pytest-xdist)."""

    def __init__(self, table):
        self.table = table

    def pytest_runtest_logreport(self, report):
        row = getattr(report, "fault", None)
        if row:
            self.table.add(row, report.location[:2])
            if report.when == "call" and not report.skipped:
                self.table.count(row["title"], report.passed)


def pytest_sessionfinish(session):
    document = session.config.getoption("write_table")
    if document and not hasattr(session.config, "workerinput"):
        session.config.stash[TABLE].write(document, session.config.getoption("keep_others"))


@pytest.fixture
def table(request):
    return request.config.stash[TABLE]


@pytest.fixture
def recorder(tmp_path):
    return Recorder(tmp_path)


@pytest.fixture
def chance(request):
    """Random numbers, others for each test and repetition."""
    return random.Random(f"{request.config.getoption('seed')} {request.node.nodeid}")
