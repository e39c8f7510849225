"""Steps, phases and statistics of small traces, computed by hand from docs/metrics.md."""

import pytest

from kineto_trace import LOADER, Trace, job, loop, rank_of, rows, straggling

def steps_of(result):
    return [step["step"] for step in result["steps"]["list"]]


@pytest.mark.parametrize("names, family, numbers", [
    (["ProfilerStep#3", "ProfilerStep#4", "ProfilerStep#5"], "marker ProfilerStep#", [3, 4, 5]),
    (["iteration 5", "iteration 6"], "marker iteration", [5, 6]),
    (["train_step", "train_step", "train_step"], "marker train_step", [0, 1, 2]),
    (["step 9", "step 3"], "marker step", [0, 1]),
    (["step 1/100", "step 2/100"], None, [1, 2]),
    (["step_3_train", "step_4_train"], None, [3, 4]),
])
def test_markers_give_steps_their_numbers(report, names, family, numbers):
    result = report(loop(names))
    assert result["steps"]["detected_by"] == family or family is None
    assert result["steps"]["confidence"] == 1
    assert steps_of(result) == numbers


def test_parts_of_a_step_are_not_steps(report):
    trace = loop(["train_step 0", "train_step 1"])
    for i in range(8):
        trace.annotation(f"micro_step {i}", 250 * i + 1, 250 * i + 249)
        trace.annotation("Optimizer.step#AdamW.step", 250 * i + 200, 250 * i + 240)
    result = report(trace)
    assert (result["steps"]["detected_by"], result["steps"]["count"]) == ("marker train_step", 2)


@pytest.mark.parametrize("name", ["criterion", "timestep_embedding", LOADER])
def test_names_that_only_contain_the_word_step_are_not_steps(report, name):
    trace = loop([None] * 3)
    for i in range(3):
        trace.annotation(name, 1_000 * i + 400, 1_000 * i + 450)
    result = report(trace)
    assert (result["steps"]["detected_by"], result["steps"]["count"]) == ("time", 1)


def test_without_markers_steps_end_with_the_optimizer(report):
    trace = Trace()
    for i in range(3):
        trace.kernel(1_000 * i + 100, 1_000 * i + 500)
        trace.kernel(1_000 * i + 600, 1_000 * i + 700, "multi_tensor_apply_kernel<FusedAdamMathFunctor>")
    result = report(trace)
    assert (result["steps"]["detected_by"], result["steps"]["count"]) == ("optimizer", 3)


def test_without_any_evidence_a_short_recording_is_one_time_slice(report):
    result = report(loop([None, None]))
    assert (result["steps"]["detected_by"], result["steps"]["confidence"], steps_of(result)) == ("time", 0, [0])
    assert rows(result)["compute"] == 1_800


def test_a_single_marked_step_is_accepted(report):
    assert steps_of(report(loop(["ProfilerStep#12"]))) == [12]


def test_slow_first_steps_are_warm_up(report):
    lengths = [9_000, 3_100, 1_000, 1_010, 990, 1_000, 1_020, 1_000]
    result = report(loop([f"ProfilerStep#{i}" for i in range(8)], lengths=lengths))
    assert (result["steps"]["warmup"], steps_of(result)) == (2, [2, 3, 4, 5, 6, 7])


def test_seven_steps_are_too_few_for_warm_up(report):
    result = report(loop([f"ProfilerStep#{i}" for i in range(7)], lengths=[9_000] + [1_000] * 6))
    assert (result["steps"]["warmup"], result["steps"]["count"]) == (0, 7)


def test_steps_chosen_by_the_user_count_even_if_they_are_slow(report):
    trace = loop([f"ProfilerStep#{i}" for i in range(8)], lengths=[9_000] + [1_000] * 7)
    result = report(trace, options=["--steps", "0:2"])
    assert (steps_of(result), result["quality"]["steps_outside"]) == ([0, 1, 2], 5)
    assert rows(result)["compute"] == 8_900 + 900 + 900


def test_ranks_may_have_different_steps(report):
    traces = [loop([f"ProfilerStep#{i}" for i in numbers], first=1_000 * numbers[0], trace=Trace(rank, 2))
              for rank, numbers in enumerate(([1, 2, 3], [2, 3, 4, 5]))]
    result = report(*traces)
    assert steps_of(result) == [1, 2, 3, 4, 5]
    assert rank_of(result, 0)["step_ns"] == 3_000_000 and rank_of(result, 1)["step_ns"] == 4_000_000


def test_markers_on_one_rank_only_are_reported(report):
    traces = [loop(["ProfilerStep#0", "ProfilerStep#1"], trace=Trace(0, 2)), loop([None, None], trace=Trace(1, 2))]
    assert "steps-disagree" in [finding["id"] for finding in report(*traces)["findings"]]


def test_chosen_ranks_restrict_the_times_but_not_the_waits(report):
    traces = job(2)
    for trace, late in zip(traces, (0, 40)):
        trace.collective(300 + late, 400, "allreduce", 1000, range(2))
    result = report(*traces, options=["--ranks", "0"])
    assert [entry["rank"] for entry in result["per_rank"]] == [0]
    assert rows(result)["exposed_comm_wait"] == 40
    assert straggling(result, 1)["blamed_ns"] == 40_000


def test_quantiles_of_steps_interpolate(report):
    result = report(loop(["ProfilerStep#0", "ProfilerStep#1"], lengths=[300, 200]), options=["--batch", "8"])
    assert [step["duration_ns"] for step in result["steps"]["list"]] == [400_000, 100_000]
    assert result["steps"]["duration_ns"] == {"mean": 250_000, "median": 250_000, "p95": 385_000, "min": 100_000,
                                              "max": 400_000, "stddev": 150_000}
    assert result["steps"]["samples_per_s"] == pytest.approx(8 / 250e-6)


def test_a_kernel_across_a_step_boundary_counts_once_with_its_time_in_both_steps(report):
    trace = Trace()
    trace.step(1, 0, 500)
    trace.step(2, 500, 1_000)
    trace.kernel(100, 700, launch=(10, 20))
    trace.kernel(600, 800, launch=(510, 520), stream=9)
    result = report(trace)
    assert [step["duration_ns"] for step in result["steps"]["list"]] == [600_000, 400_000]
    assert [(kernel["count"], kernel["total_ns"]) for kernel in result["kernels"]] == [(2, 800_000)]
    assert rows(result)["compute"] == 700


def test_phases_divide_host_and_device_time(report):
    trace = Trace()
    trace.step(1, 0, 1_000)
    for name, start, end, begin, until in (("forward", 0, 400, 100, 400), ("backward", 400, 700, 450, 700),
                                           ("Optimizer.step#AdamW.step", 700, 900, 750, 850)):
        trace.annotation(name, start, end)
        trace.kernel(begin, until, launch=(start + 10, start + 20))
    result = report(trace)
    times = {phase["name"]: (phase["host_ns"]["mean"] / 1000, phase["device_ns"]["mean"] / 1000)
             for phase in result["phases"] if phase["host_ns"]["mean"] or phase["device_ns"]["mean"]}
    assert times == {"forward": (400, 300), "backward": (300, 250), "optim_step": (200, 100), "other": (100, 0),
                     "backward_step": (500, 350), "total": (1_000, 650)}
    by_phase = {phase: sum(cells.values()) / 1000 for phase, cells in result["ledger"]["by_phase"].items()}
    assert {phase: us for phase, us in by_phase.items() if us} == {
        "forward": 400, "backward": 300, "optim_step": 150, "other": 150}
