"""Statistics of samples as exact fractions; the deviation is a float."""

import math
from fractions import Fraction


def mean(values):
    return Fraction(sum(values)) / len(values)


def quantile(values, share):
    """Linear interpolation between the two nearest samples."""
    ordered = sorted(values)
    position = Fraction(share) * (len(ordered) - 1)
    below = math.floor(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (position - below) * (ordered[above] - ordered[below])


def deviation(values):
    centre = mean(values)
    return math.sqrt(sum((value - centre) ** 2 for value in values) / len(values))


def summary(values):
    return {
        "mean": mean(values),
        "median": quantile(values, Fraction(1, 2)),
        "p95": quantile(values, Fraction(95, 100)),
        "min": min(values),
        "max": max(values),
        "stddev": deviation(values),
    }


def ratio(part, whole):
    """None if there is nothing to divide by."""
    return Fraction(part) / whole if whole else None
