"""Why the device was idle: the rows of a gap, by the calls of the thread whose launch ended it."""

from oracle import intervals
from oracle.call_phases import UPDATE

SEEN_NS = 200_000  # a longer pause between calls is judged on its own
LAUNCH_AGAIN_NS = 200_000  # what a host needs after a blocking call to launch again


class HostThreads:
    """The calls of one process by thread, and what must be known about the pauses between them."""

    def __init__(self, process):
        self.all_calls = process.calls
        self.calls = {}
        for call in process.calls:
            self.calls.setdefault(call.thread, []).append(call)
        self.loaders = {}
        for range_ in process.ranges:
            if range_.phase == "dataload_wait":
                self.loaders.setdefault(range_.thread, []).append((range_.start, range_.end))

    def is_held_by_event(self, launch):
        """Whether a wait was issued on the launch's stream since the previous launch on that stream."""
        on_stream = [call for call in self.all_calls
                     if (call.device, call.stream) == (launch.device, launch.stream) and call.start < launch.start]
        before = max((call.start for call in on_stream if call.is_launch), default=-1)
        return any(call.role == "stream_wait" and call.start > before for call in on_stream)

    def row_at(self, thread, at):
        """The row of an instant at which `thread` had not yet launched the work that the device waited for."""
        before = [call for call in self.calls[thread] if call.start <= at]
        after = [call for call in self.calls[thread] if call.start > at]
        if before and at < before[-1].end:
            return _row_inside(before, at)
        if self._is_loading(thread, at):
            return "idle_data_wait"
        pause = (before[-1].end if before else at, after[0].start)
        is_seen = pause[1] - pause[0] > SEEN_NS
        after_sync = _is_after_sync(before, before[-1].end if before else at)
        own = self._longest_outside_of_loading(thread, pause)
        is_own_seen = own[1] - own[0] > SEEN_NS
        if (is_seen or not after_sync) and self._waits_for_data(thread, before, after, is_own_seen):
            return "idle_data_wait"
        if is_own_seen and _is_off_cpu(before, after[0], own):
            return "idle_host_stall"
        return "idle_host_sync" if _is_after_sync(before, at) else "idle_host_launch"

    def _longest_outside_of_loading(self, thread, pause):
        inside = [loader for loader in self.loaders.get(thread, []) if loader[0] < pause[1] and loader[1] > pause[0]]
        bounds = [pause[0], *(bound for loader in sorted(inside) for bound in loader), pause[1]]
        return max(zip(bounds[::2], bounds[1::2]), key=lambda part: part[1] - part[0])

    def _is_loading(self, thread, at):
        return any(start <= at < end for start, end in self.loaders.get(thread, []))

    def _waits_for_data(self, thread, before, after, is_own_seen):
        if self.loaders.get(thread) and is_own_seen:  # they say when it loads
            return False
        upcoming = [call for call in after if call.is_launch]
        return _is_after_update(before) and bool(upcoming) and upcoming[0].to_device


def _row_inside(before, at):
    call = before[-1]
    if call.role == "allocation":
        return "idle_host_allocation"
    waits = call.blocks or (not call.is_launch and _is_after_sync(before, at))
    return "idle_host_sync" if waits else "idle_host_launch"


def _is_after_sync(before, at):
    """Whether the last call that blocks or launches is one that blocks, and the host needs this long to go on."""
    deciding = [call for call in before if call.blocks or call.is_launch]
    return bool(deciding) and deciding[-1].blocks and at < deciding[-1].end + LAUNCH_AGAIN_NS


def _is_after_update(before):
    """Whether the thread's last deciding launch belongs to the update: no input copy, forward or backward since."""
    deciding = [call for call in before
                if call.is_launch and (call.to_device or call.phase in (*UPDATE, "forward", "backward"))]
    return bool(deciding) and not deciding[-1].to_device and deciding[-1].phase in UPDATE


def _is_off_cpu(before, ending, pause):
    """Whether the thread was off the CPU for most of the pause, by its CPU clock at the end and the reading before."""
    readings = [(call.start, call.thread_cpu_ns) for call in before] + [(call.end, call.end_cpu_ns) for call in before]
    readings = [(time, cpu) for time, cpu in readings if cpu is not None]
    if not readings or ending.thread_cpu_ns is None:
        return False
    since, cpu = max(readings)
    used = ending.thread_cpu_ns - cpu
    length = pause[1] - pause[0]
    if 2 * min(used, length) < length:
        return True
    ran = pause[0] - since - sum(call.end - call.start for call in before if call.blocks and call.start >= since)
    if 10 * used < 9 * ran:  # the readings contradict the assumption that it ran all that time
        return False
    return 2 * max(0, used - ran) < length


def ends_gap(spans):
    """The span that ends the gap, of several that start together: the one launched first; a known launch wins."""
    return min(spans, key=lambda span: (span.call is None, span.launched))


def rows(threads, gap, span):
    """[(row, length)] of the gap that `span` ends."""
    if span.call is None:
        return [("idle_other", gap[1] - gap[0])]
    launch = span.call
    late = "idle_dependency" if threads.is_held_by_event(launch) else "idle_device_latency"
    boundaries = [launch.end]
    for call in threads.calls[launch.thread]:
        boundaries += [call.start, call.end, call.end + LAUNCH_AGAIN_NS]
    for loader in threads.loaders.get(launch.thread, []):
        boundaries += loader
    return [(late if start >= launch.end else threads.row_at(launch.thread, start), end - start)
            for start, end in intervals.pieces(gap, boundaries)]


def rows_behind(threads, gap, main="main"):
    """[(row, length)] of a gap that no span ends any more: what the main thread does, as far as its calls tell."""
    calls = threads.calls.get(main, [])
    boundaries = [at for call in calls for at in (call.start, call.end, call.end + LAUNCH_AGAIN_NS)]
    for loader in threads.loaders.get(main, []):
        boundaries += loader
    known = max((call.end for call in calls), default=gap[0])
    return [("idle_other" if start >= known else threads.row_at(main, start), end - start)
            for start, end in intervals.pieces(gap, boundaries)]
