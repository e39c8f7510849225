"""Trains a multi-layer perceptron on one device, on synthetic pictures.

The loop that most people write first. Its options are the choices that make such a loop fast or slow: how batches are
loaded and copied, which optimizer and precision it uses, how often the host reads the loss.
"""

import argparse
import contextlib
import functools
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

import calm_end
from phase_times import PhaseTimes

PIXELS, CLASSES = 1024, 10


class SyntheticPictures(Dataset):
    """Pictures that depend only on their number; reading a batch takes `load_ms`.

    With `together`, as from a rotating disk: readers wait for the next revolution and all get their batches at once.
    With `slow_ms`, each `slow_every`-th batch takes that much longer, as one from a cold file.
    """

    def __init__(self, count, batch, load_ms, together, slow_every, slow_ms):
        self.count = count
        self.load_s = load_ms / 1e3
        self.together = together
        self.pictures_between = slow_every * batch
        self.slow_s = slow_ms / 1e3

    def __len__(self):
        return self.count

    def __getitems__(self, numbers):
        time.sleep(self.load_s - time.monotonic() % self.load_s if self.together else self.load_s)
        if self.slow_s and numbers[-1] % self.pictures_between == self.pictures_between - 1:
            time.sleep(self.slow_s)
        return [(torch.full((PIXELS,), number / self.count), number % CLASSES) for number in numbers]


def start_worker(ms, number):
    time.sleep(ms / 1e3)


class Collate:
    """Collates pictures into a batch, after `ms` of Python code."""

    def __init__(self, ms):
        self.ms = ms

    def __call__(self, samples):
        self.augment()
        return torch.stack([picture for picture, _ in samples]), torch.tensor([label for _, label in samples])

    def augment(self):
        until = time.perf_counter() + self.ms / 1e3
        while time.perf_counter() < until:
            pass


class Prefetcher:
    """Copies the next batch on its own stream while the device computes."""

    def __init__(self, batches, device):
        self.batches = batches
        self.device = device
        self.stream = torch.cuda.Stream()
        self.ahead = self.copy(next(batches))

    def copy(self, batch):
        with torch.cuda.stream(self.stream):
            return [tensor.to(self.device, non_blocking=True) for tensor in batch]

    def swap(self, batch):
        """Returns the batch that was copied ahead, and starts to copy `batch`."""
        torch.cuda.current_stream().wait_stream(self.stream)
        ready, self.ahead = self.ahead, self.copy(batch)
        for tensor in ready:
            tensor.record_stream(torch.cuda.current_stream())
        return ready


def make_model(width, layers, outputs):
    stages = [nn.Linear(PIXELS, width), nn.GELU()]
    for _ in range(layers):
        stages += [nn.Linear(width, width), nn.GELU()]
    return nn.Sequential(*stages, nn.Linear(width, outputs))


def make_optimizer(model, kind):
    choices = {"fused": {"fused": True}, "foreach": {"foreach": True}, "plain": {"fused": False, "foreach": False}}
    return torch.optim.AdamW(model.parameters(), lr=1e-3, **choices[kind])


def endless(loader):
    while True:
        yield from loader


class Trainer:
    def __init__(self, options, device):
        self.options = options
        self.device = device
        torch.manual_seed(0)
        self.model = make_model(options.width, options.layers, options.outputs).to(device)
        self.optimizer = make_optimizer(self.model, options.optimizer)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, step_size=5)
        self.scaler = torch.amp.GradScaler(device.type, enabled=options.precision == "fp16")
        pictures = SyntheticPictures(options.epoch * options.batch, options.batch, options.load_ms,
                                     options.load_together, options.slow_every, options.slow_ms)
        loader = DataLoader(pictures, options.batch, num_workers=options.workers,
                            prefetch_factor=options.prefetch_factor if options.workers else None,
                            collate_fn=Collate(options.collate_ms),
                            worker_init_fn=functools.partial(start_worker, options.start_ms),
                            pin_memory=options.copies.startswith("pinned") or options.copies == "prefetch")
        self.batches = endless(loader)
        self.prefetcher = Prefetcher(self.batches, device) if options.copies == "prefetch" else None
        self.times = PhaseTimes()

    def autocast(self):
        lower = {"fp16": torch.float16, "bf16": torch.bfloat16}.get(self.options.precision)
        return torch.autocast(self.device.type, dtype=lower) if lower else contextlib.nullcontext()

    def load(self):
        with self.times.phase("dataload_wait"):
            pictures, labels = next(self.batches)
        with self.times.phase("h2d"):
            if self.prefetcher:
                return self.prefetcher.swap((pictures, labels))
            is_async = self.options.copies.endswith("async")
            pictures = pictures.to(self.device, non_blocking=is_async)
            return pictures, labels.to(self.device, non_blocking=is_async)

    def pass_batch(self):
        """Adds the gradients of one micro-batch."""
        pictures, labels = self.load()
        with self.autocast(), self.times.phase("forward"):
            loss = nn.functional.cross_entropy(self.model(pictures), labels) / self.options.accumulate
        with self.times.phase("backward"):
            self.scaler.scale(loss).backward()
        return loss.detach()

    def step(self):
        for _ in range(self.options.accumulate):
            loss = self.pass_batch()
        if self.options.clip:
            with self.times.phase("unscale_clip"):
                self.scaler.unscale_(self.optimizer)
                nn.utils.clip_grad_norm_(self.model.parameters(), self.options.clip)
        with self.times.phase("optim_step"):
            self.scaler.step(self.optimizer)
            self.scaler.update()
        with self.times.phase("zero_grad_sched"):
            self.optimizer.zero_grad()
            self.scheduler.step()
        return loss

    def train(self):
        for number in range(1, self.options.steps + 1):
            with self.times.step(number):
                loss = self.step()
                if self.options.item_every and number % self.options.item_every == 0:
                    with self.times.phase("sync_gather"):
                        print(f"step {number} loss {loss.item():.4f}")


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--epoch", type=int, default=6, help="batches in an epoch; workers restart for each epoch")
    parser.add_argument("--width", type=int, default=1024)
    parser.add_argument("--layers", type=int, default=16)
    parser.add_argument("--outputs", type=int, default=CLASSES, help="width of the last layer")
    parser.add_argument("--tf32", action="store_true", help="multiply float32 in TF32")
    parser.add_argument("--workers", type=int, default=0, help="processes that load data; 0: the main process does")
    parser.add_argument("--load-ms", type=float, default=0, help="time that reading a batch sleeps")
    parser.add_argument("--load-together", action="store_true", help="all workers finish reading at the same times")
    parser.add_argument("--prefetch-factor", type=int, default=2, help="batches that each worker loads ahead")
    parser.add_argument("--slow-every", type=int, default=8, help="one of so many batches is slow")
    parser.add_argument("--slow-ms", type=float, default=0, help="time that reading a slow batch sleeps in addition")
    parser.add_argument("--start-ms", type=float, default=0, help="time that a worker sleeps before its first batch")
    parser.add_argument("--collate-ms", type=float, default=0, help="time that collating a batch computes")
    parser.add_argument("--copies", default="pageable",
                        choices=["pageable", "pageable-async", "pinned", "pinned-async", "prefetch"])
    parser.add_argument("--optimizer", default="foreach", choices=["plain", "foreach", "fused"])
    parser.add_argument("--precision", default="fp32", choices=["fp32", "fp16", "bf16"])
    parser.add_argument("--clip", type=float, default=0, help="largest norm of the gradients; 0: no clipping")
    parser.add_argument("--accumulate", type=int, default=1, help="micro-batches per step of the optimizer")
    parser.add_argument("--item-every", type=int, default=0, help="steps between readings of the loss; 0: never")
    return parser.parse_args()


def main():
    calm_end.at_exit()
    options = parse_options()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if options.tf32:
        torch.set_float32_matmul_precision("high")
    trainer = Trainer(options, device)
    start = time.perf_counter()
    trainer.train()
    if device.type == "cuda":
        torch.cuda.synchronize()
    print(f"trained {options.steps} steps")
    print(f"seconds {time.perf_counter() - start:.6f}")


if __name__ == "__main__":
    main()
