"""From pip install to the page and to Perfetto, by the commands of docs/install.md and no others. On a bare machine:
scripts/check-bare --document."""

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
