"""The phase of each call: by what the ranges say of passes, else by the first rule that fits."""

from oracle import spoken

OPTIMIZER_KERNELS = ("FusedAdam",)
CLIPPING_KERNELS = ("lpnorm_cleanup", "LpNormFunctor")
KERNEL_LAUNCHES = ("cudaLaunchKernel", "cudaGraphLaunch", "cublasGemmEx")
MESSAGES = ("ncclSend", "ncclRecv")
UPDATE = ("optim_step", "zero_grad_sched")
AFTER_UPDATE = (*UPDATE, "sync_gather")
PASSES = ("forward", "backward")


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
    roles = _Roles(process)
    process.spoken = spoken.Spoken(process, roles.backward, kernels)
    if process.spoken.is_spoken:
        for call in process.calls:
            if call.step is not None:
                call.phase = process.spoken.at(call.thread, call.start)
        return
    for thread in {call.thread for call in process.calls}:
        calls = [call for call in process.calls if call.thread == thread and call.step is not None]
        for step in sorted({call.step for call in calls}):
            _assign_step([call for call in calls if call.step == step], kernels, own.get(thread, []), roles)


class _Roles:
    """Which threads launch what."""

    def __init__(self, process):
        self.has_several = any(_launches_kernel(call) and call.thread != "main" for call in process.calls)
        named = {call.thread for call in process.calls if _launches_kernel(call) and "autograd" in call.thread}
        others = {call.thread for call in process.calls if _launches_kernel(call) and call.thread != "main"}
        self.backward = named or others
        self.grouped = _grouped(process)
        self.last_backward = {}
        for call in process.calls:
            if _launches_kernel(call) and call.thread in self.backward and call.step is not None:
                self.last_backward[call.step] = max(call.start, self.last_backward.get(call.step, 0))

    def is_after_backward(self, call):
        return call.thread not in self.backward and call.start > self.last_backward.get(call.step, call.start)


def _grouped(process):
    """The calls that an ncclGroupEnd launches."""
    found, open_ = set(), set()
    for call in process.calls:
        if call.function == "ncclGroupStart":
            open_.add(call.thread)
        elif call.function == "ncclGroupEnd":
            open_.discard(call.thread)
        elif call.thread in open_:
            found.add(id(call))
    return found


def _assign_step(calls, kernels, own, roles):
    """The calls of one thread in one step."""
    before, waiting = None, []  # the last launch's phase; calls that take the next launch's
    for call in calls:
        names = kernels.get(id(call), [])
        call.phase = (innermost(own, call.start)
                      or ("backward" if "autograd" in call.thread else None)
                      or _of_kernels(names)
                      or ("h2d" if call.to_device else None)
                      or _by_role(call, names, before, roles))
        if call.phase == "next":
            waiting.append(call)
            continue
        if not call.is_launch:
            continue
        settled = [other for other in waiting if not other.is_launch or call.phase in PASSES]
        waiting = [other for other in waiting if other not in settled]
        for other in settled:  # a phase that comes from a range does not start before the range
            other.phase = "other" if innermost(own, call.start) else call.phase
        if call.to_device:
            before = None if before == "backward" and not roles.has_several else before
        elif call.phase != "other":
            before = call.phase
    for call in waiting:
        call.phase = "other"


def _launches_kernel(call):
    return call.function in KERNEL_LAUNCHES


def _of_kernels(names):
    for name in names:
        if any(part in name for part in CLIPPING_KERNELS):
            return "unscale_clip"
        if any(part in name for part in OPTIMIZER_KERNELS):
            return "optim_step"
    return None


def _by_role(call, names, before, roles):
    if call.function in MESSAGES and id(call) not in roles.grouped:
        return "other"
    if _launches_kernel(call):
        return _of_thread(call, before, roles) if roles.has_several else _of_one_thread(names, before)
    if call.function == "ncclAllReduce" and roles.has_several and call.thread == "main" and before in AFTER_UPDATE:
        return "sync_gather"
    if call.function.startswith("nccl") and call.is_launch:
        return before or "next"
    if any(name.startswith("Memset") for name in names) and before in UPDATE:
        return "zero_grad_sched"
    reads_back = any(name.startswith("Memcpy DtoH") for name in names)
    if (reads_back or call.role == "sync") and before in AFTER_UPDATE:
        return "sync_gather"
    return "other" if call.is_launch or call.blocks else "next"


def _of_thread(call, before, roles):
    if call.thread != "main":
        return "backward"
    if not roles.is_after_backward(call):
        return "forward"
    return "optim_step" if before == "optim_step" else "other"  # no kernel of an optimizer tells an update


def _of_one_thread(names, before):
    for phase in reversed(PASSES):
        if any(phase in name for name in names):
            return phase
    if before in PASSES:
        return before
    return "next" if before is None else "other"
