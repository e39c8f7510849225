"""The table of device work by name."""

from oracle import samples, windows


def rows(job):
    groups = {}
    for rank in job.logged_ranks():
        analysed = windows.device_windows(rank)
        for span in rank.spans:
            if windows.is_inside(span.start, analysed):
                groups.setdefault((span.name, span.cls), []).append(span.end - span.start)
    whole = sum(sum(durations) for durations in groups.values())
    return [{"name": name, "class": cls, "count": len(durations), "total_ns": sum(durations),
             "mean_ns": samples.mean(durations), "share": samples.ratio(sum(durations), whole)}
            for (name, cls), durations in sorted(groups.items())]
