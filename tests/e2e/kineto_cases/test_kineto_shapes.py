"""Unusual traces: graphs, AMD, several devices or runs, odd names and times."""

import json

import pytest

from kineto_trace import (ALL_REDUCE, BASE_NS, COMM, COMPUTE, GEMM, Trace, imported, job, line_of,
                          loop, one_step, rows, run)


def test_synchronisation_records_are_not_work(report):
    trace = one_step()
    sync = trace.call("cudaStreamSynchronize", 120, 240)
    trace.on_device(120, 240, "Stream Sync", "cuda_sync", correlation=sync)
    trace.on_device(120, 240, "Event Sync", "cuda_sync", stream=-1, correlation=sync)
    trace.kernel(260, 300, launch=(245, 255))
    assert rows(report(trace)) == {"compute": 140, "idle_host_sync": 45, "idle_host_launch": 10,
                                   "idle_device_latency": 5}


def test_annotations_on_the_device_are_not_work(report):
    trace = one_step()
    trace.event("gpu_user_annotation", "ProfilerStep#1", 50, 900, tid=COMPUTE, pid=0, device=0, stream=COMPUTE)
    assert rows(report(trace)) == {"compute": 100}


def graph_launch(trace, *kernels):
    launch = trace.call("cudaGraphLaunch", 30, 60)
    for start, end, name, stream, args in kernels:
        trace.on_device(start, end, name, stream=stream, correlation=launch, **{"graph node id": start} | args)


def test_the_kernels_of_a_graph_keep_their_classes(report):
    traces = job(2)
    for trace in traces:
        graph_launch(trace, (200, 300, GEMM, COMPUTE, {}), (300, 400, ALL_REDUCE, COMM, {}),
                     (400, 450, GEMM, COMPUTE, {}))
    assert rows(report(*traces), 0) == {"compute": 250, "exposed_comm_transfer": 100}


def test_arguments_of_one_kernel_of_a_graph_do_not_apply_to_the_others(report):
    traces = job(2)
    arguments = {"Collective name": "allreduce", "In msg nelems": 1000, "Out msg nelems": 1000, "Group size": 2,
                 "dtype": "Float", "Process Group Name": "0", "Process Group Ranks": "[0, 1]"}
    for trace in traces:
        graph_launch(trace, (200, 300, GEMM, COMPUTE, {}), (300, 400, ALL_REDUCE, COMM, arguments))
    assert rows(report(*traces), 0) == {"compute": 200, "exposed_comm_transfer": 100}


def test_launches_through_the_driver_are_recognised(report):
    trace = one_step()
    launch = trace.call("cuLaunchKernel", 110, 120, category="cuda_driver")
    trace.on_device(220, 300, "triton_poi_fused_add_0", correlation=launch)
    assert rows(report(trace)) == {"compute": 180, "idle_device_latency": 20}


def test_kernels_of_an_amd_gpu_are_classified(report):
    trace = Trace()
    trace.begin_in_the_midst()
    trace.step(1, 0, 10_000)
    trace.annotation("Optimizer.step#AdamW.step", 5, 40)
    launch, copy = trace.call("hipExtModuleLaunchKernel", 10, 20), trace.call("hipMemcpyWithStream", 500, 530)
    trace.on_device(100, 200, "Cijk_Ailk_Bljk_HHS_BH_MT128x128x32", correlation=launch)
    trace.on_device(515, 525, "Memcpy HtoD (Host -> Device)", "gpu_memcpy", correlation=copy)
    assert rows(report(trace)) == {"compute": 100, "exposed_copy": 10, "idle_data_wait": 300, "idle_host_sync": 15}


def test_kernels_without_correlation_count_in_the_window_where_they_run(report):
    trace = one_step()
    trace.on_device(200, 250)
    trace.on_device(250, 260, "a_kernel_that_nobody_knows")
    trace.kernel(260, 300, launch=(30, 40))
    result = report(trace)
    assert rows(result) == {"compute": 190, "unclassified": 10}
    assert result["quality"]["unmatched_spans"] == 2


def test_ids_may_be_negative(report):
    trace = Trace(pid=-1)
    trace.step(1, 0, 10_000)
    trace.event("cuda_runtime", "cudaLaunchKernel", 10, 20, tid=-2, correlation=-7)
    trace.on_device(100, 200, stream=-1, correlation=-7)
    assert rows(report(trace))["compute"] == 100


def test_names_with_any_characters_survive(report):
    name = 'kernel "quoted" \\ line\nbreak\ttab é 漢字 😀 {} %s'
    trace = one_step()
    trace.kernel(200, 250, name, launch=(30, 40))
    assert name in [kernel["name"] for kernel in report(trace)["kernels"]]


@pytest.mark.parametrize("character", ["\n", "\x1b", "\x00"])
def test_the_text_report_keeps_names_on_their_line(tauprof, tmp_path, character):
    trace = one_step()
    trace.kernel(200, 250, f"one{character}two", launch=(30, 40))
    text = run(tauprof, "analyze", imported(tauprof, tmp_path, [trace]), "--show", "kernels").stdout
    assert f"one{character}two" not in text
    assert sum("one" in line and "two" in line for line in text.split("\n")) == 1


def test_arguments_of_an_operator_reach_its_kernel(report):
    traces = job(2)
    for trace in traces:
        trace.event("cpu_op", "record_param_comms", 280, 299,
                    **{"External id": 77, "Collective name": "allreduce", "In msg nelems": 1000, "Group size": 2,
                       "dtype": "Half", "Process Group Name": "0", "Process Group Ranks": "[0, 1]"})
        trace.all_reduce(300, 400, **{"External id": 77})
    line = line_of(report(*traces), "all_reduce")
    assert (line["comm"], line["size_bytes"]) == ("0", 2_000)


def test_thousands_of_python_frames_change_nothing(report):
    trace = one_step()
    for i in range(5_000):
        trace.event("python_function", f"model.py({i}): block_{i}", i / 10, 6_000 - i / 10)
    assert rows(report(trace)) == {"compute": 100}


def test_the_path_of_a_script_does_not_decide_a_phase(report):
    trace = one_step()
    trace.event("python_function", "dataloader_bench/train.py(10): main", 0, 9_000)
    trace.kernel(1_015, 1_100, launch=(1_000, 1_010))
    assert "idle_data_wait" not in rows(report(trace))


def test_times_may_be_strings_and_arguments_may_be_missing(report):
    trace = one_step()
    trace.end_with_work()
    trace.is_in_the_midst = False
    for event in trace.events:
        event["ts"], event["dur"] = str(event["ts"]), str(event["dur"])
        if event["cat"] == "user_annotation":
            del event["args"]
    assert rows(report(trace, options=["--steps", "1:"])) == {"compute": 100}


def test_two_runs_of_one_job_stay_apart(tauprof, tmp_path):
    traces = []
    for run_base in (0, 3_600_000_000):
        for rank in range(2):
            traces.append(Trace(rank, 2, base_ns=BASE_NS + run_base * 1000))
            loop(["ProfilerStep#1", "ProfilerStep#2"], trace=traces[-1])
    logs = imported(tauprof, tmp_path, traces)
    result = run(tauprof, "analyze", logs, "--json", "-")
    assert "2 runs" in result.stderr
    report = json.loads(result.stdout)
    assert (report["run"]["ranks"], report["run"]["world_size"]) == (2, 2)


def test_a_rank_that_missed_the_first_of_two_runs_belongs_to_the_second(tauprof, tmp_path):
    hour = 3_600_000_000_000
    traces = [Trace(0, 2), Trace(0, 2, base_ns=BASE_NS + hour), Trace(1, 2, base_ns=BASE_NS + hour)]
    for trace in traces:
        loop(["ProfilerStep#1", "ProfilerStep#2"], trace=trace)
    logs = imported(tauprof, tmp_path, traces)
    report = json.loads(run(tauprof, "analyze", logs, "--json", "-").stdout)
    assert report["run"]["missing_ranks"] == []


def test_a_duplicate_trace_does_not_hide_the_job(tauprof, tmp_path):
    traces = [loop(["ProfilerStep#1", "ProfilerStep#2"], trace=Trace(rank, 2)) for rank in (0, 1, 0)]
    logs = imported(tauprof, tmp_path, traces)
    report = json.loads(run(tauprof, "analyze", logs, "--json", "-").stdout)
    assert report["run"]["ranks"] == 2


def test_a_second_log_of_a_rank_counts_in_nothing(tauprof, tmp_path):
    traces = [loop(["ProfilerStep#1", "ProfilerStep#2"], trace=Trace(rank, 2)) for rank in (0, 1)]
    logs = imported(tauprof, tmp_path, traces)
    alone = json.loads(run(tauprof, "analyze", logs, "--json", "-").stdout)
    first = sorted(logs.glob("*.tauprof"))[0]
    (logs / ("again-" + first.name)).write_bytes(first.read_bytes())
    result = run(tauprof, "analyze", logs, "--json", "-")
    twice = json.loads(result.stdout)
    assert "is left out" in result.stderr
    assert twice["quality"]["files"].pop("skipped") == alone["quality"]["files"].pop("skipped") + 1
    assert twice == alone


def test_a_trace_without_device_work_says_so(tauprof, tmp_path):
    trace = Trace()
    trace.step(1, 0, 1_000)
    trace.event("cpu_op", "aten::mm", 10, 900)
    logs = imported(tauprof, tmp_path, [trace])
    result = run(tauprof, "analyze", logs)
    assert result.returncode == 3
    assert len(result.stderr.splitlines()) == 2, result.stderr


def test_a_trace_without_host_calls_is_still_analysed(report):
    trace = Trace()
    trace.on_device(100, 200, correlation=5)
    trace.on_device(250, 300, correlation=6)
    result = report(trace)
    assert result["per_rank"][0]["hta"]["compute_time_us"] == 150
    assert result["steps"]["count"] == 1
    assert rows(result) == {"compute": 150, "idle_other": 50}


def beside(tauprof, tmp_path, start, kernels):
    """The ranks in the report of a job of 40 steps, into whose directory another process wrote a log of its own."""
    logs = imported(tauprof, tmp_path, [loop([f"ProfilerStep#{i}" for i in range(40)], trace=Trace(rank, 2))
                                        for rank in (0, 1)])
    other = Trace()
    for i in range(kernels):
        other.kernel(start + 100 * i, start + 100 * i + 50)
    other.write(tmp_path / "helper.json")
    assert run(tauprof, "import", "kineto", tmp_path / "helper.json", "-o", logs).returncode == 0
    result = run(tauprof, "analyze", logs, "--json", "-")
    assert "2 runs" in result.stderr
    return json.loads(result.stdout)["run"]["ranks"]


def test_a_helper_that_was_spawned_beside_a_job_is_no_run(tauprof, tmp_path):
    assert beside(tauprof, tmp_path, start=20_000, kernels=1) == 2


def test_a_process_that_works_beside_a_job_is_a_run(tauprof, tmp_path):
    assert beside(tauprof, tmp_path, start=20_000, kernels=30) == 1


def test_a_short_process_after_a_job_is_a_run(tauprof, tmp_path):
    assert beside(tauprof, tmp_path, start=200_000, kernels=1) == 1
