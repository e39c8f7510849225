"""A process whose devices share no communicator is one rank with several devices."""

import gzip
import json

from kineto_trace import Trace, imported, report_of, rows, run


def two_devices(rank=0, world=1, shares=(1, 2)):
    """Four steps; one thread drives two devices, of which the second has twice the work of the first."""
    trace = Trace(rank, world)
    trace.device_name = "NVIDIA A100-SXM4-80GB"  # said of device 0 only
    for step in range(4):
        begin = step * 10_000
        trace.step(step, begin, begin + 10_000)
        for device, share in enumerate(shares):
            for i in range(10):
                launched = begin + 100 + 100 * i + 50 * device
                start = begin + 700 + i * 300 * share
                trace.kernel(start, start + 300 * share, launch=(launched, launched + 5), device=device)
    return trace


def test_two_devices_without_a_communicator_are_one_rank(tauprof, tmp_path):
    report = report_of(tauprof, tmp_path, two_devices())
    assert (report["run"]["ranks"], report["run"]["world_size"], report["run"]["device_count"]) == (1, 1, 2)
    assert [(row["rank"], row["devices"]) for row in report["per_rank"]] == [(0, [0, 1])]
    assert report["stragglers"]["found"] == [] and report["verdict"]["class"] != "straggler"
    assert "straggler" not in [finding["id"] for finding in report["findings"]]
    # The union of both devices' work: the longer covers the shorter.
    assert rows(report)["compute"] == 4 * 6_000
    kernels = report["kernels"]
    assert sum(kernel["count"] for kernel in kernels) == 80
    assert sum(kernel["total_ns"] for kernel in kernels) == 4 * 10 * (300 + 600) * 1_000
    assert report["run"]["devices"] == ["NVIDIA A100-SXM4-80GB"]
    text = run(tauprof, "analyze", tmp_path / "logs").stdout
    assert text.startswith("1 rank with 2 devices")


def test_each_of_two_processes_with_two_devices_is_a_rank(tauprof, tmp_path):
    report = report_of(tauprof, tmp_path, two_devices(0, 2), two_devices(1, 2))
    assert (report["run"]["ranks"], report["run"]["device_count"]) == (2, 4)
    assert [row["rank"] for row in report["per_rank"]] == [0, 1]
    assert sum(kernel["count"] for kernel in report["kernels"]) == 160


def test_a_model_cut_over_two_devices_is_idle_when_none_of_them_works(tauprof, tmp_path):
    trace = Trace(0, 1)
    for step in range(4):
        begin = step * 10_000
        trace.step(step, begin, begin + 10_000)
        trace.kernel(begin + 1_000, begin + 4_000, launch=(begin + 100, begin + 105), device=0)
        trace.kernel(begin + 4_500, begin + 9_000, launch=(begin + 200, begin + 205), device=1)
    report = report_of(tauprof, tmp_path, trace)
    assert rows(report)["compute"] == 4 * 7_500
    assert report["run"]["device_count"] == 2


def test_exports_keep_the_devices_apart(tauprof, tmp_path):
    logs = imported(tauprof, tmp_path, [two_devices()])
    result = run(tauprof, "export", logs, "-f", "kineto", "-o", tmp_path / "out")
    assert result.returncode == 0, result.stderr
    file = next((tmp_path / "out").glob("*.json*")) if (tmp_path / "out").is_dir() else tmp_path / "out"
    events = json.loads(gzip.decompress(file.read_bytes()))["traceEvents"]
    kernels = [event["args"]["device"] for event in events if event.get("cat") == "kernel"]
    assert (kernels.count(0), kernels.count(1)) == (40, 40)
