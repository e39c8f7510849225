"""Phases by what a call launched, whatever the call is named and whatever words an operator carries."""

import pytest

from kineto_trace import ALL_REDUCE, AUTOGRAD, COMM, LOADER, MAIN, SEND_RECV, Trace

LENGTH, STEPS = 20_000, 3
CHECKPOINT = 4850
UPDATE = "void multi_tensor_apply_kernel<FusedOptimizerTensorListMetadata<3>, FusedAdamMathFunctor<float, 3>>"
BACK = "Memcpy DtoH (Device -> Pinned)"


class Loop(Trace):
    """Steps without ranges of the program's. A piece has a kernel of 1 ms; launches take 10 us."""

    def __init__(self, with_annotations=True):
        super().__init__()
        self.now, self.number, self.with_annotations = 0, 0, with_annotations

    def start_step(self):
        self.now = self.number * LENGTH
        if self.with_annotations:
            self.step(self.number, self.now, self.now + LENGTH)
        self.number += 1

    def piece(self, name="gemm", function="cudaLaunchKernel", tid=MAIN, stream=7, category="kernel", device_us=1_000,
              operator=None, annotation=None, **args):
        start = self.now + 100
        if operator:
            self.event("cpu_op", operator, start - 50, start + 50, tid)
        if annotation:
            self.annotation(annotation, start - 50, start + 50, tid)
        correlation = self.call(function, start, start + 10, tid)
        self.on_device(self.now + 200, self.now + 200 + device_us, name, category, stream, correlation=correlation, **args)
        self.now += 1_200
        return self

    def backward(self, **how):
        return self.piece("gemm_b", tid=AUTOGRAD, **how)

    def update(self):
        return self.piece(UPDATE)


def device_us(report):
    """Of a step, by phase."""
    return {phase["name"]: phase["device_ns"]["mean"] / 1000 for phase in report["phases"]
            if phase["device_ns"]["mean"] and phase["name"] not in ("backward_step", "total")}


def host_us(report, name):
    return next(phase["host_ns"]["mean"] / 1000 for phase in report["phases"] if phase["name"] == name)


def recorded(operation):
    return {"Collective name": operation, "In msg nelems": 1024, "Out msg nelems": 1024, "Group size": 2,
            "dtype": "Float", "Process Group Name": "0", "Process Group Ranks": "[0, 1]"}


MESSAGES = {
    "recorded send": recorded("send") | {"Dst Rank": 1},
    "recorded receive": recorded("recv") | {"Src Rank": 1},
    "annotated send": {"annotation": "nccl:send 0->1"},
    "annotated receive": {"annotation": "nccl:recv 0<-1"},
}


@pytest.mark.parametrize("message", MESSAGES.values(), ids=list(MESSAGES))
@pytest.mark.parametrize("function", ["cudaLaunchKernelExC", "cuLaunchKernelEx", "cudaLaunchKernel"])
def test_messages_are_in_no_phase(report, message, function):
    loop = Loop()
    for _ in range(STEPS):
        loop.start_step()
        loop.piece(SEND_RECV, function, stream=COMM, **message)
        loop.piece().piece(SEND_RECV, function, stream=COMM, **message)
        loop.backward().update()
    assert device_us(report(loop)) == {"forward": 1_000, "backward": 1_000, "optim_step": 1_000, "other": 2_000}


@pytest.mark.parametrize("collective", [recorded("all_to_allv"), recorded("_allgather_base"), {}],
                         ids=["all-to-all", "all-gather", "unrecorded"])
def test_collectives_go_with_the_pass(report, collective):
    loop = Loop()
    name = SEND_RECV if "all_to" in str(collective) else ALL_REDUCE
    for _ in range(STEPS):
        loop.start_step()
        loop.piece(name, stream=COMM, **collective).piece().piece(name, stream=COMM, **collective)
        loop.backward().backward().update()
    assert device_us(report(loop)) == {"forward": 3_000, "backward": 2_000, "optim_step": 1_000}


def test_reducing_gradients_behind_the_last_pass_is_backward(report):
    loop = Loop()
    for _ in range(STEPS):
        loop.start_step()
        loop.piece().backward().piece(ALL_REDUCE, "cudaLaunchKernelExC", stream=COMM, **recorded("allreduce")).update()
    assert device_us(report(loop)) == {"forward": 1_000, "backward": 2_000, "optim_step": 1_000}


def test_messages_between_the_passes_that_ranges_name_are_in_no_phase(report):
    trace = Loop()
    for _ in range(STEPS):
        trace.start_step()
        trace.piece(annotation="## forward ##")
        trace.piece(SEND_RECV, "cudaLaunchKernelExC", stream=COMM, **MESSAGES["recorded send"])
        trace.piece(annotation="## backward ##").update()
    found = device_us(report(trace))
    assert found.pop("other") == 2_000  # the update has no range
    assert found == {"forward": 1_000, "backward": 1_000}


OPERATORS = ["aten::_flash_attention_forward", "aten::_scaled_dot_product_efficient_attention_forward",
             "flash_attn::_flash_attn_forward", "_C::fused_forward", "FlashAttentionForward"]


@pytest.mark.parametrize("operator", OPERATORS)
def test_an_operator_named_forward_is_no_pass_in_an_evaluation(report, operator):
    loop = Loop()
    for _ in range(STEPS):
        loop.start_step()
        loop.piece(operator=operator).backward().update()
        loop.piece(operator=operator).piece(operator="aten::mm")
    found = device_us(report(loop))
    assert found == {"forward": 1_000, "backward": 1_000, "optim_step": 1_000, "other": 2_000}


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("within", ["autograd::engine::evaluate_function: CheckpointFunctionBackward", None])
def test_what_backward_computes_again_is_backward(report, operator, within):
    loop = Loop()
    for _ in range(STEPS):
        loop.start_step()
        loop.piece(operator=operator)
        if within:
            loop.event("cpu_op", within, loop.now, loop.now + 3_000, AUTOGRAD)
        loop.backward(operator=operator).backward(operator="aten::_flash_attention_backward").update()
    assert device_us(report(loop)) == {"forward": 1_000, "backward": 2_000, "optim_step": 1_000}


def test_a_range_named_forward_on_a_backward_thread_computes_again(report):
    loop = Loop()
    for _ in range(STEPS):
        loop.start_step()
        loop.piece().backward(annotation="DistributedDataParallel.forward").backward().update()
    assert device_us(report(loop)) == {"forward": 1_000, "backward": 2_000, "optim_step": 1_000}


def test_nodes_of_autograd_are_backward_on_any_thread(report):
    loop = Loop()
    for _ in range(STEPS):
        loop.start_step()
        loop.piece("layer_forward").piece("gemm", operator="autograd::engine::evaluate_function: MmBackward0").update()
    assert device_us(report(loop)) == {"forward": 1_000, "backward": 1_000, "optim_step": 1_000}


@pytest.mark.parametrize("forward,backward", [("forward", "backward"), ("## forward ##", "## backward ##")])
def test_ranges_of_old_traces_are_of_the_category_of_operators(report, forward, backward):
    """PyTorch 1.8 to 1.10 wrote what record_function marks among the operators."""
    loop = Loop(with_annotations=False)
    for number in range(STEPS):
        loop.start_step()
        loop.event("Operator", f"ProfilerStep#{number}", loop.now, loop.now + LENGTH)
        loop.piece(operator="aten::_flash_attention_forward")
        loop.piece(operator=forward).piece(operator=backward).piece(UPDATE, operator="Optimizer.step#SGD.step")
    assert device_us(report(loop)) == {"forward": 1_000, "backward": 1_000, "optim_step": 1_000, "other": 1_000}


@pytest.mark.parametrize("module", ["FlashAttentionForward_0", "BackwardCompatible_0", "DataLoaderStem_0"])
def test_the_name_of_a_module_tells_no_phase_but_its_call(report, module):
    loop = Loop()
    for _ in range(STEPS):
        loop.start_step()
        loop.event("python_function", f"nn.Module: {module}", loop.now, loop.now + 1_000)
        loop.piece().backward().update()
    assert device_us(report(loop)) == {"forward": 1_000, "backward": 1_000, "optim_step": 1_000}


@pytest.mark.parametrize("function", ["recv_forward", "send_forward_recv_backward", "send_backward"])
def test_a_function_that_exchanges_messages_is_no_pass(report, function):
    loop = Loop()
    for _ in range(STEPS):
        loop.start_step()
        path = f"megatron/core/pipeline_parallel/p2p_communication.py(100): {function}"
        loop.event("python_function", path, loop.now, loop.now + 1_000)
        loop.piece(SEND_RECV, stream=COMM)
        loop.piece().backward().update()
    found = device_us(report(loop))
    assert found == {"forward": 1_000, "backward": 1_000, "optim_step": 1_000, "other": 1_000}


def evaluate_in_ranges(loop):
    loop.piece(annotation="## forward ##").piece(annotation="## backward ##")
    loop.piece(UPDATE, annotation="Optimizer.step#SGD.step")
    loop.annotation("validation", loop.now, loop.now + 2_400)
    loop.piece(annotation="## forward ##").piece()


def evaluate_in_wrapped_models(loop):
    loop.piece(annotation="DistributedDataParallel.forward").backward()
    loop.piece(UPDATE, annotation="Optimizer.step#SGD.step")
    loop.piece(annotation="DistributedDataParallel.forward").piece(annotation="DistributedDataParallel.forward")


def evaluate_with_stacks(loop):
    for name in ("model.py(33): forward", "torch/_tensor.py(522): backward"):
        loop.event("python_function", name, loop.now, loop.now + 1_200)
        loop.piece()
    loop.piece(UPDATE, annotation="Optimizer.step#SGD.step")
    for _ in range(2):
        loop.event("python_function", "torch/nn/modules/module.py(1773): _call_impl", loop.now, loop.now + 1_200)
        loop.event("python_function", "nn.Module: GPT_0", loop.now, loop.now + 1_200)
        loop.piece()


@pytest.mark.parametrize("step", [evaluate_in_ranges, evaluate_in_wrapped_models, evaluate_with_stacks])
def test_forward_passes_behind_the_update_evaluate(report, step):
    loop = Loop()
    for _ in range(STEPS):
        loop.start_step()
        step(loop)
    found = report(loop)
    assert device_us(found) == {"forward": 1_000, "backward": 1_000, "optim_step": 1_000, "other": 2_000}
    assert host_us(found, "forward") <= 1_200


def test_a_forward_pass_is_one_where_the_marker_cuts_behind_it(report):
    loop = Loop()
    for _ in range(STEPS):
        loop.start_step()
        loop.piece(annotation="## backward ##").piece(UPDATE, annotation="Optimizer.step#SGD.step")
        loop.piece(annotation="## forward ##")
    assert device_us(report(loop)) == {"forward": 1_000, "backward": 1_000, "optim_step": 1_000}


def test_accumulated_passes_are_no_evaluations(report):
    loop = Loop()
    for _ in range(STEPS):
        loop.start_step()
        for _ in range(3):
            loop.piece(annotation="DistributedDataParallel.forward").backward()
        loop.update()
    assert device_us(report(loop)) == {"forward": 3_000, "backward": 3_000, "optim_step": 1_000}


@pytest.mark.parametrize("work,phase", [(recorded("send") | {"Dst Rank": 1}, "other"),
                                        (recorded("allreduce"), "backward")], ids=["messages", "gradients"])
def test_a_thread_that_only_communicates_launches_no_backward_pass(report, work, phase):
    loop = Loop()
    for _ in range(STEPS):
        loop.start_step()
        loop.piece().backward().piece(SEND_RECV, "cudaLaunchKernelExC", 4999, COMM, **work).update()
    expected = {"forward": 1_000, "backward": 1_000, "optim_step": 1_000}
    assert device_us(report(loop)) == expected | {phase: expected.get(phase, 0) + 1_000}


def test_ranges_of_fsdp_name_the_pass_that_needs_the_weights(report):
    loop = Loop()
    for _ in range(STEPS):
        loop.start_step()
        loop.piece(ALL_REDUCE, stream=COMM, annotation="FSDP::pre_forward (layers.0)", **recorded("_allgather_base"))
        loop.piece()
        loop.piece(ALL_REDUCE, tid=AUTOGRAD, stream=COMM, annotation="FSDP::pre_backward (layers.0)",
                   **recorded("_allgather_base"))
        loop.backward().update()
    assert device_us(report(loop)) == {"forward": 2_000, "backward": 2_000, "optim_step": 1_000}


def test_ranges_of_deepspeed(report):
    loop = Loop()
    for _ in range(STEPS):
        loop.start_step()
        loop.piece(annotation="DeepSpeedEngine.forward").piece(annotation="DeepSpeedEngine.backward")
        loop.piece(ALL_REDUCE, stream=COMM, annotation="DeepSpeedEngine.allreduce_gradients", **recorded("allreduce"))
        loop.piece(UPDATE, annotation="DeepSpeedEngine.step")
    assert device_us(report(loop)) == {"forward": 1_000, "backward": 2_000, "optim_step": 1_000}


@pytest.mark.parametrize("forward,backward", [("_attn_fwd", "_attn_bwd_dkdv"), ("fwd_kernel", "bwd_kernel"),
                                              ("triton_red_fused_layer_norm_forward_3", "cudnn_dgrad_engine")])
def test_names_of_kernels_tell_passes_of_one_thread(report, forward, backward):
    loop = Loop()
    for _ in range(STEPS):
        loop.start_step()
        loop.piece(forward).piece().piece(backward).piece().update()
    assert device_us(report(loop)) == {"forward": 2_000, "backward": 2_000, "optim_step": 1_000}


def checkpointed(late=0):
    """A thread copies weights back while the main thread trains; its wait lasts most of a step."""
    loop = Loop()
    for number in range(STEPS):
        loop.start_step()
        start = loop.now
        loop.annotation(LOADER, start, start + 50)
        loop.piece().backward().update()
        for copy in range(4):
            correlation = loop.call("cudaMemcpyAsync", start + 150 + 40 * copy + late, start + 160 + 40 * copy + late,
                                    CHECKPOINT)
            loop.on_device(start + 5_000 + 500 * copy, start + 5_500 + 500 * copy, BACK, "gpu_memcpy", 30,
                           correlation=correlation)
        loop.call("cudaStreamSynchronize", start + 400 + late, start + 15_000, CHECKPOINT)
    return loop


@pytest.mark.parametrize("late", [0, 1_200, 2_500])
def test_copies_of_a_checkpoints_thread_do_not_have_the_main_threads_phase(report, late):
    found = report(checkpointed(late))
    assert device_us(found) == {"forward": 1_000, "backward": 1_000, "optim_step": 1_000, "sync_gather": 2_000}
    assert host_us(found, "sync_gather") == 0, "the training does not wait"


def logging(before_loader, has_loader=True):
    """4 ms of logging and 2 ms of loading between the update and the next input copy."""
    loop = Loop()
    for _ in range(STEPS):
        loop.start_step()
        loop.now += 0 if not before_loader else 4_000
        if has_loader:
            loop.annotation(LOADER, loop.now, loop.now + 2_000)
        loop.now += 2_000 if before_loader else 6_000
        loop.copy(loop.now + 20, loop.now + 120, launch=(loop.now, loop.now + 10))
        loop.now += 200
        loop.piece().backward().update()
    return loop


@pytest.mark.parametrize("before_loader", [True, False])
def test_logging_outside_of_the_loaders_range_is_no_wait_for_data(report, before_loader):
    found = report(logging(before_loader))
    assert host_us(found, "dataload_wait") == pytest.approx(2_000, abs=20)
    waits = found["ledger"]["rows"]["idle_data_wait"] / 1000 / found["steps"]["count"]
    assert waits == pytest.approx(2_000, abs=700)  # the first window starts with device work


def test_without_a_loaders_range_the_time_before_input_is_a_wait_for_data(report):
    found = report(logging(True, has_loader=False))
    assert host_us(found, "dataload_wait") == pytest.approx(6_000, abs=20)
