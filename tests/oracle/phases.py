"""Host and device time of each phase."""

from oracle import intervals, samples, windows
from oracle.call_phases import KERNEL_LAUNCHES as COMPUTING
from oracle.call_phases import innermost

PHASES = ("dataload_wait", "h2d", "forward", "backward", "unscale_clip", "optim_step", "zero_grad_sched", "sync_gather",
          "other")
BACKWARD_STEP = ("backward", "unscale_clip", "optim_step", "zero_grad_sched")
DERIVED = ("backward_step", "total")


def rows(job):
    hosts, devices = [], []
    for rank in job.logged_ranks():
        host_windows = windows.host_windows(rank.process)
        for step, window in windows.device_windows(rank).items():
            hosts.append(_host_times(rank.process, host_windows[step]))
            devices.append(_device_times(rank, window))
    return [_row(name, hosts, devices) for name in PHASES + DERIVED]


def _row(name, hosts, devices):
    host = [times[name] for times in hosts]
    device = [times[name] for times in devices]
    return {
        "name": name, "derived": name in DERIVED,
        "host_ns": samples.summary(host), "device_ns": samples.summary(device),
        "host_share": samples.ratio(sum(host), sum(times["total"] for times in hosts)),
        "device_share": samples.ratio(sum(device), sum(times["window"] for times in devices)),
    }


def _host_times(process, window):
    if process.spoken is not None and process.spoken.is_spoken:
        return _spoken_times(process.spoken, window)
    ranges = [range_ for range_ in process.main_ranges() if range_.phase]
    calls = [call for call in process.calls if call.start < window[1] and call.end > window[0]]
    boundaries = [at for thing in (*ranges, *calls) for at in (thing.start, thing.end)]
    times = dict.fromkeys(PHASES, 0)
    for start, end in intervals.pieces(window, boundaries):
        phase = innermost(ranges, start) or _by_calls(process, ranges, calls, window, start)
        times[phase] += end - start
    times["backward_step"] = sum(times[phase] for phase in BACKWARD_STEP)
    times["total"] = window[1] - window[0]
    return times


def _spoken_times(spoken, window):
    times = dict.fromkeys(PHASES, 0)
    for start, end in intervals.pieces(window, spoken.boundaries("main")):
        times[spoken.at("main", start)] += end - start
    times["backward_step"] = sum(times[phase] for phase in BACKWARD_STEP)
    times["total"] = window[1] - window[0]
    return times


def _by_calls(process, ranges, calls, window, at):
    """The phase of an instant at which the main thread has no phase range open."""
    running = [call for call in calls if call.start <= at < call.end]
    if running:
        return running[0].phase
    upcoming = [call for call in calls if call.start > at]
    if not upcoming:
        return "other"
    prepares_for = next((call for call in upcoming if call.is_launch or call.blocks), upcoming[0])
    if not any(range_.phase == "dataload_wait" for range_ in ranges):
        if _awaits_input(process, upcoming[0], prepares_for, window):
            return "dataload_wait"
    return "other" if innermost(ranges, upcoming[0].start) else upcoming[0].phase


def _awaits_input(process, following, copy, window):
    """Whether `copy` is the step's input: before the step's first kernel, or after earlier work has ended."""
    if not copy.to_device:
        return False
    before = [call for call in process.calls if call.start < following.start]
    in_step = [call for call in before if call.start >= window[0] and call.is_launch]
    if not any(call.function in COMPUTING or call.function.startswith("nccl") for call in in_step):
        return True
    last = [call for call in before if call.is_launch or call.blocks][-1]
    return last.phase in ("backward", "optim_step", "zero_grad_sched", "sync_gather")


def _device_times(rank, window):
    def union_of(phases):
        spans = [(span.start, span.end) for span in rank.spans if span.phase in phases]
        return intervals.length(intervals.clip(spans, window))

    times = {phase: union_of((phase,)) for phase in PHASES}
    times["backward_step"] = union_of(BACKWARD_STEP)
    times["total"] = union_of(PHASES)
    times["window"] = window[1] - window[0]
    return times
