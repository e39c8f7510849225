"""A training loop that profiles some of its steps with PyTorch's own profiler.

Prints how many kernels and copies the profiler saw in those steps, and writes its trace.
"""

import argparse
import collections
import json
import pathlib
import time

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function, schedule

import calm_end
from phase_times import PhaseTimes

WAIT, WARM_UP, ACTIVE = 3, 1, 4
KINDS = ("kernel", "gpu_memcpy", "gpu_memset")


def device_work(trace):
    """{kind: number of events of it in the trace}"""
    events = json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
    counts = collections.Counter(event.get("cat") for event in events if event.get("ph") == "X")
    return {kind: counts[kind] for kind in KINDS}


def train(steps, device, profiler):
    times = PhaseTimes()
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 1)).to(device)
    optimizer = torch.optim.AdamW(model.parameters())
    inputs = torch.linspace(0, 1, 64 * 512).view(64, 512)
    for number in range(1, steps + 1):
        with times.step(number):
            with times.phase("h2d"):
                batch = inputs.to(device)
            with times.phase("forward"), record_function("forward"):
                loss = model(batch).square().mean()
            with times.phase("backward"):
                loss.backward()
            with times.phase("optim_step"):
                optimizer.step()
            with times.phase("zero_grad_sched"):
                optimizer.zero_grad()
            if device.type == "cuda":
                torch.cuda.synchronize()  # the profiler has the work of its steps, not what runs late
            profiler.step()


def main():
    calm_end.at_exit()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--trace", type=pathlib.Path, required=True, metavar="FILE", help="the trace to write")
    options = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    start = time.perf_counter()
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA],
                 schedule=schedule(wait=WAIT, warmup=WARM_UP, active=ACTIVE, repeat=1),
                 on_trace_ready=lambda profiler: profiler.export_chrome_trace(str(options.trace))) as profiler:
        train(options.steps, device, profiler)
    if device.type == "cuda":
        torch.cuda.synchronize()
    counts = ", ".join(f"{count} {kind}" for kind, count in device_work(options.trace).items())
    print(f"the profiler saw {counts} in {ACTIVE} steps")
    print(f"trained {options.steps} steps")
    print(f"seconds {time.perf_counter() - start:.6f}")


if __name__ == "__main__":
    main()
