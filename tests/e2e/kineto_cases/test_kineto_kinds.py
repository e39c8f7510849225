"""An event is what its name and arguments say, whatever category its vendor and version give it."""

import pytest

from kineto_trace import Trace, report_of

STEPS, STEP_US, KERNELS = 4, 10_000, 10

LAUNCHES = {"cuda_runtime": "cudaLaunchKernel", "cuda_driver": "cuLaunchKernel", "Runtime": "cudaLaunchKernel",
            "hip_runtime": "hipLaunchKernel", "xpu_runtime": "urEnqueueKernelLaunch",
            "xpu_driver": "zeCommandListAppendLaunchKernel", "mtia_runtime": "runFunctionAsync",
            "privateuse1_runtime": "aclrtLaunchKernel", "privateuse1_driver": "Launch", "glow_runtime": "glow::run",
            "gcu_runtime": "topsLaunchKernel", "hpu_op": "launch", "somebodys_queue": "enqueue", None: "enqueue"}


def loop(launches="cuda_runtime", name="cudaLaunchKernel", kernels="kernel", steps="user_annotation", first=5):
    trace = Trace(0, 1)
    for step in range(STEPS):
        begin = step * STEP_US
        trace.event(steps, f"ProfilerStep#{first + step}", begin, begin + STEP_US)
        for i in range(KERNELS):
            start = begin + 1_000 + i * 400
            launch = trace.call(name, start - 20, start - 15, category=launches)
            trace.on_device(start, start + 400, "at::native::SomeGemmKernel", kernels, correlation=launch)
    for event in trace.events:
        if event["cat"] is None:
            del event["cat"]
    return trace


@pytest.fixture(name="expected", scope="module")
def expected_report(tauprof, tmp_path_factory):
    report = report_of(tauprof, tmp_path_factory.mktemp("cuda"), loop())
    assert report["steps"]["count"] == STEPS and report["quality"]["unmatched_spans"] == 0
    return report


def same(report, expected):
    assert report["steps"]["list"] == expected["steps"]["list"]
    assert report["ledger"]["rows"] == expected["ledger"]["rows"]
    assert report["quality"]["unmatched_spans"] == 0


@pytest.mark.parametrize("category", LAUNCHES, ids=str)
def test_launches_of_every_vendor_are_joined(report, expected, category):
    same(report(loop(category, LAUNCHES[category])), expected)


@pytest.mark.parametrize("category", ["kernel", "Kernel", "concurrent_kernel", "mtia_ccp_events", "xpu_kernel", "new"])
def test_device_work_of_every_vendor_is_read(report, expected, category):
    same(report(loop(kernels=category)), expected)


@pytest.mark.parametrize("category", ["user_annotation", "Operator", "cpu_op", "python_function", "overhead", "new", None],
                         ids=str)
def test_a_profiler_step_is_a_marker_in_every_category(report, expected, category):
    found = report(loop(steps=category))
    assert found["steps"]["detected_by"] == expected["steps"]["detected_by"] == "marker ProfilerStep#"
    assert [step["step"] for step in found["steps"]["list"]] == [5, 6, 7, 8]
    same(found, expected)


@pytest.mark.parametrize("category", ["gpu_user_annotation", "mlu_user_annotation", "user_annotation"])
def test_a_copy_of_a_marker_on_a_stream_marks_nothing(report, expected, category):
    trace = loop()
    for step in range(STEPS):
        begin = step * STEP_US + 1_000
        trace.on_device(begin, begin + 4_000, f"ProfilerStep#{5 + step}", category)
    same(report(trace), expected)


@pytest.mark.parametrize("start,end", [(0, STEP_US), (2_000, 5_000), (5, STEP_US - 5)])
@pytest.mark.parametrize("category", ["user_annotation", "cpu_op"])
def test_a_marker_inside_of_itself_is_the_same_step(report, expected, category, start, end):
    trace = loop()
    for step in range(STEPS):
        trace.event(category, f"ProfilerStep#{5 + step}", step * STEP_US + start, step * STEP_US + end)
    same(report(trace), expected)


@pytest.mark.parametrize("name,category", [("Memcpy HtoD (Pinned -> Device)", "gpu_memcpy"),
                                           ("Memcpy HtoD (Pinned -> Device)", "kernel"),
                                           ("Memcpy M2D", "gpu_memcpy"), ("CopyHostToDevice", "gpu_memcpy"),
                                           ("Memcpy H2D", "mlu_memcpy"), ("Memcpy HtoD", "new")])
def test_copies_are_known_by_name_or_category(report, name, category):
    trace = loop()
    launch = trace.call("urEnqueueUSMMemcpy", 6_000, 6_005, category="xpu_runtime")
    trace.on_device(6_100, 6_400, name, category, correlation=launch, bytes=1 << 20)
    found = report(trace)
    assert found["ledger"]["rows"]["exposed_copy"] == 300_000
    assert found["input"]["copies"]["count"] if "copies" in found["input"] else True


def test_a_synchronisation_without_a_stream_adds_no_device(report, expected):
    trace = loop()
    trace.event("xpu_sync", "zeEventHostSynchronize", 9_000, 9_500, correlation=77_777)
    found = report(trace)
    assert found["run"]["ranks"] == 1 and found["run"]["device_count"] == 1
    assert found["steps"]["count"] == expected["steps"]["count"]
