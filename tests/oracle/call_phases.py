"""The phase of each call, by the first rule that fits."""

OPTIMIZER_KERNELS = ("FusedAdam",)
CLIPPING_KERNELS = ("lpnorm_cleanup", "LpNormFunctor")
KERNEL_LAUNCHES = ("cudaLaunchKernel", "cudaGraphLaunch", "cublasGemmEx")
UPDATE = ("optim_step", "zero_grad_sched")


def innermost(ranges, at):
    """The phase of the innermost of the phase ranges that are open, or None."""
    open_ = [range_ for range_ in ranges if range_.phase and range_.start <= at < range_.end]
    return max(open_, key=lambda range_: range_.start).phase if open_ else None


def assign(process, spans):
    kernels = {}
    for span in spans:
        if span.call is not None:
            kernels.setdefault(id(span.call), []).append(span.name)
    own = {}
    for range_ in process.ranges:
        own.setdefault(range_.thread, []).append(range_)
    main = process.main_ranges()
    has_other_launcher = any(_launches_kernel(call) and call.thread != "main" for call in process.calls)
    before = {}  # the phase of each thread's last launch, input copies not counted
    for call in process.calls:
        if call.step is None:
            continue
        call.phase = (innermost(own.get(call.thread, []), call.start)
                      or ("backward" if "autograd" in call.thread else None)
                      or _of_kernels(kernels.get(id(call), []))
                      or ("h2d" if call.to_device else None)
                      or innermost(main, call.start)
                      or _by_role(call, before.get(call.thread), has_other_launcher))
        if call.is_launch and not call.to_device:
            before[call.thread] = call.phase


def _launches_kernel(call):
    return call.function in KERNEL_LAUNCHES


def _of_kernels(names):
    for name in names:
        if any(part in name for part in CLIPPING_KERNELS):
            return "unscale_clip"
        if any(part in name for part in OPTIMIZER_KERNELS):
            return "optim_step"
    return None


def _by_role(call, before, has_other_launcher):
    if _launches_kernel(call) and has_other_launcher:
        return "forward" if call.thread == "main" else "backward"
    if call.function.startswith("nccl") and call.function != "ncclGroupStart":
        return before or "other"
    if call.blocks and before in UPDATE:
        return "sync_gather"
    return "other"
