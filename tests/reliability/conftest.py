"""Repeats the tests of this folder and writes the fault table: see faults.py and scripts/stress."""

import pathlib
import random
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "capture")]

from fault_table import FaultTable  # noqa: E402
from recorded_run import Recorder  # noqa: E402

TABLE = pytest.StashKey()


def pytest_addoption(parser):
    parser.addoption("--times", type=int, default=1, help="run each fault this many times")
    parser.addoption("--seed", type=int, default=0, help="of the random moments at which faults happen")
    parser.addoption("--write-table", type=pathlib.Path, help="write the table into this document")


def pytest_configure(config):
    config.addinivalue_line("markers", "fault(title, loses, says): one line of the table in docs/reliability.md")
    config.stash[TABLE] = FaultTable()


def pytest_generate_tests(metafunc):
    times = metafunc.config.getoption("times")
    if times > 1 and next(metafunc.definition.iter_markers("fault"), None):
        metafunc.fixturenames.append("repetition")
        metafunc.parametrize("repetition", range(times))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    for item in items:
        if mark := item.get_closest_marker("fault"):
            config.stash[TABLE].add(mark.kwargs)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    report = (yield).get_result()
    mark = item.get_closest_marker("fault")
    if mark and report.when == "call" and not report.skipped:
        item.config.stash[TABLE].count(mark.kwargs["title"], report.passed)


def pytest_sessionfinish(session):
    document = session.config.getoption("write_table")
    if document:
        session.config.stash[TABLE].write(document)


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
