"""Phases in a process whose ranges say where forward and backward passes start and end, on one of its threads.

The innermost range decides. Where none is open, the thread is in the loss between a forward and the next backward pass,
and elsewhere in nothing; there, copies of input and calls that read or gather results have the phase of their class.
"""

import bisect

ENDS_LOSS = ("backward", "optim_step")
READS = ("Memcpy DtoH",)


class Spoken:
    def __init__(self, process, backward_threads, kernels):
        """`kernels`: the names of what each call launched, by the call's id()."""
        self.backward, self.kernels = backward_threads, kernels
        self.ranges = {}
        for range_ in process.ranges:
            if range_.phase:
                self.ranges.setdefault(range_.thread, []).append(range_)
        self.is_spoken = any({"forward", "backward"} <= {range_.phase for range_ in ranges}
                             for thread, ranges in self.ranges.items() if thread not in backward_threads)
        self.threads = {}
        for thread in {call.thread for call in process.calls} if self.is_spoken else ():
            calls = [call for call in process.calls if call.thread == thread and (call.is_launch or call.blocks)]
            self.threads[thread] = self._changes(thread, calls)

    def at(self, thread, time):
        times, phases = self.threads[thread]
        return phases[bisect.bisect_right(times, time) - 1]

    def boundaries(self, thread):
        return self.threads[thread][0][1:]

    def _losses(self, thread):
        """From the end of a forward pass to the next backward pass on its thread."""
        losses, since = [], None
        for range_ in sorted(self.ranges.get(thread, []), key=lambda one: one.start):
            if range_.phase == "backward" and since is not None:
                losses.append((since, range_.start))
            if range_.phase in ENDS_LOSS:
                since = None
            if range_.phase == "forward" and since is None:
                since = range_.end
        return losses

    def _stretches(self, thread):
        """(start, end, phase, whether calls decide) without holes."""
        ranges, losses = self.ranges.get(thread, []), self._losses(thread)
        spans = [(range_.start, range_.end, range_.phase, False) for range_ in ranges]
        spans += [(start, end, "forward", True) for start, end in losses]
        times = sorted({time for span in spans for time in span[:2]})
        if thread in self.backward:
            silence = ("backward", False)
        else:
            silence = ("other", True)
        edges = [float("-inf"), *times, float("inf")]
        for start, end in zip(edges, edges[1:]):
            open_ = [span for span in spans if span[0] <= start < span[1]]
            yield start, end, *(max(open_, key=lambda span: span[0])[2:] if open_ else silence)

    def _changes(self, thread, calls):
        """The times from which on a phase holds, and these phases."""
        changes, fetched = [], False
        for start, end, phase, is_open in self._stretches(thread):
            changes.append((start, phase))
            if is_open:
                changes += self._of_calls([call for call in calls if start <= call.start < end], start, end, phase,
                                          fetched)
            fetched = phase == "dataload_wait"
        return [time for time, _ in changes], [phase for _, phase in changes]

    def _of_calls(self, calls, start, end, base, came_with_input):
        now, changes = start, []
        for call in calls:
            if call.start < now:
                continue
            phase = self._of_call(call, base, came_with_input)
            if call.to_device:
                changes.append((now, "h2d" if came_with_input else "dataload_wait"))
            now = min(call.end, end)
            changes += [(call.start, phase), (now, base)]
            came_with_input = phase == "h2d"
        return changes

    def _of_call(self, call, base, came_with_input):
        if call.to_device or (call.role == "sync" and came_with_input):
            return "h2d"
        if call.blocks or any(name.startswith(READS) for name in self.kernels.get(id(call), [])):
            return "sync_gather"
        is_message = call.function in ("ncclSend", "ncclRecv")
        gathers = call.function.startswith("nccl") and call.is_launch and not is_message
        return "sync_gather" if gathers and base == "other" else base
