"""Small made-up traces in the dialects of those who write such files: what they look like is theirs, what happens in
them is one program, whose steps, kernel times and busy time are known.

Each step copies its input, runs forward and backward kernels and an update, with gaps between them."""

import dataclasses
import typing

STEPS, STEP_US, FIRST = 4, 10_000, 3
SINCE_1970 = 1_700_000_000_000_000
PHASES = ((1_000, 6, "forward"), (4_000, 8, "backward"), (8_000, 2, "optimizer"))
KERNEL_US, EVERY_US, COPY_US = 250, 300, 200


@dataclasses.dataclass(frozen=True)
class Truth:
    steps: int  # 0: nothing in the file marks them
    kernels: int
    kernel_ns: int
    busy_ns: int  # kernels and copies, no time twice
    launched: int  # kernels and copies with a launch in the file


@dataclasses.dataclass(frozen=True)
class Dialect:
    """How a profiler writes the events."""

    name: str
    about: str
    operator: str = "cpu_op"
    annotation: str = "user_annotation"
    launch: typing.Optional[str] = "cuda_runtime"  # None: launches are not in the file
    launch_name: str = "cudaLaunchKernel"
    copy_call: str = "cudaMemcpyAsync"
    kernel: str = "kernel"
    kernel_name: str = "ampere_sgemm_128x64_tn"
    update_name: str = "void at::native::multi_tensor_apply_kernel<FusedAdamMathFunctor<float, 4>>"
    memcpy: str = "gpu_memcpy"
    memcpy_name: str = "Memcpy HtoD (Pinned -> Device)"
    has_steps: bool = True
    has_stream_args: bool = True  # else pid and tid say device and stream
    gpu_copies: typing.Optional[bool] = None  # copies of annotations for the device: on a stream (True), on none (False)
    base_ns: int = 0
    is_list: bool = False
    has_graphs: bool = False  # one launch for the kernels of a phase
    is_begin_end: bool = False  # operators as B and E events
    device_name: str = "NVIDIA A100-SXM4-80GB"
    extra: typing.Tuple[dict, ...] = ()


CUDA_STEP = {"ph": "X", "cat": "Trace", "name": "PyTorch Profiler (0)", "pid": "Spans", "tid": "PyTorch Profiler",
             "ts": SINCE_1970 - 10, "dur": STEPS * STEP_US + 100, "args": {"Op count": 0}}
RECORD_END = {"ph": "i", "s": "g", "name": "Record Window End", "pid": "", "tid": "",
              "ts": SINCE_1970 + STEPS * STEP_US + 90}
STACK = {"ph": "X", "cat": "python_function", "name": "train.py(12): main", "pid": 77, "tid": 77, "ts": SINCE_1970,
         "dur": STEPS * STEP_US, "args": {"Python id": 1, "Python parent id": None}}
COUNTER = {"ph": "C", "cat": "mtia_counters", "name": "HBM", "pid": 0, "ts": SINCE_1970 + 5, "args": {"bytes": 5}}

DIALECTS = (
    Dialect("pytorch-1.8", "PyTorch 1.8: categories in capitals, steps are operators", "Operator", "Operator", "Runtime",
            kernel="Kernel", memcpy="Memcpy", extra=(CUDA_STEP,)),
    Dialect("pytorch-1.12", "PyTorch 1.12 to 2.2: microseconds since 1970", gpu_copies=True, extra=(CUDA_STEP, RECORD_END)),
    Dialect("pytorch-2.3", "PyTorch 2.3 to 2.15: nanoseconds behind a base time, launches by the driver",
            launch="cuda_driver", launch_name="cuLaunchKernelEx", base_ns=SINCE_1970 * 1000, gpu_copies=True,
            extra=(CUDA_STEP, RECORD_END)),
    Dialect("pytorch-list", "a bare list of events, as post-processing leaves it", is_list=True),
    Dialect("hta", "what HTA reads: steps, copies of annotations, synchronisations", gpu_copies=True,
            extra=({"ph": "X", "cat": "cuda_sync", "name": "Stream Synchronize", "pid": 0, "tid": 7,
                    "ts": SINCE_1970 + 9_000, "dur": 400, "args": {"stream": 7, "device": 0, "correlation": 9_999}},)),
    Dialect("tracelens", "what TraceLens reads: with_stack and record_shapes", gpu_copies=True, extra=(STACK, CUDA_STEP)),
    Dialect("rocm", "PyTorch on ROCm: hip functions, copies of steps on no stream", launch_name="hipExtModuleLaunchKernel",
            copy_call="hipMemcpyWithStream", kernel_name="Cijk_Ailk_Bljk_HHS_BH_MT128x128x32", memcpy_name="CopyHostToDevice",
            gpu_copies=False, device_name="AMD Instinct MI300X"),
    Dialect("xpu", "PyTorch on Intel GPUs", launch="xpu_runtime", launch_name="urEnqueueKernelLaunch",
            copy_call="urEnqueueUSMMemcpy", kernel_name="gemm_kernel", memcpy_name="Memcpy M2D",
            update_name="at::native::xpu::FusedAdamKernel", device_name="Intel(R) Data Center GPU Max 1550"),
    Dialect("mtia", "PyTorch on MTIA", launch="mtia_runtime", launch_name="runFunctionAsync", copy_call="copyAsync",
            kernel="mtia_ccp_events", kernel_name="fbgemm_linear", device_name="MTIA", extra=(COUNTER,)),
    Dialect("privateuse1", "PyTorch with a vendor's backend (Ascend, Enflame, Cambricon)", launch="privateuse1_runtime",
            launch_name="aclrtLaunchKernel", copy_call="aclrtMemcpyAsync", kernel_name="MatMulV2", device_name="NPU"),
    Dialect("hpu", "PyTorch on Gaudi: the host's events are hpu_op", launch="hpu_op", launch_name="launch",
            copy_call="copy", kernel_name="gemm", device_name="GAUDI2"),
    Dialect("serving-vllm", "vLLM: no steps are marked, CUDA graphs", annotation="user_annotation", has_steps=False,
            has_graphs=True, launch_name="cudaGraphLaunch", base_ns=SINCE_1970 * 1000, kernel_name="fused_moe_kernel"),
    Dialect("serving-sglang", "SGLang: steps are marked by their batch", has_steps=False, has_graphs=True,
            launch_name="cudaGraphLaunch", kernel_name="flash_fwd_splitkv_kernel"),
    Dialect("no-launches", "the device alone, and the steps", launch=None),
    Dialect("begin-end", "operators as begin and end, devices as processes", is_begin_end=True, has_stream_args=False),
)


class Writer:
    def __init__(self, dialect):
        self.dialect, self.events, self.correlation = dialect, [], 100
        self.zero = SINCE_1970 - dialect.base_ns // 1000

    def add(self, category, name, start, duration, pid=77, tid=77, **args):
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": self.zero + start,
                            "dur": duration, "args": args})

    def operator(self, name, start, duration):
        if not self.dialect.is_begin_end:
            self.add(self.dialect.operator, name, start, duration)
            return
        for phase, time in (("B", start), ("E", start + duration)):
            self.events.append({"ph": phase, "cat": self.dialect.operator, "name": name, "pid": 77, "tid": 77,
                                "ts": self.zero + time})

    def launch(self, name, start):
        self.correlation += 1
        if self.dialect.launch:
            self.add(self.dialect.launch, name, start, 5, correlation=self.correlation)
        return {"correlation": self.correlation}

    def on_device(self, category, name, start, duration, **args):
        if self.dialect.has_stream_args:
            args |= {"device": 0, "context": 1, "stream": 7}
        self.add(category, name, start, duration, 0, 7, **args)


def write_step(out, dialect, step):
    begin = step * STEP_US
    if dialect.has_steps:
        out.add(dialect.annotation, f"ProfilerStep#{FIRST + step}", begin, STEP_US)
        if dialect.gpu_copies is not None:
            stream = {"stream": 7, "device": 0} if dialect.gpu_copies else {}
            out.add("gpu_user_annotation", f"ProfilerStep#{FIRST + step}", begin + 500, STEP_US - 600, 0, 7, **stream)
    elif dialect.name == "serving-sglang":
        out.add(dialect.annotation, f"step[DECODE bs={8 + step}]", begin, STEP_US - 100)
    else:
        out.add(dialect.annotation, f"execute_context_0(0)_generation_{8 + step}({8 + step})", begin, STEP_US - 100)
    copied = out.launch(dialect.copy_call, begin + 100)
    out.on_device(dialect.memcpy, dialect.memcpy_name, begin + 500, COPY_US, bytes=1 << 20, **copied)
    for first, count, phase in PHASES:
        if phase == "optimizer" and dialect.has_steps:
            out.add(dialect.annotation, "Optimizer.step#AdamW.step", begin + first - 120, 100 + 10 * count)
        out.operator("aten::linear" if phase != "optimizer" else "aten::_fused_adamw_", begin + first - 110, 10 * count + 30)
        launched = None
        for i in range(count):
            if launched is None or not dialect.has_graphs:
                launched = out.launch(dialect.launch_name, begin + first - 100 + 10 * i)
            name = dialect.update_name if phase == "optimizer" and dialect.has_steps else dialect.kernel_name
            out.on_device(dialect.kernel, name, begin + first + i * EVERY_US, KERNEL_US, **launched)


def trace_of(dialect):
    """The trace that the profiler would have written, and the truth about it."""
    out = Writer(dialect)
    for step in range(STEPS):
        write_step(out, dialect, step)
    for event in dialect.extra:
        out.events.append({**event, "ts": event["ts"] - dialect.base_ns // 1000})
    kernels = STEPS * sum(count for _, count, _ in PHASES)
    kernel_ns = kernels * KERNEL_US * 1_000
    truth = Truth(STEPS if dialect.has_steps else 0, kernels, kernel_ns, kernel_ns + STEPS * COPY_US * 1_000,
                  kernels + STEPS if dialect.launch else 0)
    if dialect.is_list:
        return out.events, truth
    document = {"schemaVersion": 1, "distributedInfo": {"rank": 0, "world_size": 1},
                "deviceProperties": [{"id": 0, "name": dialect.device_name}], "traceEvents": out.events}
    if dialect.base_ns:
        document["baseTimeNanoseconds"] = dialect.base_ns
    return document, truth


# Files that are no such traces, or hold nothing to analyse: their content, and what is said.
REFUSED = {
    "memory-snapshot.json": (b'{"segments": [], "device_traces": [[]]}', "no traceEvents"),
    "table.json": (b"Name,Self CUDA time\naten::mm,5\n", "not JSON"),
    "empty.json": (b"", "the file is empty"),
    "jax.json": (b'{"traceEvents": [{"ph": "X", "name": "jit_step", "pid": 1, "tid": 1, "ts": 5, "dur": 7}]}',
                 "holds no host call and no device work"),
    "metadata-only.json": (b'{"traceEvents": [{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "x"}}]}',
                           "holds no usable events"),
}
