"""A training loop whose loader is slow in one line: what profilers of one process are asked for.

    slow_line.py SECONDS            the loop alone
    slow_line.py SECONDS profiled   under torch.profiler with stacks: prints its table by operator and line

The loop is Python alone unless it is profiled, so that py-spy and memray need no PyTorch.
"""

import sys
import time


def load(size):
    return [number * number % 7 for number in range(size)]


def train(seconds, step):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        step(load(20_000))


def profiled(seconds):
    import torch

    weights = torch.ones(512, 512)

    def step(batch):
        return (weights @ weights).sum() * batch[-1]

    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], with_stack=True) as profiler:
        train(seconds, step)
    print(profiler.key_averages(group_by_stack_n=3).table(sort_by="self_cpu_time_total", row_limit=10))


if __name__ == "__main__":
    if sys.argv[2:] == ["profiled"]:
        profiled(float(sys.argv[1]))
    else:
        train(float(sys.argv[1]), sum)
