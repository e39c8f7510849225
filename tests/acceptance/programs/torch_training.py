"""A small, typical training loop in PyTorch: torch_training.py [--profile FILE].

Runs on one rank, or under torchrun on several (DistributedDataParallel over NCCL). The measured steps are between
cudaProfilerStart and cudaProfilerStop. Prints their time. With --profile, counts their device work with PyTorch's own
profiler and writes the counts to FILE.RANK as JSON.
"""

import argparse
import contextlib
import json
import os
import time

import torch

WARM_UP, STEPS = 10, 50
WIDTH, LAYERS, BATCH = 1024, 6, 256


def make_model(device, world):
    torch.manual_seed(0)
    layers = [layer for _ in range(LAYERS) for layer in (torch.nn.Linear(WIDTH, WIDTH), torch.nn.GELU())]
    model = torch.nn.Sequential(*layers, torch.nn.Linear(WIDTH, 10)).to(device)
    return torch.nn.parallel.DistributedDataParallel(model, device_ids=[device.index]) if world > 1 else model


class Trainer:
    def __init__(self, device, world):
        self.device = device
        self.model = make_model(device, world)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), fused=True)
        self.batch = torch.randn(BATCH, WIDTH).pin_memory()
        self.labels = torch.randint(0, 10, (BATCH,)).pin_memory()

    def steps(self, count):
        for _ in range(count):
            inputs = self.batch.to(self.device, non_blocking=True)
            labels = self.labels.to(self.device, non_blocking=True)
            self.optimizer.zero_grad(set_to_none=True)
            torch.nn.functional.cross_entropy(self.model(inputs), labels).backward()
            self.optimizer.step()
        torch.cuda.synchronize()


def count_device_work(profiler):
    """{activity: count}"""
    counts = {"kernel": 0, "memcpy": 0, "memset": 0}
    for event in profiler.events():
        if event.device_type == torch.autograd.DeviceType.CUDA and not event.is_user_annotation:
            name = event.name.lower()
            counts["memcpy" if name.startswith("memcpy") else "memset" if name.startswith("memset") else "kernel"] += 1
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--profile", metavar="FILE")
    options = parser.parse_args()
    rank, world = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
    device = torch.device("cuda", rank % torch.cuda.device_count())
    torch.cuda.set_device(device)
    if world > 1:
        torch.distributed.init_process_group("nccl")
    trainer = Trainer(device, world)
    trainer.steps(WARM_UP)
    activities = [torch.profiler.ProfilerActivity.CUDA]
    profile = torch.profiler.profile(activities=activities) if options.profile else contextlib.nullcontext()
    with profile as profiler:
        torch.cuda.profiler.start()
        start = time.perf_counter()
        trainer.steps(STEPS)
        took = time.perf_counter() - start
        torch.cuda.profiler.stop()
    if options.profile:
        with open(f"{options.profile}.{rank}", "w", encoding="utf-8") as file:
            json.dump(count_device_work(profiler), file)
    if rank == 0:
        print(f"seconds {took:.6f}")
    if world > 1:
        torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
