"""Steps: device windows of each rank and host windows of each process."""

from fractions import Fraction

from oracle import samples


def main_stream(rank):
    """The stream with the most compute; on a tie, the one with the smallest number."""
    compute = {span.stream: 0 for span in rank.spans}
    for span in rank.spans:
        if span.cls == "compute":
            compute[span.stream] += span.end - span.start
    return min(compute, key=lambda stream: (-compute[stream], stream), default=None)


def first_start(rank, step, start):
    """With its marker, if that is earlier than its work."""
    return min(start, host_windows(rank.process).get(step, (start,))[0])


def device_windows(rank):
    """{step: (start, end)} of the steps that count: from the first span on the main stream that this or a later step
    launched to the next step's. A step without work there starts with its first span, between its neighbours' starts;
    so does the first step, or earlier on the host. The last ends with its work or on the host.
    """
    main = main_stream(rank)
    spans = [span for span in rank.spans if span.step is not None]
    steps = sorted({span.step for span in spans})
    bounding = {step: [span.start for span in spans if span.step == step and span.stream == main] for step in steps}
    starts = []
    for step in steps:
        later = [start for other in steps if other >= step for start in bounding[other]]
        own = bounding[step] or [max(starts[-1:] + [min(span.start for span in spans if span.step == step)])]
        starts.append(min(later + own))
    starts[:1] = [first_start(rank, step, min(span.start for span in spans if span.step == step)) for step in steps[:1]]
    last = [max([span.end for span in spans] + [end for of, (_, end) in host_windows(rank.process).items() if of == step])
            for step in steps[-1:]]
    return {step: (start, end) for step, start, end in zip(steps, starts, starts[1:] + last) if step not in rank.warmup}


def is_inside(at, windows):
    return any(start <= at < end for start, end in windows.values())


def host_windows(process):
    """{step: (start, end)}: from a marker's start to the next one's; the last step ends with its marker."""
    markers = sorted((range_.step, range_.start, range_.end) for range_ in process.main_ranges()
                     if range_.step is not None)
    starts = [start for _, start, _ in markers]
    ends = starts[1:] + [end for _, _, end in markers[-1:]]
    return {step: (start, end) for (step, start, _), end in zip(markers, ends)}


def durations(job):
    """[(step, mean over ranks)]"""
    windows = [device_windows(rank) for rank in job.logged_ranks()]
    steps = sorted({step for of_rank in windows for step in of_rank})
    lengths = {step: [of_rank[step][1] - of_rank[step][0] for of_rank in windows if step in of_rank] for step in steps}
    return [(step, samples.mean(lengths[step])) for step in steps]


def comparable(job):
    """[(step, mean over ranks)], to find the warm-up: without what the host prepares before the first step's work, for
    which its time on the host counts, if that is longer.
    """
    listed = durations(job)
    if not listed:
        return []
    first, length = listed[0]
    ranks = [rank for rank in job.logged_ranks() if first in device_windows(rank)]
    ahead = [min(span.start for span in rank.spans if span.step == first) - device_windows(rank)[first][0]
             for rank in ranks]
    if not any(ahead):
        return listed
    hosts = [host_windows(rank.process)[first] for rank in ranks]
    on_host = samples.mean([end - start for start, end in hosts])
    return [(first, max(length - samples.mean(ahead), on_host))] + listed[1:]


def warmup(job):
    """In a run of eight steps or more: the first steps, while they take over 1.5 times the median of the later half."""
    listed = comparable(job)
    later = [length for _, length in listed[len(listed) // 2:]]
    found = []
    for step, length in listed:
        if len(listed) < 8 or 2 * length <= 3 * samples.quantile(later, Fraction(1, 2)):
            break
        found.append(step)
    return found


def report(job):
    listed = durations(job)
    return {"count": len(listed), "warmup": len(job.logged_ranks()[0].warmup),
            "duration_ns": samples.summary([ns for _, ns in listed]),
            "list": [{"step": step, "duration_ns": ns} for step, ns in listed]}
