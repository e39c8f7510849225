"""Steps that differ from the others are findings: which, by how much, and what grew. Where that is the time of a row of
the ledger, or of a rank that delays the others, it is said with these."""

import re

import pytest

from data_parallel_job import Job


def pause(length):
    return lambda rank: rank.pause(length)


LONGER = re.compile(r"Steps? [\d, to]+ takes? .*|Steps take .* from step .*")


def findings(report, *job, **options):
    return [finding for finding in report(*Job(*job, **options).traces())["findings"] if longer(finding)]


def longer(finding):
    """The finding's words about steps that are longer than others."""
    text = LONGER.search(f"{finding['title']}: {finding['evidence']}")
    return text and text[0].split(";")[0]


def test_equal_steps_are_no_finding(report):
    assert findings(report, {}, steps=12) == []


@pytest.mark.parametrize("steps", [3, 12])
def test_one_long_step_of_all_ranks(report, steps):
    [found] = findings(report, {(rank, 1, "forward"): pause(300_000) for rank in range(4)}, steps=steps)
    assert found["id"] == "host-stall"
    assert longer(found) == (f"Step 1 takes 316.4 ms, the others {21.30 if steps == 3 else 21.32:.2f} ms: "
                             "idle_host_stall grew from 0 ns to 295.1 ms a step on most ranks")
    assert (found["ranks"], found["steps"]) == ([], [1])
    assert found["saves_ns_per_step"] == pytest.approx(295e6 / steps, rel=0.01)


def test_a_long_step_names_the_rank_that_the_others_wait_for(report):
    [found] = findings(report, {(2, 5, "forward"): pause(300_000)}, steps=12)
    assert found["id"] == "straggler"
    assert "idle_host_stall grew" in longer(found)
    assert (found["ranks"], found["steps"]) == ([2], [5])


def test_a_row_that_costs_less_on_all_ranks_is_a_finding_of_its_own(report):
    found = report(*Job({(2, 5, "forward"): pause(300_000)}, steps=12).traces())["findings"]
    assert [finding["id"] for finding in found if finding["saves_ns_per_step"]] == ["straggler", "host-sync"]
    assert "Look at what the thread waits for" in found[0]["advice"]


def test_long_steps_for_different_reasons_are_different_findings(report):
    found = findings(report, {**{(rank, 3, "forward"): pause(100_000) for rank in range(4)},
                              **{(rank, 9, "forward"): lambda rank: rank.compute(100_000) for rank in range(4)}},
                     steps=12)
    assert {(finding["id"], longer(finding).split(": ")[1].split()[0], *finding["steps"]) for finding in found} == {
        ("host-stall", "idle_host_stall", 3), ("slow-steps", "compute", 9)}


def test_long_steps_that_come_regularly_are_one_finding(report):
    defects = {(rank, step, "end"): pause(50_000) for rank in range(4) for step in (2, 6, 10)}
    [found] = findings(report, defects, steps=13)
    assert longer(found).startswith("Steps 2, 6, 10 take 71.32 ms")


@pytest.mark.parametrize("outlier", [None, 3])
def test_an_all_reduce_that_is_five_times_slower_from_some_step_on(report, outlier):
    defects = {} if outlier is None else {(0, outlier, "forward"): pause(100_000)}
    *others, found = sorted(findings(report, defects, steps=14, transfer=lambda step: 800 if step < 8 else 4_000),
                            key=lambda finding: finding["id"] == "step-change")
    assert found["title"] == "Steps take 24.52 ms from step 8 on, 21.32 ms before"
    assert found["evidence"].endswith("all_reduce of 4.19 MB took 4.000 ms instead of 800.0 us")
    assert (found["ranks"], found["steps"]) == ([], list(range(8, 14)))
    assert found["saves_ns_per_step"] == pytest.approx(3.2e6 * 6 / 14, rel=0.01)
    assert [finding["steps"] for finding in others] == ([] if outlier is None else [[outlier]])


def test_a_rank_that_computes_more_from_some_step_on(report):
    defects = {(1, step, "forward"): lambda rank: rank.compute(8_000) for step in range(6, 13)}
    [found] = findings(report, defects, steps=13)
    assert found["id"] == "straggler"
    assert longer(found) == ("Steps take 29.32 ms from step 6 on, 21.32 ms before: "
                             "compute grew from 20.50 ms to 28.50 ms a step on rank 1")
    assert (found["ranks"], found["steps"]) == ([1], list(range(6, 13)))


def test_half_of_the_steps_being_longer_is_no_outlier(report):
    defects = {(rank, step, "end"): pause(50_000) for rank in range(4) for step in range(0, 12, 2)}
    assert findings(report, defects, steps=12) == []
