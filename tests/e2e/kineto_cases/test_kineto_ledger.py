"""The time ledger row by row, on traces computed by hand from docs/metrics.md."""

import pytest

from kineto_trace import AUTOGRAD, COMM, COMPUTE, LOADER, Trace, one_step, rows, run


def test_a_kernel_counts_as_compute(report):
    assert rows(report(one_step())) == {"compute": 100}


def test_a_copy_counts_only_where_nothing_computes(report):
    trace = one_step()
    trace.copy(180, 230, launch=(30, 40))
    assert rows(report(trace)) == {"compute": 100, "exposed_copy": 30}


def test_communication_with_a_missing_rank_is_not_split(report):
    trace = one_step()
    trace.rank, trace.world = 0, 2
    trace.all_reduce(190, 260, launch=(30, 40))
    result = report(trace)
    assert rows(result) == {"compute": 100, "exposed_comm_unsplit": 60}
    assert result["overlap"]["hidden_comm_ns"] == 10_000
    assert result["run"]["missing_ranks"] == [1]


def test_a_kernel_that_only_sounds_like_communication_is_unclassified(report):
    trace = one_step()
    trace.kernel(200, 250, "my_custom_all_gather_v2", launch=(30, 40))
    result = report(trace)
    assert rows(result) == {"compute": 100, "unclassified": 50}
    assert result["quality"]["unclassified_kernels"] == [{"name": "my_custom_all_gather_v2", "count": 1, "ns": 50_000}]


def test_the_time_between_a_finished_launch_and_its_kernel_is_device_latency(report):
    trace = one_step()
    trace.kernel(215, 300, launch=(110, 120))
    assert rows(report(trace)) == {"compute": 185, "idle_device_latency": 15}


def test_a_gap_around_a_synchronisation_matches_the_example_in_the_document(report):
    trace = one_step()
    trace.call("cudaStreamSynchronize", 120, 210)
    trace.kernel(260, 300, launch=(240, 250))
    assert rows(report(trace)) == {"compute": 140, "idle_host_sync": 40, "idle_host_launch": 10,
                                   "idle_device_latency": 10}


def test_calls_between_a_synchronisation_and_the_next_launch_belong_to_it(report):
    trace = one_step()
    trace.call("cudaStreamSynchronize", 120, 210)
    trace.call("cudaEventQuery", 215, 220)
    trace.kernel(255, 300, launch=(240, 250))
    assert rows(report(trace)) == {"compute": 145, "idle_host_sync": 40, "idle_host_launch": 10,
                                   "idle_device_latency": 5}


def test_a_busy_host_is_launch_bound(report):
    trace = one_step()
    trace.kernel(360, 400, launch=(340, 355))
    assert rows(report(trace)) == {"compute": 140, "idle_host_launch": 155, "idle_device_latency": 5}


def test_a_gap_between_update_and_input_copy_is_a_data_wait(report):
    trace = Trace()
    trace.begin_in_the_midst()
    trace.step(1, 0, 10_000)
    trace.annotation("Optimizer.step#AdamW.step", 5, 40)
    trace.kernel(100, 200, launch=(20, 30))
    trace.copy(515, 525, launch=(500, 510))
    assert rows(report(trace)) == {"compute": 100, "exposed_copy": 10, "idle_data_wait": 300, "idle_host_launch": 10,
                                   "idle_device_latency": 5}


def test_the_first_input_copy_ends_the_wait_for_data(report):
    trace = Trace()
    trace.step(1, 0, 10_000)
    trace.annotation("Optimizer.step#AdamW.step", 5, 40)
    trace.kernel(100, 200, launch=(20, 30))
    trace.copy(515, 520, launch=(500, 510))
    trace.copy(600, 620, launch=(580, 590))
    assert rows(report(trace))["idle_data_wait"] == 300


def test_a_gap_inside_the_loaders_range_is_a_data_wait(report):
    trace = one_step()
    trace.annotation(LOADER, 25, 459)
    trace.kernel(475, 500, launch=(460, 470))
    result = rows(report(trace))
    assert result["idle_data_wait"] == pytest.approx(259, abs=1)
    assert result["idle_device_latency"] == 5


def test_a_gap_inside_the_outer_of_two_loader_ranges_is_a_data_wait(report):
    trace = one_step()
    trace.annotation("dataloader", 25, 600)
    trace.annotation("load_batch", 30, 150)  # over before the gap starts
    trace.call("cudaEventQuery", 160, 161)
    trace.kernel(615, 700, launch=(600, 610))
    assert rows(report(trace))["idle_data_wait"] == 400


def test_a_short_loader_range_does_not_make_a_long_gap_a_data_wait(report):
    trace = one_step()
    trace.annotation(LOADER, 210, 220)
    trace.kernel(1015, 1100, launch=(1000, 1010))
    assert rows(report(trace)).get("idle_data_wait", 0) <= 10


def test_a_silent_thread_is_stalled(report):
    trace = one_step()
    trace.event("cpu_op", "aten::mm", 5, 25)
    trace.kernel(5_015, 5_100, launch=(5_000, 5_010))
    assert rows(report(trace)) == {"compute": 185, "idle_host_stall": 4_800, "idle_host_launch": 10,
                                   "idle_device_latency": 5}


def test_a_thread_that_runs_operators_is_not_stalled(report):
    trace = one_step()
    for start in range(200, 5_000, 500):
        trace.event("cpu_op", "aten::view", start, start + 100)
    trace.kernel(5_015, 5_100, launch=(5_000, 5_010))
    assert rows(report(trace)) == {"compute": 185, "idle_host_launch": 4_810, "idle_device_latency": 5}


def test_without_recorded_operators_silence_proves_nothing(report):
    trace = one_step()
    trace.kernel(5_015, 5_100, launch=(5_000, 5_010))
    assert "idle_host_stall" not in rows(report(trace))


def test_a_thread_that_waits_for_the_main_thread_is_not_stalled(report):
    """The main thread issues the forward pass without a pause; then the autograd thread takes over."""
    trace = Trace()
    trace.begin_in_the_midst()
    trace.step(1, 0, 100_000)
    for start in range(0, 20_000, 100):
        trace.event("cpu_op", "aten::mm", start, start + 90)
    for start in range(100, 19_900, 200):
        trace.kernel(start, start + 200, launch=(start - 60, start - 55))
    for start in (-5_000, 20_050):
        trace.event("cpu_op", "autograd::engine::evaluate_function: MmBackward0", start, start + 200, tid=AUTOGRAD)
        trace.kernel(start + 60, start + 200, launch=(start + 50, start + 55), tid=AUTOGRAD)
    assert "idle_host_stall" not in rows(report(trace))


def test_a_kernel_after_an_event_wait_is_a_dependency(report):
    trace = one_step()
    trace.call("cudaStreamWaitEvent", 100, 101)
    trace.kernel(230, 300, launch=(105, 110))
    assert rows(report(trace)) == {"compute": 170, "idle_dependency": 30}


def test_a_wait_on_another_stream_does_not_hold_this_one(report):
    trace = one_step()
    wait = trace.call("cudaStreamWaitEvent", 100, 101)
    trace.on_device(100, 101, "Stream Wait Event", "cuda_sync", stream=COMM, correlation=wait,
                    wait_on_stream=COMPUTE, wait_on_cuda_event_id=3)
    trace.kernel(230, 300, launch=(105, 110))
    assert rows(report(trace)) == {"compute": 170, "idle_device_latency": 30}


def test_a_gap_before_a_kernel_without_a_launch_is_unexplained(report):
    trace = one_step()
    trace.on_device(250, 300)
    trace.kernel(300, 310, launch=(30, 40))
    assert rows(report(trace)) == {"compute": 160, "idle_other": 50}


def test_adjacent_spans_leave_no_gap_and_do_not_overlap(report):
    trace = one_step()
    trace.kernel(200, 300, launch=(30, 40))
    assert rows(report(trace)) == {"compute": 200}


def test_kernels_on_two_streams_count_once(report):
    trace = Trace()
    trace.step(1, 0, 10_000)
    trace.kernel(100, 200, launch=(10, 20))
    trace.kernel(150, 260, launch=(30, 40), stream=9)
    result = report(trace)
    assert rows(result)["compute"] == 160
    assert result["per_rank"][0]["hta"]["compute_time_us"] == 160


def test_a_zero_length_kernel_takes_no_time_from_a_gap(report):
    trace = one_step()
    trace.kernel(250, 250, launch=(30, 40))
    trace.kernel(300, 400, launch=(41, 42))
    assert rows(report(trace)) == {"compute": 200, "idle_device_latency": 100}


@pytest.mark.parametrize("start", [50, 450])
def test_a_zero_length_kernel_at_the_edge_of_a_step_keeps_the_sum(report, start):
    trace = Trace()
    trace.step(1, 0, 10_000)
    trace.kernel(100, 200, launch=(10, 20))
    trace.kernel(start, start, launch=(2, 3))
    trace.kernel(200, 400, launch=(30, 40))
    assert rows(report(trace))["compute"] == 300


def test_a_kernel_launched_before_the_first_step_counts_inside_the_step(report):
    trace = Trace()
    trace.kernel(50, 150, launch=(-50, -40))
    trace.step(1, 0, 150)
    trace.kernel(100, 120, launch=(10, 20), stream=9)
    trace.kernel(160, 200, launch=(30, 40))
    assert rows(report(trace)) == {"compute": 140, "idle_device_latency": 60}


def test_work_after_the_last_step_does_not_count(report):
    trace = Trace()
    trace.step(1, 0, 10_000)
    trace.kernel(100, 200, launch=(10, 20))
    trace.kernel(11_000, 12_000)
    result = report(trace)
    assert rows(result)["compute"] == 100
    assert [kernel["count"] for kernel in result["kernels"]] == [1]
    assert result["per_rank"][0]["hta"]["compute_time_us"] == 1_100


def test_a_window_ends_at_the_first_kernel_of_the_next_step(report):
    trace = Trace()
    trace.step(1, 0, 300)
    trace.step(2, 300, 600)
    trace.kernel(100, 200, launch=(10, 20))
    trace.kernel(400, 500, launch=(310, 320))
    result = report(trace)
    assert [(step["step"], step["duration_ns"]) for step in result["steps"]["list"]] == [(1, 400_000), (2, 200_000)]


@pytest.mark.parametrize("name", ["void deep_ep::intranode::dispatch<8, 768>(int4*)", "dpsk::ep::combine_kernel",
                                  "nvshmemi_transfer_put_kernel", "void vllm::cross_device_reduce_1stage<half, 8>(int)"])
def test_communication_that_is_not_nccls_counts_with_its_overlap(report, name):
    trace = one_step()
    trace.kernel(150, 250, name, launch=(30, 40), stream=COMM)
    result = report(trace)
    assert rows(result)["compute"] == 100 and sum(rows(result).values()) == 150
    assert result["overlap"]["comm_ns"] == 100_000
    assert result["overlap"]["overlap_fraction"] == pytest.approx(0.5)


@pytest.mark.parametrize("on_stream, steps, differs", [(False, 3, True), (True, 3, False), (False, 1, False)])
def test_copies_of_steps_without_a_stream_make_hta_keep_a_step_more(report, on_stream, steps, differs):
    trace = Trace()
    for step in range(steps):
        now = step * 1_000
        trace.step(step, now, now + 1_000)
        trace.kernel(now + 100, now + 500)
        stream = {"stream": COMPUTE} if on_stream else {}
        trace.event("gpu_user_annotation", f"ProfilerStep#{step}", now + 100, now + 500, tid=COMPUTE, pid=0, **stream)
    [rank] = report(trace)["per_rank"]
    assert rank["hta"]["compute_time_us"] == 400 * max(1, steps - 1)
    assert (rank["hta_differs"] is not None) == differs
