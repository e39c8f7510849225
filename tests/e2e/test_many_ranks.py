"""A thousand ranks: the report is the same on one processor and on several, and a late rank among them is found."""

import json
import os
import subprocess

JOB = ("--ranks 1024 --hosts 128 --steps 5 --layers 1 --layers-per-bucket 1 --micro-batches 1 --tensor-parallel 8 "
       "--gemm 40us --elementwise 5us --optimizer 20us --layer-bytes 1048576 --no-autograd --stall 700:3=40ms")


def test_any_number_of_processors_gives_the_same_report(tauprof, tauprof_generate, tmp_path):
    """Their waits are followed by several threads: in a step, 128 groups of eight wait at the same time."""
    subprocess.run([tauprof_generate, "--out", "logs", *JOB.split()], check=True, capture_output=True, cwd=tmp_path)
    reports = []
    for processors in ({min(os.sched_getaffinity(0))}, os.sched_getaffinity(0)):
        done = subprocess.run([tauprof, "analyze", "logs", "--json", "report.json"], capture_output=True, cwd=tmp_path,
                              timeout=300, preexec_fn=lambda only=processors: os.sched_setaffinity(0, only))
        assert done.returncode == 0, done.stderr
        reports.append((tmp_path / "report.json").read_bytes())
    assert reports[0] == reports[1]
    [late] = json.loads(reports[0])["stragglers"]["found"]
    assert (late["rank"], late["cause"]) == (700, "host_stall")
