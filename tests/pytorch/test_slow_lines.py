"""Stacks name the source line that makes the user's program slow."""

import re

import pytest

from tiers import two_tiers


def line_with(path, text):
    [number] = (number for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if text in line)
    return number


def costliest(report, is_call):
    """(script, line) of the slow call, or of the pause between calls, with the largest total time."""
    slow = max((slow for slow in report["slow_calls"] if (slow["call"] is not None) == is_call),
               key=lambda slow: slow["total_ns"])
    script, line = re.search(r"([^/]+):(\d+) \S+$", slow["where"]).groups()
    return script, int(line)


@pytest.mark.parametrize("name, text, is_call", two_tiers([
    ("item_every_step", "loss.item()", True),
    ("blocking_copies", "pictures.to(self.device", True),
    ("slow_collate", "while time.perf_counter() < until", False),
], lambda case: case[0] == "item_every_step"))
def test_the_slow_line_is_named(runs_of, name, text, is_call):
    runs = runs_of(name)
    script = runs.scenario.path()
    assert costliest(runs["stacks"].report(), is_call) == (script.name, line_with(script, text))
