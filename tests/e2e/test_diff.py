"""tauprof diff: what it finds between runs whose difference is known, what it says of too little, and its exit status."""

import json
import pathlib
import re
import subprocess

import pytest

from tiers import two_tiers

PAIRS = two_tiers([5, 20], [5].__contains__)
# Noise of 3 % of a step, of which a step hands 70 % on to the next: 2,000 steps are worth some 350.
NOISE = "--ranks 1 --layers 1 --steps 2000 --step-noise-permille 33 --step-noise-memory-permille 700"
# A step is not all computing; with this much more of that, it is 1 % longer.
SLOWER = "--work-permille 1011"


@pytest.fixture
def generate(tauprof_generate, tmp_path):
    def job(name, options, seed=1):
        command = [tauprof_generate, *options.split(), "--seed", str(seed), "--out", str(tmp_path / name)]
        subprocess.run(command, check=True, capture_output=True)
        return tmp_path / name

    return job


@pytest.fixture
def run_diff(tauprof):
    def of(*arguments):
        return subprocess.run([tauprof, "diff", *map(str, arguments)], capture_output=True, text=True, check=False)

    return of


@pytest.fixture
def diff(run_diff):
    def of(a, b):
        a, b = ([side] if isinstance(side, pathlib.Path) else side for side in (a, b))
        finished = run_diff(*a, "--against", *b, "--json", "-")
        assert finished.returncode == 0, finished.stderr
        return json.loads(finished.stdout)

    return of


def times_in(value):
    if isinstance(value, dict):
        if "difference_ns" in value:
            yield value
        for inner in value.values():
            yield from times_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from times_in(inner)


def assert_parts_sum_to_the_step(report):
    for parts in report["ledger"].values():
        for key in ("a_ns", "b_ns", "difference_ns"):
            assert sum(part[key] for part in parts.values()) == report["step"][key]


def test_a_run_does_not_differ_from_itself(generate, diff):
    logs = generate("logs", "--ranks 4 --steps 60 --stall 2:7=3ms")
    report = diff(logs, logs)
    assert report["verdict"]["outcome"] == "not_shown" and report["step"]["p"] == 1
    assert "the same run is on both sides" in report["notes"]
    for time in times_in(report):
        assert time["difference_ns"] == 0 and time["p"] in (1, None) and not time["significant"]
    assert report["settings"] == []
    assert_parts_sum_to_the_step(report)


def test_the_true_difference_of_the_pairs_is_one_per_cent(generate, diff):
    quiet = "--ranks 1 --layers 1 --steps 200 --jitter-permille 0"
    report = diff(generate("a", f"{quiet} {SLOWER}"), generate("b", quiet))
    assert 0.0095 < report["step"]["change"] < 0.0105


@pytest.mark.parametrize("pairs", PAIRS)
def test_pairs_that_differ_by_one_per_cent_are_told_apart(generate, diff, pairs):
    outcomes = []
    for seed in range(1, pairs + 1):
        report = diff(generate(f"a{seed}", f"{NOISE} {SLOWER}", seed), generate(f"b{seed}", NOISE, 1000 + seed))
        outcomes.append(report["verdict"]["outcome"])
        assert_parts_sum_to_the_step(report)
    assert outcomes.count("slower") >= 0.9 * pairs and "faster" not in outcomes, outcomes


@pytest.mark.parametrize("pairs", PAIRS)
def test_equal_pairs_hardly_seem_to_differ(generate, diff, pairs):
    outcomes = [diff(generate(f"a{seed}", NOISE, seed), generate(f"b{seed}", NOISE, 1000 + seed))["verdict"]["outcome"]
                for seed in range(1, pairs + 1)]
    assert outcomes.count("not_shown") >= 0.9 * pairs, outcomes


def test_a_stall_is_found_where_it_was_put(generate, diff):
    usual = "--ranks 4 --steps 60"
    report = diff(generate("a", f"{usual} --stall 2:*=2ms", 1), generate("b", usual, 2))
    rows = report["ledger"]["rows"]
    assert report["verdict"]["outcome"] == "slower"
    # The host runs ahead of its device by a millisecond, so a stall of two costs one: as a stall on one of four ranks,
    # as waiting or a transfer that nothing hides any longer on the others.
    whole = report["step"]["difference_ns"]
    assert 900_000 < whole < 1_100_000
    assert rows["idle_host_stall"]["difference_ns"] == pytest.approx(whole / 4, rel=0.1)
    others = sum(rows[name]["difference_ns"] for name in ("exposed_comm_wait", "exposed_comm_transfer"))
    assert others == pytest.approx(whole * 3 / 4, rel=0.1)
    assert rows["idle_host_stall"]["significant"] and rows["exposed_comm_wait"]["significant"]
    assert not rows["compute"]["significant"]
    [collective] = [of for of in report["collectives"] if of["exposed"]["significant"]]
    assert collective["op"] == "all_reduce" and collective["a_busbw_gb_per_s"] < collective["b_busbw_gb_per_s"]
    assert_parts_sum_to_the_step(report)


def test_slower_kernels_are_named(generate, diff):
    usual = "--ranks 2 --steps 60"
    report = diff(generate("a", f"{usual} --gemm 440us", 1), generate("b", usual, 2))
    changed = [kernel["name"] for kernel in report["kernels"] if kernel["significant"] and kernel["class"] == "compute"]
    assert changed and all("gemm" in name for name in changed)
    kernel = report["kernels"][0]
    assert kernel["change"] == pytest.approx(0.1, abs=0.01) and kernel["a_count_per_step"] == kernel["b_count_per_step"]


def test_kernels_of_one_side_only_took_no_time_on_the_other(generate, diff):
    usual = "--ranks 2 --steps 60"
    report = diff(generate("a", f"{usual} --extra-kernels 0=1,1=1", 1), generate("b", usual, 2))
    [extra] = [kernel for kernel in report["kernels"] if kernel["name"] == "mask_fill_kernel"]
    assert extra["b_ns"] == 0 and extra["change"] is None and extra["significant"]
    assert extra["a_ns"] == extra["difference_ns"] > 200_000


def test_runs_are_the_units_where_there_are_several(generate, diff):
    # The runs of a side differ from each other by 1 %, as runs on other nodes do; each by itself is steady.
    sides = [[generate(f"{side}{i}", f"--ranks 1 --layers 1 --steps 100 --work-permille {work}", 10 * i + offset)
              for i, work in enumerate((995, 1000, 1005))] for offset, side in enumerate("ab")]
    one_each = diff(sides[0][2], sides[1][0])
    several = diff(*sides)
    assert one_each["step"]["units"] == "steps" and one_each["verdict"]["outcome"] == "slower"
    assert any("one run on each side" in note for note in one_each["notes"])
    assert several["step"]["units"] == "runs" and several["verdict"]["outcome"] == "not_shown"
    assert several["step"]["degrees_of_freedom"] < 5
    assert_parts_sum_to_the_step(several)


def test_too_few_steps_are_not_judged(generate, run_diff, diff):
    a, b = (generate(name, f"--ranks 2 --steps 7 {options}", seed)
            for seed, (name, options) in enumerate({"a": "--gemm 440us", "b": ""}.items()))
    report = diff(a, b)
    assert not any(time["significant"] for time in times_in(report))
    assert report["verdict"]["outcome"] == "not_judged" and report["step"]["p"] is None
    assert report["step"]["interval"] is None and report["step"]["difference_ns"] > 0
    assert "7 on side A" in report["verdict"]["not_judged_because"]
    assert "too few steps" in run_diff(a, "--against", b).stdout.splitlines()[0]
    gate = run_diff(a, "--against", b, "--fail-above", 1)
    assert gate.returncode == 3 and "too few steps" in gate.stderr


def test_fail_above_fails_when_the_new_run_is_slower(generate, run_diff):
    usual = "--ranks 2 --steps 60"
    slow, fast = generate("slow", f"{usual} --gemm 440us", 1), generate("fast", usual, 2)
    again = generate("again", usual, 3)
    for a, b, limit, status in ((slow, fast, 5, 5), (slow, fast, 50, 0), (fast, slow, 0, 0), (again, fast, 0, 0)):
        finished = run_diff(a, "--against", b, "--fail-above", limit)
        assert finished.returncode == status, (a.name, b.name, limit, finished.stderr)
        assert ("slower" in finished.stderr) == (status == 5)


def test_the_text_starts_with_the_verdict_and_its_rows_are_those_of_the_json(generate, run_diff, diff):
    usual = "--ranks 4 --steps 60"
    a, b = generate("a", f"{usual} --stall 2:*=2ms", 1), generate("b", usual, 2)
    text, report = run_diff(a, "--against", b, "--show", "all").stdout, diff(a, b)
    assert text.splitlines()[0] == report["verdict"]["text"]
    assert re.match(r"step [\d.]+ ms → [\d.]+ ms, \+[\d.]+ % \(95 % interval \+[\d.]+ … \+[\d.]+ %, p (=|<) \S+\)$",
                    text.splitlines()[0])
    for name, row in report["ledger"]["rows"].items():
        assert (f" {name} " in text) == (row["a_ns"] > 0 or row["b_ns"] > 0)


def slow_rank(rank, factor):
    return f"--slow-rank {rank}={factor}"


@pytest.mark.parametrize("job", ["--ranks 4", "--ranks 8 --hosts 2", "--ranks 2", "--ranks 4 --tensor-parallel 2"])
def test_a_slower_rank_is_named_with_its_cause(generate, run_diff, diff, job):
    usual = f"{job} --steps 60 --jitter-permille 10"
    a, b = generate("a", f"{usual} {slow_rank(1, 1.2)}", 1), generate("b", usual, 2)
    lines, report = run_diff(a, "--against", b).stdout.splitlines(), diff(a, b)
    assert re.match(r"  rank 1 explains (all|[89]\d %) of it: compute .* ms a step, slow_compute$", lines[1]), lines[1]
    assert len(lines) <= 25, len(lines)
    named = [rank["rank"] for rank in report["ranks"] if rank["named"]]
    rank = report["ranks"][1]
    assert named == [1] and rank["row"] == "compute" and rank["cause"] == "slow_compute"
    assert 0.8 < rank["explains"] < 1.2 and rank["significant"]
    compute = rank["ledger"]["compute"]
    assert compute["difference_ns"] == pytest.approx(0.2 * compute["b_ns"], rel=0.1)
    parts = [*report["ranks"], report["nobody"]]
    for key in ("a_ns", "b_ns", "difference_ns"):
        assert sum(part[key] for part in parts) == report["step"][key]


def test_a_rank_that_was_mended_is_named(generate, run_diff, diff):
    usual = "--ranks 4 --steps 60"
    a, b = generate("a", usual, 1), generate("b", f"{usual} {slow_rank(2, 1.2)}", 2)
    assert re.match(r"  rank 2 explains .* of it: compute .*, was slow_compute$",
                    run_diff(a, "--against", b).stdout.splitlines()[1])
    report = diff(a, b)
    assert report["verdict"]["outcome"] == "faster" and [one["rank"] for one in report["ranks"] if one["named"]] == [2]


def test_two_slower_ranks_are_named_together(generate, run_diff, diff):
    usual = "--ranks 8 --steps 60"
    a, b = generate("a", f"{usual} {slow_rank(1, 1.2)} {slow_rank(6, 1.2)}", 1), generate("b", usual, 2)
    lines = run_diff(a, "--against", b).stdout.splitlines()
    assert re.match(r"  ranks 1, 6 explain .* of it:$", lines[1])
    assert {line.split()[1] for line in lines[2:4]} == {"1", "6"} and all("slow_compute" in line for line in lines[2:4])


@pytest.mark.parametrize("options,row,cause", [("--data-wait 2:*=20ms --marked-data-wait", "idle_data_wait", "data_wait"),
                                               ("--stall 2:*=20ms", "idle_host_stall", "host_stall")])
def test_a_late_host_is_named_with_its_cause(generate, diff, options, row, cause):
    usual = "--ranks 4 --steps 60"
    report = diff(generate("a", f"{usual} {options}", 1), generate("b", usual, 2))
    [rank] = [one for one in report["ranks"] if one["named"]]
    assert (rank["rank"], rank["row"], rank["cause"]) == (2, row, cause)


@pytest.mark.parametrize("options", ["--gemm 480us", "--link-bytes-per-us 5000", "--work-permille 1100"])
def test_what_all_ranks_lose_names_none(generate, run_diff, diff, options):
    usual = "--ranks 4 --steps 60"
    a, b = generate("a", f"{usual} {options}", 1), generate("b", usual, 2)
    report = diff(a, b)
    assert report["verdict"]["outcome"] == "slower" and not any(one["named"] for one in report["ranks"])
    assert "no single rank explains it" in run_diff(a, "--against", b).stdout


def test_ranks_of_worlds_of_different_sizes_are_not_compared(generate, run_diff, diff):
    a, b = generate("a", f"--ranks 4 --steps 60 {slow_rank(2, 1.2)}", 1), generate("b", "--ranks 2 --steps 60", 2)
    assert diff(a, b)["ranks"] is None
    assert "not compared: the runs have different ranks" in run_diff(a, "--against", b, "--show", "ranks").stdout


def test_reports_name_the_rank_that_their_logs_name(tauprof, generate, diff, tmp_path):
    usual = "--ranks 4 --steps 60"
    logs = {"a": generate("a", f"{usual} {slow_rank(2, 1.2)}", 1), "b": generate("b", usual, 2)}
    reports = {side: tmp_path / f"{side}.json" for side in logs}
    for side, of in logs.items():
        subprocess.run([tauprof, "analyze", of, "--json", reports[side]], check=True, capture_output=True)
    report = json.loads(reports["a"].read_text())
    made = [rank["makes_ns_per_step"] for rank in report["stragglers"]["ranks"]]
    assert sum(made) + report["stragglers"]["nobody_makes_ns_per_step"] == pytest.approx(
        report["steps"]["duration_ns"]["mean"], abs=len(made) + 1)
    of_logs, of_reports = diff(logs["a"], logs["b"]), diff(reports["a"], reports["b"])
    for one, other in zip(of_logs["ranks"], of_reports["ranks"]):
        assert (one["rank"], one["named"], one["row"]) == (other["rank"], other["named"], other["row"])
        assert one["difference_ns"] == pytest.approx(other["difference_ns"], abs=0.02 * of_logs["step"]["difference_ns"])


def test_sections_that_do_not_exist_are_wrong_usage(run_diff):
    done = run_diff("x", "--against", "y", "--show", "rank")
    assert done.returncode == 2 and "'rank' is no section; there are ranks, " in done.stderr


def test_the_sections_that_the_text_names_can_be_asked_for(generate, run_diff):
    a, b = generate("a", "--ranks 2 --steps 12"), generate("b", "--ranks 2 --steps 12", 2)
    [named] = re.findall(r"^more: --show (.*)$", run_diff(a, "--against", b).stdout, re.MULTILINE)
    shown = run_diff(a, "--against", b, "--show", named)
    assert shown.returncode == 0 and "WHERE THE DIFFERENCE IS" in shown.stdout, shown.stderr


def test_reports_are_compared_like_their_logs(tauprof, generate, diff, run_diff, tmp_path):
    usual = "--ranks 4 --steps 60 --jitter-permille 20"
    logs = {"a": generate("a", f"{usual} --gemm 440us", 1), "b": generate("b", usual, 2)}
    reports = {side: tmp_path / f"{side}.json" for side in logs}
    for side, of in logs.items():
        subprocess.run([tauprof, "analyze", of, "--json", reports[side]], check=True, capture_output=True)
    of_logs, of_reports = diff(logs["a"], logs["b"]), diff(reports["a"], reports["b"])
    assert of_reports["verdict"]["outcome"] == of_logs["verdict"]["outcome"] == "slower"
    assert of_reports["step"]["p"] == pytest.approx(of_logs["step"]["p"], rel=1e-3)
    assert_parts_sum_to_the_step(of_reports)
    for name, row in of_reports["ledger"]["rows"].items():
        assert row["difference_ns"] == pytest.approx(of_logs["ledger"]["rows"][name]["difference_ns"], abs=2), name
        assert row["p"] is None
    by_name = {row["name"]: row for row in of_logs["kernels"]}
    assert all(row["difference_ns"] == pytest.approx(by_name[row["name"]]["difference_ns"], abs=2)
               for row in of_reports["kernels"])
    assert of_reports["settings"] == of_logs["settings"]
    assert any("a JSON report has the steps" in note for note in of_reports["notes"])
    # A report stands beside logs, too.
    mixed = diff(reports["a"], logs["b"])
    assert mixed["step"]["difference_ns"] == pytest.approx(of_logs["step"]["difference_ns"], abs=2)
    reports["a"].write_text('{"schema": "tauprof.report/2", "ledger": 1}')
    refused = run_diff(reports["a"], "--against", logs["b"])
    assert refused.returncode == 3 and len(refused.stderr.splitlines()) == 1 and "a.json" in refused.stderr


def test_a_run_of_a_directory_is_named_by_its_id(generate, diff, run_diff, tmp_path):
    logs = generate("logs", "--ranks 2 --steps 40", 1)
    for log in generate("other", "--ranks 2 --steps 40", 2).iterdir():
        log.rename(logs / f"other-{log.name}")
    report = diff(pathlib.Path(f"{logs}@generated-1"), pathlib.Path(f"{logs}@generated-2"))
    assert [report[side]["runs"][0]["id"] for side in "ab"] == ["generated-1", "generated-2"]
    assert "the same run is on both sides" not in report["notes"]
    missing = run_diff(f"{logs}@nothing", "--against", logs)
    assert missing.returncode == 3 and "nothing" in missing.stderr


def test_input_that_cannot_be_compared_is_one_line_and_status_3(generate, run_diff, tmp_path):
    logs = generate("logs", "--ranks 2 --steps 40")
    empty = tmp_path / "empty"
    empty.mkdir()
    (tmp_path / "report.json").write_text("{}")
    for bad in (empty, tmp_path / "absent", tmp_path / "report.json"):
        for sides in ((bad, "--against", logs), (logs, "--against", logs, bad)):
            finished = run_diff(*sides)
            assert finished.returncode == 3 and finished.stdout == ""
            assert len(finished.stderr.splitlines()) == 1 and bad.name in finished.stderr


@pytest.mark.parametrize("arguments", ["", "x", "--against x", "x --against y --fail-above -1"])
def test_wrong_usage_is_status_2(run_diff, arguments):
    assert run_diff(*arguments.split()).returncode == 2
