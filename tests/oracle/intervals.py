"""Unions and intersections of half-open intervals, as sorted lists of (start, end)."""


def union(intervals):
    merged = []
    for start, end in sorted(intervals):
        if start >= end:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def clip(intervals, window):
    return [(max(start, window[0]), min(end, window[1])) for start, end in intervals
            if max(start, window[0]) < min(end, window[1])]


def length(intervals):
    return sum(end - start for start, end in union(intervals))


def overlap(first, second):
    """How long both run at once: |A| + |B| − |A ∪ B|."""
    return length(first) + length(second) - length(list(first) + list(second))


def pieces(window, boundaries):
    """The window, split at every boundary inside it."""
    ends = sorted({window[0], window[1], *(at for at in boundaries if window[0] < at < window[1])})
    return list(zip(ends, ends[1:]))
