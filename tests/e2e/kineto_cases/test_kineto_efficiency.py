"""MFU, HFU and the waterfall of traces with shapes of inputs, computed by hand from docs/metrics.md."""

import gzip
import json

import pytest

from kineto_trace import AUTOGRAD, Trace, run

BF16 = ("c10::BFloat16", "c10::BFloat16")
TF32_KERNEL = "sm80_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x128x16_stage4"


def step_on(device_name="NVIDIA A100-SXM4-80GB"):
    """A step from 0 to 10 ms, whose device window is [100, 1100) µs, with 100 µs of idle time at its end."""
    trace = Trace()
    trace.device_name = device_name
    trace.begin_in_the_midst()
    trace.step(1, 0, 10_000)
    trace.kernel(100, 200, "vectorized_elementwise_kernel", launch=(10, 20))
    trace.kernel(1000, 1100, "vectorized_elementwise_kernel", launch=(30, 40))
    return trace


def shares(report):
    return {row["name"]: row["share"] for row in report["efficiency"]["waterfall"] if row["share"]}


def test_a_product_counts_against_the_peak_of_its_type(report):
    trace = step_on()
    trace.operator("aten::mm", 50, 60, [[1000, 3120], [3120, 5000]], BF16)
    trace.kernel(300, 700, launch=(52, 54))
    result = report(trace)
    flops = 2 * 1000 * 3120 * 5000  # 100 µs at 312 TFLOP/s
    efficiency = result["efficiency"]
    assert efficiency["executed_flops"] == flops
    assert efficiency["executed_by_precision"] == {"bf16": flops}
    assert efficiency["peak_flops"] == pytest.approx(312e12)
    assert efficiency["hfu"] == pytest.approx(0.1)
    assert efficiency["mfu"] is None
    of = shares(result)
    assert (of["non_gemm_compute"], of["gemm_inefficiency"], of["executed"]) == pytest.approx((0.2, 0.3, 0.1))
    assert sum(of.values()) == pytest.approx(1, abs=1e-12)
    [gemm] = efficiency["gemms"]
    assert (gemm["function"], gemm["m"], gemm["n"], gemm["k"], gemm["batch"], gemm["count"]) == (
        "aten::mm", 1000, 5000, 3120, 1, 1)
    assert (gemm["total_ns"], gemm["lost_ns"]) == (400_000, 300_000)
    assert gemm["share_of_peak"] == pytest.approx(0.25)


def test_operators_inside_each_other_count_once(report):
    trace = step_on()
    trace.operator("aten::linear", 50, 70, [[16, 32], [64, 32], [64]])
    trace.operator("aten::addmm", 52, 60, [[64], [16, 32], [32, 64], [], []])
    trace.kernel(300, 400, launch=(54, 55))
    trace.kernel(400, 450, "splitKreduce_kernel", launch=(56, 57))
    trace.kernel(450, 460, "vectorized_elementwise_kernel", launch=(62, 64))  # by linear itself
    efficiency = report(trace)["efficiency"]
    assert efficiency["executed_flops"] == 2 * 16 * 32 * 64
    assert [(gemm["function"], gemm["total_ns"]) for gemm in efficiency["gemms"]] == [("aten::addmm", 150_000)]


def test_threads_have_operators_of_their_own(report):
    trace = step_on()
    trace.operator("aten::mm", 50, 60, [[16, 32], [32, 64]])
    trace.operator("aten::mm", 50, 60, [[8, 8], [8, 8]], tid=AUTOGRAD)
    trace.kernel(300, 400, launch=(54, 55), tid=AUTOGRAD)
    assert report(trace)["efficiency"]["executed_flops"] == 2 * 8 * 8 * 8


def test_an_operator_on_the_cpu_does_not_count(report):
    trace = step_on()
    trace.operator("aten::mm", 50, 60, [[16, 32], [32, 64]])
    efficiency = report(trace)["efficiency"]
    assert efficiency["executed_flops"] is None
    assert efficiency["no_hfu_because"] == "no matrix multiplication ran in the analysed steps"


@pytest.mark.parametrize("kernel,precision", [(TF32_KERNEL, "tf32"), ("ampere_sgemm_128x64_tn", "fp32")])
def test_float32_is_computed_as_the_kernels_name_says(report, kernel, precision):
    trace = step_on()
    trace.operator("aten::mm", 50, 60, [[16, 32], [32, 64]])
    trace.kernel(300, 400, kernel, launch=(54, 55))
    assert list(report(trace)["efficiency"]["executed_by_precision"]) == [precision]


def test_a_mix_of_precisions_is_weighted_by_operations(report):
    trace = step_on()
    trace.operator("aten::mm", 50, 60, [[1000, 3120], [3120, 5000]], BF16)  # 100 µs at 312 TFLOP/s
    trace.kernel(300, 500, launch=(54, 55))
    trace.operator("aten::mm", 70, 80, [[1000, 195], [195, 10000]])  # 200 µs at 19.5 TFLOP/s
    trace.kernel(500, 900, launch=(72, 73))
    efficiency = report(trace)["efficiency"]
    assert efficiency["hfu"] == pytest.approx(0.3)
    assert efficiency["peak_flops"] == pytest.approx((31.2e9 + 3.9e9) / 300e-6)


def test_convolutions_need_values_and_attention_does_not(report):
    trace = step_on()
    heads = [[2, 4, 128, 64]] * 3
    trace.operator("aten::_scaled_dot_product_flash_attention", 50, 60, [*heads, [], [], [], []], BF16,
                   ["", "", "", "0.", "True", "False", ""])
    trace.kernel(300, 400, "flash_fwd_kernel", launch=(54, 55))
    trace.operator("aten::convolution", 70, 80, [[2, 3, 32, 32], [8, 3, 3, 3], [], [], [], [], [], [], []], BF16,
                   ["", "", "", "[1, 1]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "1"])
    trace.kernel(400, 500, "sm80_xmma_fprop_implicit_gemm_bf16", launch=(74, 75))
    trace.operator("aten::convolution", 90, 98, [[2, 3, 32, 32], [8, 3, 3, 3], [], [], [], [], [], [], []], BF16)
    trace.kernel(500, 600, "sm80_xmma_fprop_implicit_gemm_bf16", launch=(92, 93))
    efficiency = report(trace)["efficiency"]
    assert efficiency["executed_flops"] == 2 * 4 * 2 * 128 * 128 * 128 + 2 * 2 * 32 * 32 * 8 * 3 * 3 * 3
    assert efficiency["is_lower_bound"]
    assert [(row["kind"], row["count"], row["share"]) for row in efficiency["uncounted"]] == [
        ("convolution", 1, pytest.approx(0.1))]


def test_an_unknown_device_has_no_peak_unless_it_is_given(report, tmp_path):
    trace = step_on("Some Accelerator")
    trace.operator("aten::mm", 50, 60, [[1000, 1000], [1000, 1000]], BF16)
    trace.kernel(300, 400, launch=(54, 55))
    efficiency = report(trace)["efficiency"]
    assert efficiency["hfu"] is efficiency["peak_flops"] is None
    assert efficiency["no_hfu_because"] == "the peak of Some Accelerator in bf16 is not known"
    assert efficiency["waterfall"][-1] == {"name": "gemm_compute", "share": pytest.approx(0.1)}


def test_mfu_and_the_peak_are_what_the_user_says(report):
    trace = step_on("Some Accelerator")
    trace.operator("aten::mm", 50, 60, [[1000, 1000], [1000, 1000]], BF16)
    trace.kernel(300, 400, launch=(54, 55))
    efficiency = report(trace, options=["--model-flops", "1e9", "--peak-tflops", "10"])["efficiency"]
    assert efficiency["hfu"] == pytest.approx(2e9 / (1e-3 * 10e12))
    assert efficiency["mfu"] == pytest.approx(1e9 / (1e-3 * 10e12))


@pytest.mark.parametrize("option", ["--model-flops", "--peak-tflops"])
@pytest.mark.parametrize("value", ["0", "-1", "many"])
def test_a_number_that_is_none_is_refused(tauprof, tmp_path, option, value):
    assert run(tauprof, "analyze", tmp_path, f"{option}={value}").returncode == 2


def test_the_text_says_what_the_numbers_rest_on(tauprof, tmp_path, report):
    trace = step_on()
    trace.operator("aten::bmm", 50, 60, [[4, 1000, 780], [4, 780, 5000]], BF16)
    trace.kernel(300, 700, launch=(52, 54))
    report(trace)
    text = run(tauprof, "analyze", tmp_path / "logs", "--steps", "1:", "--show", "all", "--model-flops", "1.56e10").stdout
    section = text[text.index("EFFICIENCY"):text.index("KERNELS")]
    assert "EFFICIENCY   (of 312 TFLOP/s per device)\n" in section
    assert "HFU  10.00 %\n" in section and "MFU  5.00 %\n" in section
    assert "31.2 GFLOP executed in a step; the model needs 15.6 GFLOP\n" in section
    assert "other computation 20.0 %, GEMMs below peak 30.0 %, executed 10.0 %\n" in section
    assert "1000 x 5000 x 780 (4)" in section and "aten::bmm" in section


def test_without_shapes_the_text_says_how_to_have_them(tauprof, tmp_path, report):
    trace = step_on()
    trace.kernel(300, 700, launch=(52, 54))
    report(trace)
    text = run(tauprof, "analyze", tmp_path / "logs", "--show", "efficiency").stdout
    assert "HFU  not known: the log has no sizes of matrix multiplications (record_shapes=True)\n" in text


def products_of(path):
    """Operations and kernels of a recorded trace's products, read in the plainest way."""
    with gzip.open(path) as file:
        events = [event for event in json.load(file)["traceEvents"] if event.get("ph") == "X"]
    kernels = {event["args"]["correlation"]: event for event in events if event.get("cat") == "kernel"}
    launches = [event for event in events if event.get("cat") == "cuda_runtime"]
    total = 0
    for event in events:
        first = {"aten::mm": 0, "aten::addmm": 1, "aten::bmm": 0}.get(event["name"])
        if first is None:
            continue
        a, b = event["args"]["Input Dims"][first:first + 2]
        ran = [launch for launch in launches if launch["tid"] == event["tid"]
               and event["ts"] <= launch["ts"] < event["ts"] + event["dur"]
               and launch["args"].get("correlation") in kernels]
        if ran:
            batch, a, b = (a[0], a[1:], b[1:]) if len(a) == 3 else (1, a, b)
            total += 2 * batch * a[0] * a[1] * b[1]
    return total


def test_a_recorded_trace_has_the_operations_of_its_shapes(tauprof, data_folder, tmp_path):
    source = data_folder / "param_dlrm_8rank"
    assert run(tauprof, "import", "kineto", source, "-o", tmp_path / "logs").returncode == 0
    report = json.loads(run(tauprof, "analyze", tmp_path / "logs", "--json", "-").stdout)
    efficiency = report["efficiency"]
    assert report["steps"]["count"] == 1
    counted = sum(products_of(path) for path in sorted(source.glob("*.json.gz")))
    assert efficiency["executed_flops"] == pytest.approx(counted, rel=0.01)
    assert efficiency["peak_flops"] == pytest.approx(15.7e12)  # V100, float32
    assert efficiency["hfu"] == pytest.approx(counted / (report["ledger"]["step_ns"] / 1e9 * 15.7e12), rel=0.01)
