"""Exports take no more memory than they may, whatever the size of the logs."""

import hashlib
import os
import pathlib
import subprocess
import time

import pytest
from programs import program
from tiers import two_tiers

FORMATS = ("perfetto", "sqlite")


@pytest.fixture(scope="module")
def large_logs(tmp_path_factory):
    logs = tmp_path_factory.mktemp("large") / "logs"
    subprocess.run([program("TAUPROF_GENERATE"), "--ranks", "2", "--events-per-rank", "400000", "--layers", "64",
                    "--layers-per-bucket", "4", "--out", logs], check=True, capture_output=True)
    return logs


def most_anonymous_mb(command):
    """Of the memory that only this process can give back. How much of a file is resident is the kernel's matter, too."""
    child = subprocess.Popen(command)
    most = 0
    while child.poll() is None:
        for line in pathlib.Path(f"/proc/{child.pid}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                most = max(most, int(line.split()[1]))
        time.sleep(0.005)
    assert child.returncode == 0
    return most / 1000


@pytest.mark.parametrize("form", two_tiers(FORMATS, "perfetto".__eq__))
def test_what_goes_beyond_the_memory_lies_in_a_file(form, tauprof, large_logs, tmp_path):
    most, digests = {}, {}
    for memory in ("4000", "30"):
        output = tmp_path / memory
        most[memory] = most_anonymous_mb([tauprof, "export", large_logs, "-f", form, "-o", output, "--memory", memory])
        digests[memory] = hashlib.sha256(output.read_bytes()).hexdigest()
        output.unlink()
        assert not list(tmp_path.iterdir())
    assert digests["30"] == digests["4000"]
    assert most["30"] < 0.4 * most["4000"]


@pytest.mark.full
def test_where_no_such_file_can_be_it_lies_in_memory(tauprof, large_logs, tmp_path):
    output = tmp_path / "beside"
    if not os.path.isdir("/dev/shm") or not os.access("/dev/shm", os.W_OK):
        pytest.skip("no /dev/shm here")
    in_memory = f"/dev/shm/tauprof-test-{os.getpid()}.pftrace"
    try:
        for path in (output, in_memory):
            subprocess.run([tauprof, "export", large_logs, "-f", "perfetto", "-o", path, "--memory", "30"], check=True)
        with open(in_memory, "rb") as file:
            assert hashlib.sha256(file.read()).digest() == hashlib.sha256(output.read_bytes()).digest()
    finally:
        if os.path.exists(in_memory):
            os.unlink(in_memory)
