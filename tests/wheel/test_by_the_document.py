"""From pip install to the page and to Perfetto, by the commands of docs/install.md and no others."""

import os
import re
import shutil
import subprocess

import pytest
from conftest import ROOT
from document_commands import commands_of

SECTION = "From nothing to a page"


def test_the_document_has_every_step():
    commands = commands_of(ROOT / "docs" / "install.md", SECTION)
    for step in ("apt-get install", "pip install", "tauprof demo", "--html report.html", "-f perfetto -o run.pftrace"):
        assert step in commands


@pytest.mark.full
def test_what_a_new_user_types_leads_to_a_page_and_a_timeline(wheel, user_environment, tmp_path):
    shutil.copy(wheel, tmp_path)
    lines = [line for line in commands_of(ROOT / "docs" / "install.md", SECTION).splitlines()
             if not line.startswith("apt-get ")]
    assert len(lines) > 4
    done = subprocess.run(["bash", "-e", "-c", "\n".join(lines)], cwd=tmp_path, env=user_environment, capture_output=True,
                          text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "VERDICT" in done.stdout and "Rank 2" in done.stdout
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>") and "Rank 2" in page
    assert (tmp_path / "run.pftrace").read_bytes()[:1] == b"\x0a"  # a packet, field 1


@pytest.mark.full
@pytest.mark.parametrize("release", ["bullseye", "bookworm", "trixie"])
def test_every_line_works_on_a_bare_machine_within_a_minute(wheel, tmp_path, release):
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        pytest.skip("needs root and debootstrap, for a bare root directory")
    done = subprocess.run([ROOT / "scripts" / "check-bare", "--release", release, "--with", wheel, "--document"],
                          capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    [seconds] = re.findall(r"^at (\d+) s: tauprof analyze ", done.stdout, re.MULTILINE)
    assert int(seconds) <= 60, done.stdout  # the demo's report is there
