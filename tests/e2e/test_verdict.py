"""The verdict of generated jobs: a pipeline's bubble, and waiting that a straggler explains."""

import json
import re
import subprocess

import pytest


@pytest.fixture(scope="module")
def report_of(tauprof, tauprof_generate, tmp_path_factory):
    def made(options, *how):
        logs = tmp_path_factory.mktemp("job") / "logs"
        subprocess.run([tauprof_generate, *options.split(), "--out", logs], check=True, capture_output=True)
        printed = subprocess.run([tauprof, "analyze", logs, *how, "--json", "-"], check=True, capture_output=True)
        return json.loads(printed.stdout)

    return made


def ids(report):
    return [finding["id"] for finding in report["findings"]]


def test_a_bubble_is_the_verdict_with_the_reports_own_number(report_of):
    report = report_of("--ranks 4 --pipeline 4 --steps 6 --micro-batches 4")
    [pipeline] = report["messages"]["pipelines"]
    assert report["verdict"]["class"] == "pipeline"
    assert report["verdict"]["title"].startswith(f"The pipeline's bubble is {100 * pipeline['bubble']:.0f} % ")
    assert f"rank {pipeline['critical_rank']}," in report["verdict"]["because"][0]
    assert "comm-wait" in ids(report)  # nobody is to blame for it


def test_a_late_rank_of_a_pipeline_goes_before_its_bubble(report_of):
    stalls = " ".join(f"--stall 2:{step}=400ms" for step in range(6))
    report = report_of(f"--ranks 4 --pipeline 4 --steps 6 --micro-batches 4 {stalls}")
    assert report["verdict"]["class"] == "straggler" and "Rank 2" in report["verdict"]["title"]


def test_a_priced_repair_goes_before_a_longer_bubble(report_of):
    stalls = " ".join(f"--stall 2:{step}=15ms" for step in range(6))
    report = report_of(f"--ranks 4 --pipeline 4 --steps 6 --micro-batches 4 {stalls}")
    best = max(report["findings"], key=lambda finding: finding["saves_ns_per_step"] or 0)
    assert report["messages"]["pipelines"][0]["bubble"] > 0.5
    assert 0.03 < best["saves_ns_per_step"] / report["steps"]["duration_ns"]["mean"] < 0.05
    assert report["verdict"]["title"].startswith(best["title"])
    assert any(reason.startswith("the pipeline's bubble is ") for reason in report["verdict"]["because"])


def test_a_job_without_a_pipeline_has_no_bubble(report_of):
    assert report_of("--ranks 4 --steps 6")["verdict"]["class"] != "pipeline"


def test_waiting_that_a_straggler_explains_is_said_once(report_of):
    stalls = " ".join(f"--stall 2:{step}=30ms" for step in range(8))
    report = report_of(f"--ranks 4 --steps 8 {stalls}")
    rows = report["ledger"]["rows"]
    assert rows["exposed_comm_wait"] > 0.05 * report["ledger"]["step_ns"]
    assert "straggler" in ids(report) and "comm-wait" not in ids(report)


@pytest.mark.parametrize("options,is_slow", [("--slow-link 3=3", True), ("--link-bytes-per-us 100000", False)])
def test_exposed_transfers_on_slow_links_say_so(report_of, options, is_slow):
    report = report_of(f"--ranks 4 --steps 8 {options}", "--link-gbps", "800")
    [finding] = [finding for finding in report["findings"] if finding["id"] == "exposed-comm"]
    assert (" % of 100 GB/s" in finding["evidence"]) == is_slow
    assert finding["advice"].startswith("Look at the links first") == is_slow


@pytest.fixture
def text_of(tauprof, tauprof_generate, tmp_path):
    def made(options):
        subprocess.run([tauprof_generate, *options.split(), "--out", tmp_path / "logs"], check=True, capture_output=True)
        return subprocess.run([tauprof, "analyze", tmp_path / "logs"], check=True, capture_output=True, text=True).stdout

    return made


def test_a_long_step_and_the_rank_behind_it_are_one_repair(text_of):
    text = text_of("--ranks 4 --steps 20 --stall 2:7=200ms")
    assert "VERDICT  straggler: Rank 2 delays the others: its host is stalled; the others wait " in text
    assert "\n 1  Rank 2 delays the others" in text and not re.search(r"^ \d  Step 7 takes", text, re.M)


def test_a_long_step_and_what_all_ranks_do_in_it_are_one_repair(text_of):
    text = text_of("--ranks 4 --steps 20 " + "--allocation " + ",".join(f"{rank}:7=200ms" for rank in range(4)))
    assert "\n 1  Allocating, freeing and creating delay the device" in text and not re.search(r"^ \d  Step 7 takes", text, re.M)


def test_a_known_cause_comes_before_what_the_records_leave_open(report_of):
    report = report_of("--ranks 4 --steps 20 --missing 3 --stall 1:*=10ms")
    assert ids(report).index("host-stall") < ids(report).index("exposed-comm-unsplit")
    assert report["verdict"]["class"] == "host"


@pytest.mark.parametrize("options, missing", [
    ("--ranks 4 --steps 6 --seed 582 --stall 2:*=10ms", 0),
    ("--ranks 4 --steps 4 --seed 987 --data-wait 0:*=10ms", 3),
    ("--ranks 8 --steps 6 --seed 86 --orphans --micro-batches 4 --allocation 4:*=40ms", 7),
])
def test_a_log_that_is_missing_changes_no_price(tauprof, tauprof_generate, tmp_path, options, missing):
    """The others still wait for each other. And the first repair has a price."""
    def prices(name, more=""):
        logs = tmp_path / name
        subprocess.run([tauprof_generate, *options.split(), *more.split(), "--out", logs], check=True, capture_output=True)
        questions = "--without syncs --or --without data-waits --or --without stalls --json -".split()
        done = subprocess.run([tauprof, "whatif", logs, *questions], check=True, capture_output=True, text=True)
        return [scenario["step_ns"] for scenario in json.loads(done.stdout)["scenarios"]]

    assert prices("one less", f"--missing {missing}") == pytest.approx(prices("all"), rel=0.01)
    text = subprocess.run([tauprof, "analyze", tmp_path / "one less"], check=True, capture_output=True, text=True).stdout
    [first] = [line for line in text.splitlines() if line.startswith(" 1  ")]
    assert first.endswith(" ms")


def test_the_first_repair_is_what_the_verdict_says(text_of):
    text = text_of("--ranks 4 --steps 20 --busy-host 3=40")
    assert "VERDICT  straggler: Rank 3 delays the others: its host launches late; the others wait " in text
    [first] = [line for line in text.splitlines() if line.startswith(" 1  ")]
    assert first.startswith(" 1  Rank 3 delays the others: its host launches late; the others wait ")


@pytest.mark.parametrize("options", [
    "--ranks 4 --steps 30 --stall 0:5=900ms --data-wait 1:5=900ms --allocation 2:5=900ms",
    "--ranks 4 --steps 12 --step-end none --data-wait 0:*=9ms --allocation 1:*=9ms",
])
def test_causes_that_hide_each_other_are_the_verdict_together(report_of, options):
    """The first line never says less than the repairs below it, of which each alone gives nothing."""
    report = report_of(options)
    step = report["steps"]["duration_ns"]["mean"]
    assert report["whatif"]["combined_saving_ns_per_step"] > 0.2 * step
    assert report["verdict"]["class"] not in ("balanced", "gpu")
    assert "Several causes at once: no repair alone gives 3 % of the step, all together make it" in report["verdict"]["title"]


def test_a_straggler_says_its_own_share_and_that_of_the_others(report_of):
    report = report_of("--ranks 4 --steps 40 --stall 2:*=30ms")
    title = report["findings"][0]["title"]
    own, others = map(int, re.fullmatch(r"Rank 2 delays the others: its host is stalled (\d+) % of its step; "
                                        r"the others wait (\d+) % of theirs", title).groups())
    [rank] = [rank for rank in report["per_rank"] if rank["rank"] == 2]
    assert own == round(100 * rank["ledger"]["idle_host_stall"] / rank["step_ns"])
    waiting = [rank for rank in report["per_rank"] if rank["rank"] != 2]
    all_waiting = 100 * sum(rank["ledger"]["exposed_comm_wait"] for rank in waiting) / sum(rank["step_ns"] for rank in waiting)
    assert all_waiting - 4 < others <= round(all_waiting)  # in the first step waiting is that of starting up


def test_a_finding_about_some_steps_names_them(report_of):
    report = report_of("--ranks 4 --steps 20 --allocation " + ",".join(f"{rank}:7=200ms" for rank in range(4)))
    assert report["findings"][0]["title"] == "Allocating, freeing and creating delay the device (step 7)"


def test_one_process_is_one_rank(text_of):
    assert text_of("--ranks 1 --steps 4").startswith("1 rank · ")


def test_a_mean_of_some_steps_is_said_to_be_theirs(tauprof, data_folder):
    """Of three steps two can be replayed, and the mean of those is not the step that the report begins with."""
    said = subprocess.run([tauprof, "analyze", data_folder / "torchrec_sst5qb", "--json", "-"], capture_output=True)
    report = json.loads(said.stdout)
    assert report["whatif"]["limited_to"].startswith("2 of 3 steps")
    [mean] = re.findall(r"instead of (.*) ms, the mean of the steps that can be replayed$", report["verdict"]["title"])
    assert abs(float(mean) * 1e6 / report["steps"]["duration_ns"]["mean"] - 1) > 0.01


def test_ranks_for_which_a_check_fails_have_a_repair_each(text_of):
    """However little each of them costs by itself."""
    text = text_of("--ranks 8 --steps 16 --slow-rank 2=1.08 --slow-rank 6=1.08 --extra-kernels 5=1")
    assert "waits for ranks 2, 5, 6)" in " ".join(text.split())
    assert re.search(r"^ \d  Ranks 2, 6 delay the others", text, re.M)
    assert re.search(r"^ \d  Rank 5 delays the others: it has more to compute", text, re.M)


def test_two_late_ranks_are_not_each_charged_with_all_waiting(report_of):
    report = report_of("--ranks 8 --steps 14 --stall 1:3=6ms,2:7=6ms,4:9=4ms")
    waits = report["ledger"]["rows"]["exposed_comm_wait"] / report["ledger"]["step_ns"]
    shares = [int(re.search(r"the others wait (\d+) % of theirs", finding["title"])[1])
              for finding in report["findings"] if finding["id"] == "straggler"]
    assert len(shares) == 3 and sum(shares) <= 100 * waits * 8 / 7 + 1.5
