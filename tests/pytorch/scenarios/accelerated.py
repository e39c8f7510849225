"""The loop of Hugging Face accelerate's documentation, with wrapped model, optimizer and loader, on any number of ranks.

    accelerate launch --num_processes 2 accelerated.py
"""

import argparse
import time

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import calm_end
from phase_times import PhaseTimes

FEATURES, CLASSES = 256, 10


def make_loader(batch):
    generator = torch.Generator().manual_seed(0)
    features = torch.randn(64 * batch, FEATURES, generator=generator)
    labels = torch.randint(CLASSES, (64 * batch,), generator=generator)
    return DataLoader(TensorDataset(features, labels), batch, shuffle=False, pin_memory=True)


def endless(loader):
    while True:
        yield from loader


class Trainer:
    def __init__(self, options):
        torch.manual_seed(0)
        self.accelerator = Accelerator(mixed_precision=options.precision,
                                       gradient_accumulation_steps=options.accumulate)
        width = options.width
        model = nn.Sequential(nn.Linear(FEATURES, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(),
                              nn.Linear(width, CLASSES))
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
        scheduler = torch.optim.lr_scheduler.LinearLR(optimizer)
        self.model, self.optimizer, self.loader, self.scheduler = self.accelerator.prepare(
            model, optimizer, make_loader(options.batch), scheduler)
        self.times = PhaseTimes()

    def pass_batch(self, batches):
        """One micro-batch; accelerate lets the optimizer step after the last one."""
        with self.times.phase("dataload_wait"):  # includes the copy to the device, which the loader makes
            features, labels = next(batches)
        with self.accelerator.accumulate(self.model):
            with self.times.phase("forward"):
                loss = nn.functional.cross_entropy(self.model(features), labels)
            with self.times.phase("backward"):
                self.accelerator.backward(loss)
            with self.times.phase("unscale_clip"):
                if self.accelerator.sync_gradients:
                    self.accelerator.clip_grad_norm_(self.model.parameters(), 1.0)
            with self.times.phase("optim_step"):
                self.optimizer.step()
            with self.times.phase("zero_grad_sched"):
                self.scheduler.step()
                self.optimizer.zero_grad()
        return loss.detach()

    def train(self, steps, accumulate):
        batches = endless(self.loader)
        for number in range(1, steps + 1):
            with self.times.step(number):
                for _ in range(accumulate):
                    loss = self.pass_batch(batches)
                if number % 4 == 0:
                    with self.times.phase("sync_gather"):
                        losses = self.accelerator.gather_for_metrics(loss)
                        self.accelerator.print(f"step {number} loss {losses.mean().item():.4f}")


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--accumulate", type=int, default=1, help="micro-batches per step of the optimizer")
    parser.add_argument("--precision", default="no", choices=["no", "fp16", "bf16"])
    return parser.parse_args()


def main():
    calm_end.at_exit()
    options = parse_options()
    trainer = Trainer(options)
    start = time.perf_counter()
    trainer.train(options.steps, options.accumulate)
    trainer.accelerator.wait_for_everyone()
    trainer.accelerator.print(f"trained {options.steps} steps")
    trainer.accelerator.print(f"seconds {time.perf_counter() - start:.6f}")
    trainer.accelerator.end_training()


if __name__ == "__main__":
    main()
