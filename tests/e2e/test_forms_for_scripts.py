"""Forms for scripts and for CI: the digest of a report, checklists and comparisons in Markdown and JUnit."""

import json
import re
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest
from programs import program


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """A job whose rank 2 is stalled in each step, and the same without that."""
    folder = tmp_path_factory.mktemp("jobs")
    for name, options in (("late", ["--stall", "2:*=20ms"]), ("sound", [])):
        subprocess.run([program("TAUPROF_GENERATE"), "--ranks", "4", "--steps", "20", *options, "--out", folder / name],
                       check=True, capture_output=True)
    return folder


@pytest.fixture
def say(tauprof):
    def run(*words, status=0):
        done = subprocess.run([tauprof, *map(str, words)], capture_output=True, text=True, timeout=60)
        assert done.returncode == status, done.stderr
        return done.stdout

    return run


def test_the_digest_says_what_the_report_does(say, logs):
    text = say("analyze", logs / "late", "--brief")
    digest, report = json.loads(text), json.loads(say("analyze", logs / "late", "--json", "-"))
    assert text.count("\n") <= 45 and digest["schema"] == "tauprof.brief/1"
    assert digest["run"]["ranks"] == 4 and digest["steps"]["mean_ns"] == report["steps"]["duration_ns"]["mean"]
    assert digest["verdict"] == {key: report["verdict"][key] for key in ("class", "title")}
    first = digest["repairs"][0]
    [finding] = [one for one in report["findings"] if one["title"] == first["title"]]
    assert first["ranks"] == [2] and first["ask"] == f"tauprof whatif {logs / 'late'} --fix rank:2"
    assert (first["saves_ns_per_step"], first["why"], first["do"]) == (
        finding["saves_ns_per_step"], finding["evidence"], finding["advice"])
    shares = {row: ns / report["ledger"]["step_ns"] for row, ns in report["ledger"]["rows"].items()}
    assert digest["time_shares"] == {row: pytest.approx(shares[row], abs=1e-4) for row in digest["time_shares"]}
    assert "stragglers" in digest["checks"]["failed"]


def test_the_digest_of_an_operation_trace_has_its_slowdown(say, data_folder):
    digest = json.loads(say("analyze", data_folder / "straggler_whatif_AR" / "trace.csv.gz", "--brief"))
    report = json.loads(say("analyze", data_folder / "straggler_whatif_AR" / "trace.csv.gz", "--json", "-"))
    assert digest["slowdown"] == pytest.approx(report["whatif"]["slowdown"], abs=1e-4) and digest["repairs"] == []


def outcomes(text):
    """By test case: passed, failure or skipped."""
    suite = ElementTree.fromstring(text)
    found = {}
    for case in suite.iter("testcase"):
        tags = {child.tag for child in case}
        found[case.get("name")] = next(iter(tags & {"failure", "skipped"}), "passed")
    for tag, count in (("failure", "failures"), ("skipped", "skipped")):
        assert int(suite.get(count)) == sum(one == tag for one in found.values())
    assert int(suite.get("tests")) == len(found)
    return found


def test_health_is_a_test_for_each_check(say, logs, tmp_path):
    junit, markdown = tmp_path / "health.xml", tmp_path / "health.md"
    checks = json.loads(say("health", logs / "late", "--json", "-", "--junit", junit, "--markdown", markdown, status=5))
    words = {"pass": "passed", "fail": "failure", "unknown": "skipped"}
    assert outcomes(junit.read_text()) == {one["id"]: words[one["outcome"]] for one in checks["checks"]}
    assert "failure" in outcomes(junit.read_text()).values()
    rows = [line.split(" | ") for line in markdown.read_text().splitlines() if line.startswith("| ")][1:]
    assert [row[1] for row in rows if row[1] != "---"] == [one["id"] for one in checks["checks"]]
    assert say("health", logs / "late", "--junit", "-", status=5) == junit.read_text()


def test_a_comparison_is_a_test_that_fails_where_a_is_slower(say, logs, tmp_path):
    late, sound = logs / "late", logs / "sound"
    assert outcomes(say("diff", late, "--against", sound, "--junit", "-")) == {"step": "failure"}
    assert outcomes(say("diff", sound, "--against", late, "--junit", "-")) == {"step": "passed"}
    assert outcomes(say("diff", late, "--against", sound, "--junit", "-", "--fail-above", 1e6)) == {"step": "passed"}
    junit = tmp_path / "diff.xml"
    say("diff", late, "--against", sound, "--junit", junit, "--fail-above", 1, status=5)
    assert outcomes(junit.read_text()) == {"step": "failure"}
    text = say("diff", late, "--against", sound, "--markdown", "-")
    assert text.startswith("### tauprof diff: slower\n\nstep ")
    assert re.search(r"^- rank 2 explains \+1\d\.\d+ ms of it$", text, re.M)  # of 19
    table = [line for line in text.splitlines() if line.startswith("| ")]
    assert table[0] == "|  | B | A | change | more than chance |" and any("idle" in row or "wait" in row for row in table)


def test_chosen_steps_are_compared_and_chosen_ranks_checked(say, tauprof, logs, tmp_path):
    compared = json.loads(say("diff", logs / "late", "--against", logs / "sound", "--steps", "5:12", "--json", "-"))
    whole = json.loads(say("analyze", logs / "late", "--steps", "5:12", "--json", "-"))
    assert compared["a"]["runs"][0]["steps"] == 8 and compared["a"]["step_ns"] == whole["steps"]["duration_ns"]["mean"]
    say("analyze", logs / "late", "--json", tmp_path / "report")
    assert "--steps needs the logs" in subprocess.run(
        [tauprof, "diff", tmp_path / "report", "--against", logs / "sound", "--steps", "5:12"], capture_output=True,
        text=True).stderr
    shares = [[one for one in json.loads(say("health", logs / "late", *ranks, "--json", "-", status=5))["checks"]
               if one["id"] == "communication"] for ranks in ([], ["--ranks", "2"])]
    assert shares[0] != shares[1]


def test_chosen_ranks_are_compared(say, tauprof, logs, tmp_path):
    compared = json.loads(say("diff", logs / "late", "--against", logs / "sound", "--ranks", "2", "--json", "-"))
    for side, name in (("a", "late"), ("b", "sound")):
        whole = json.loads(say("analyze", logs / name, "--ranks", "2", "--json", "-"))
        for row, times in compared["ledger"]["rows"].items():
            of_rank = whole["ledger"]["rows"][row] / whole["steps"]["count"]
            assert times[f"{side}_ns"] == pytest.approx(of_rank, abs=1), row
    say("analyze", logs / "late", "--json", tmp_path / "report")
    assert "--ranks needs the logs" in subprocess.run(
        [tauprof, "diff", tmp_path / "report", "--against", logs / "sound", "--ranks", "2"], capture_output=True,
        text=True).stderr


def test_names_are_no_markup(say, tauprof, tmp_path):
    """A kernel's name that would be a column, a tag and a link."""
    events = []
    for step in range(6):
        events.append({"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{step}", "pid": 1, "tid": 1,
                       "ts": 1000 * step, "dur": 1000})
        events += [{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1,
                    "ts": 1000 * step + 10, "dur": 5, "args": {"correlation": step + 1}},
                   {"ph": "X", "cat": "kernel", "name": "a|b <img> [c](d)", "pid": 0, "tid": 7, "ts": 1000 * step + 20,
                    "dur": 0, "args": {"correlation": step + 1, "stream": 7, "device": 0}}]
    for name, length in (("a", 900), ("b", 600)):
        for number, event in enumerate(event for event in events if event["cat"] == "kernel"):
            event["dur"] = length + number % 3
        (tmp_path / f"{name}.json").write_text(json.dumps({"traceEvents": events}))
    text = say("diff", tmp_path / "a.json", "--against", tmp_path / "b.json", "--markdown", "-")
    [row] = [line for line in text.splitlines() if "img" in line]
    assert r"a\|b \<img\> \[c\](d)" in row and len(re.findall(r"(?<!\\)\|", row)) == 6


def test_two_outputs_do_not_share_standard_output(tauprof, logs):
    done = subprocess.run([tauprof, "health", logs / "late", "--json", "-", "--junit", "-"], capture_output=True, text=True)
    assert done.returncode == 1 and "several outputs want standard output" in done.stderr and done.stdout == ""
