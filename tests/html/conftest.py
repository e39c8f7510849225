"""The programs, the runs whose pages are looked at, and the browser that looks."""

import pathlib
import shutil
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "e2e" / "kineto_cases"))

from browser import Browser  # noqa: E402
from page_file import Page  # noqa: E402
from programs import program  # noqa: E402
from shown_jobs import JOBS  # noqa: E402


@pytest.fixture(scope="session")
def logs_of(tmp_path_factory):
    """The logs of one of JOBS."""
    made = {}

    def logs(job):
        if job not in made:
            made[job] = tmp_path_factory.mktemp(job) / "logs"
            subprocess.run([program("TAUPROF_GENERATE"), "--out", made[job], *JOBS[job].split()], check=True, timeout=120)
        return made[job]
    return logs


@pytest.fixture(scope="session")
def page_of(tauprof, tmp_path_factory):
    """The page of a folder of logs, beside the report that --json writes."""
    made = {}

    def page(logs):
        if logs not in made:
            folder = tmp_path_factory.mktemp("page")
            subprocess.run([tauprof, "analyze", logs, "--html", folder / "report.html", "--json", folder / "report.json"],
                           check=True, capture_output=True, timeout=120)
            made[logs] = Page(folder / "report.html", folder / "report.json")
        return made[logs]
    return page


@pytest.fixture
def opened(browser, page_of, logs_of):
    """Opens the page of a job; it is closed after the test."""
    tabs = []

    def open_page(job, address="", **media):
        page = page_of(logs_of(job))
        tabs.append(browser.open(f"file://{page.path}{address}", **media))
        return page, tabs[-1]
    yield open_page
    for tab in tabs:
        tab.close()


@pytest.fixture(scope="session")
def browser():
    program_of_browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not program_of_browser:
        pytest.skip("no Chromium here: install the package chromium to test what the page does")
    with Browser(program_of_browser) as opened:
        yield opened
