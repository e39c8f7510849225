"""The page as a file: one file without network, the report inside, no text of a log as markup, true errors."""

import base64
import hashlib
import os
import pathlib
import re
import stat
import subprocess

import pytest

from hostile_trace import NAMES, hostile_traces
from kineto_trace import imported, job
from page_file import unpacked_text

PAGE_PARTS = pathlib.Path(__file__).resolve().parent.parent.parent / "analyzer" / "html" / "page"


def analyze(tauprof, *arguments, **options):
    return subprocess.run([tauprof, "analyze", *map(str, arguments)], capture_output=True, timeout=120, **options)


def test_the_page_carries_the_report_that_json_writes(page_of, logs_of):
    page = page_of(logs_of("stall"))
    assert unpacked_text(page.element("report")) == page.json_text


def test_nothing_in_the_page_reaches_for_the_network(page_of, logs_of):
    tags = page_of(logs_of("stall")).tags()
    assert [tag for tag, _ in tags if tag in ("link", "img", "iframe", "object", "base")] == []
    assert [given for _, given in tags if "src" in given or given.get("href", "#")[0] != "#"] == []
    policy = next(given["content"] for tag, given in tags if given.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none';") and "unsafe" not in policy and "connect-src" not in policy


def test_the_policy_names_the_scripts_and_the_style_by_hash(page_of, logs_of):
    text = page_of(logs_of("stall")).text
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text).group(1)
    bodies = re.findall(r"<(?:script|style)>(.*?)</(?:script|style)>", text, re.DOTALL)
    assert len(bodies) == 3
    for body in bodies:
        digest = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


def test_the_licence_of_the_library_is_in_the_page(page_of, logs_of):
    assert (PAGE_PARTS / "chart.js.license").read_text() in page_of(logs_of("stall")).text


def test_names_from_logs_are_no_tags(tauprof, page_of, tmp_path):
    traces = hostile_traces(tmp_path / "traces")
    logs = tmp_path / "logs"
    subprocess.run([tauprof, "import", "kineto", traces, "-o", logs], check=True, capture_output=True, timeout=60)
    page = page_of(logs)
    for element in ("report", "tables", "first-screen", "timeline-data", "steps-data"):
        assert "<" not in page.element(element), element
    names = {kernel["name"] for kernel in page.report["kernels"]}
    assert set(NAMES) <= names and set(NAMES) <= set(page.timeline()["names"])


def test_the_typical_the_slowest_and_the_last_step_are_shown(page_of, logs_of):
    page = page_of(logs_of("stall"))
    because = {reason: step["step"] for step in page.timeline()["steps"] for reason in step["because"]}
    durations = {step["step"]: step["duration_ns"] for step in page.report["steps"]["list"]}
    median = page.report["steps"]["duration_ns"]["median"]
    assert because["slowest"] == max(durations, key=durations.get) == 7
    assert because["last"] == max(durations)
    nearest = min(abs(duration - median) for duration in durations.values())
    assert abs(durations[because["typical"]] - median) == nearest


def test_every_step_that_is_shown_has_the_length_of_its_windows(page_of, logs_of):
    page = page_of(logs_of("stall"))
    durations = {step["step"]: step["duration_ns"] for step in page.report["steps"]["list"]}
    for step in page.timeline()["steps"]:
        lengths = [end - start for start, end in step["windows"]]
        assert abs(sum(lengths) / len(lengths) - durations[step["step"]]) <= 1
        assert step["length_ns"] == max(end for _, end in step["windows"])


def test_the_others_wait_for_the_rank_that_stalls(page_of, logs_of):
    timeline = page_of(logs_of("stall")).timeline()
    rank_of_row = [timeline["ranks"][row["rank"]] for row in timeline["rows"]]
    step = next(step for step in timeline["steps"] if step["step"] == 7)
    longest = step["waits"][:3]
    assert [rank_of_row[wait[3]] for wait in longest] == [2, 2, 2]
    assert sorted(rank_of_row[wait[0]] for wait in longest) == [0, 1, 3]
    for row, start, length, for_row, arrival, _ in longest:
        assert length > 10_000_000 and abs(start + length - arrival) < 1_000_000


def test_waiting_caused_by_a_rank_sums_to_the_report(page_of, logs_of):
    page = page_of(logs_of("stall"))
    caused = page.timeline()["caused"]
    blamed = {rank["rank"]: rank["blamed_ns"] for rank in page.report["stragglers"]["ranks"]}
    assert caused["steps"] == [step["step"] for step in page.report["steps"]["list"]]
    for rank, by_step in zip(caused["ranks"], caused["ns"]):
        assert abs(sum(by_step) - blamed[rank]) <= len(by_step)
    assert max(range(len(caused["steps"])), key=lambda at: caused["ns"][2][at]) == caused["steps"].index(7)


def test_telemetry_tells_the_throttled_rank(page_of, logs_of):
    page = page_of(logs_of("throttled"))
    telemetry = page.timeline()["telemetry"]
    clocks = {rank["rank"]: min(rank["sm_clock_mhz"]) for rank in telemetry["ranks"]}
    assert min(clocks, key=clocks.get) == 1 and clocks[1] < 0.9 * clocks[0]
    [found] = [one for one in page.report["stragglers"]["found"] if one["rank"] == 1]
    assert {one["reason"] for one in telemetry["throttling"] if one["rank"] == 1} == set(found["throttle_reasons"])


def test_many_short_spans_become_few_and_the_page_says_so(tauprof, page_of, tmp_path):
    trace = job(1)[0]
    launch = trace.call("cudaGraphLaunch", 300, 310)
    for at in range(450_000):
        trace.on_device(1_000 + 0.2 * at, 1_000.1 + 0.2 * at, correlation=launch)
    page = page_of(imported(tauprof, tmp_path, [trace]))
    step = max(page.timeline()["steps"], key=lambda one: one["merged"])
    shown = sum(map(len, step["rows"]["start"]))
    several = sum(count - 1 for row in step["rows"]["several"] for count in row[1::2])
    assert shown <= 400_000 and step["merged"] == several > 0 and step["merged_below_ns"] > 100


def test_an_operation_trace_has_a_page(tauprof, data_folder, page_of, tmp_path):
    tiny = data_folder / "ops-synthetic" / "tiny"
    subprocess.run([tauprof, "import", "ops-csv", tiny, "-o", tmp_path / "logs"], check=True, capture_output=True, timeout=60)
    page = page_of(tmp_path / "logs")
    assert page.timeline()["steps"] == [] and page.report["whatif"]["slowdown"] is not None


def test_hostile_logs_have_a_page_or_none(tauprof, tmp_path):
    writer = os.environ.get("TAUPROF_WRITE_HOSTILE_LOGS")
    if not writer:
        pytest.skip("TAUPROF_WRITE_HOSTILE_LOGS does not name the program that writes them")
    subprocess.run([writer, tmp_path / "hostile"], check=True, timeout=120)
    for folder in sorted((tmp_path / "hostile").iterdir()):
        target = tmp_path / f"{folder.name}.html"
        result = analyze(tauprof, folder, "--html", target)
        assert result.returncode in (0, 3), folder.name
        if result.returncode == 0:
            assert target.stat().st_size < 64 << 20, folder.name


def test_a_dash_is_standard_output(tauprof, page_of, logs_of):
    result = analyze(tauprof, logs_of("stall"), "--html", "-")
    assert result.returncode == 0 and result.stdout.decode() == page_of(logs_of("stall")).text


def test_two_reports_do_not_share_standard_output(tauprof, logs_of):
    result = analyze(tauprof, logs_of("stall"), "--html", "-", "--json", "-")
    assert result.returncode == 2 and result.stdout == b"" and b"standard output" in result.stderr


@pytest.mark.parametrize("target, reason", [("missing/report.html", b"No such file or directory"), (".", b"Is a directory"),
                                            ("/dev/full", b"No space left on device")])
def test_a_page_that_cannot_be_written_says_why(tauprof, logs_of, tmp_path, target, reason):
    result = analyze(tauprof, logs_of("stall"), "--html", target, cwd=tmp_path)
    assert result.returncode == 1 and reason in result.stderr and target.encode() in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_page_replaces_an_older_one_and_keeps_its_mode(tauprof, logs_of, tmp_path):
    target = tmp_path / "report.html"
    target.write_text("older")
    target.chmod(0o640)
    (tmp_path / "link.html").symlink_to(target)
    assert analyze(tauprof, logs_of("stall"), "--html", tmp_path / "link.html").returncode == 0
    assert target.read_text().startswith("<!doctype html>") and stat.S_IMODE(target.stat().st_mode) == 0o640
    assert (tmp_path / "link.html").is_symlink() and len(list(tmp_path.iterdir())) == 2
