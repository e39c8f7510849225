"""Another profiler in the process has a subscriber of its own, which CUPTI has known since CUDA 13.2. From 13.4, with a
driver that can, it and the recorder get their records at the same time; before, the recorder gives way."""

import os
import re

import pytest

from test_other_cupti_user import WORK_OF_EACH_PART, device_gaps, launches_with_times, run
from tiers import two_tiers

CUDA_13_2, CUDA_13_3, CUDA_13_4 = "version=130200", "version=130301", "version=130400"


def run_subscriber(tmp_path, faults, *options):
    done, log = run(tmp_path, *options, program="TAUPROF_CUPTI_SUBSCRIBER", SIMGPU_CUPTI_FAULTS=faults)
    return done, log, {name: int(value) for name, value in re.findall(r"(\w+) (\d+)", done.stdout)}


@pytest.mark.parametrize("faults", [CUDA_13_4, CUDA_13_4 + ",slow"])
def test_both_get_all_of_their_records(tmp_path, faults):
    """Also if the recorder's writer thread looks several times while the program's thread subscribes for it."""
    done, log, printed = run_subscriber(tmp_path, faults)
    assert printed == {"subscription": 0, "records": WORK_OF_EACH_PART, "calls": WORK_OF_EACH_PART + 1}
    assert launches_with_times(log) == 3 * WORK_OF_EACH_PART
    assert not log.rows["drop"]
    assert "cupti_shared" in {row["name"] for row in log.rows["attribute"]}
    assert "tauprof:" not in done.stderr


def test_our_times_stay_on_our_clock(tmp_path):
    """Of all three parts: before, beside the other, and alone again."""
    _, log, _ = run_subscriber(tmp_path, CUDA_13_4)
    calls = {row["correlation"]: row for row in log.rows["call"]}
    sets = [row for row in log.rows["device_activity"] if row["activity"] == "memset"]
    assert len(sets) == 3 * WORK_OF_EACH_PART
    for row in sets:
        assert 0 <= row["start"] - calls[row["correlation"]]["start"] < 1_000_000_000


def test_the_changes_of_hands_are_short_gaps(tmp_path):
    _, log, _ = run_subscriber(tmp_path, CUDA_13_4)
    assert len(device_gaps(log)) == 2
    assert all(gap["end"] - gap["start"] < 500_000_000 for gap in device_gaps(log))


@pytest.mark.parametrize("options", [(), ("--then-without",)])
def test_a_subscriber_that_was_first_has_company_too(tmp_path, options):
    done, log, printed = run_subscriber(tmp_path, CUDA_13_4, "--first", *options)
    assert printed["subscription"] == 0 and printed["records"] == WORK_OF_EACH_PART
    assert printed["calls"] == WORK_OF_EACH_PART + 1  # none for our events
    assert launches_with_times(log) == 2 * WORK_OF_EACH_PART
    if options:
        assert printed["without"] == 0


def test_who_then_works_without_a_subscriber_is_not_refused(tmp_path):
    """PyTorch's profiler, say, right after another one: CUPTI refuses it as long as anybody is subscribed."""
    done, log, _ = run_subscriber(tmp_path, CUDA_13_4, "--then-without")
    assert f"without 0, records {WORK_OF_EACH_PART}\n" in done.stdout
    assert launches_with_times(log) == 3 * WORK_OF_EACH_PART


@pytest.mark.parametrize("pause_ms", two_tiers(range(0, 160, 20), {0, 60, 120}.__contains__))
def test_a_client_that_comes_while_cupti_changes_hands_gets_all_of_its_records(tmp_path, pause_ms):
    """The recorder needs 50 ms to unsubscribe, and as long to take CUPTI again: the client comes before, in the midst
    of it, and after."""
    done, _, _ = run_subscriber(tmp_path, CUDA_13_4 + ",slow", f"--then-without={pause_ms}")
    assert f"without 0, records {WORK_OF_EACH_PART}\n" in done.stdout


@pytest.mark.parametrize("faults", [CUDA_13_2, CUDA_13_3, CUDA_13_4])
def test_a_subscriber_that_wants_to_be_alone_is(tmp_path, faults):
    done, log, printed = run_subscriber(tmp_path, faults, "--alone")
    assert printed["subscription"] == 0 and printed["records"] == WORK_OF_EACH_PART
    assert launches_with_times(log) == 2 * WORK_OF_EACH_PART
    assert len(device_gaps(log)) == 1
    assert done.stderr.count("tauprof:") == 1 and "another profiler takes CUPTI" in done.stderr


def test_where_subscribers_have_no_clocks_we_give_way(tmp_path):
    done, log, printed = run_subscriber(tmp_path, CUDA_13_3)
    assert printed["subscription"] == 0 and printed["records"] == WORK_OF_EACH_PART
    assert launches_with_times(log) == 2 * WORK_OF_EACH_PART
    assert len(device_gaps(log)) == 1
    assert done.stderr.count("tauprof:") == 1


def test_with_an_older_driver_neither_is_harmed(tmp_path):
    """CUPTI refuses the other's wish for company, as it would without us; the recorder soon has CUPTI again."""
    done, log, printed = run_subscriber(tmp_path, f"{CUDA_13_4},one_subscriber")
    assert printed["subscription"] == 39
    assert launches_with_times(log) == 2 * WORK_OF_EACH_PART
    assert len(device_gaps(log)) == 1
