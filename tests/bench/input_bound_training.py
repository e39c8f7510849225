"""An input-bound PyTorch training as a user would write it; --alone only iterates over the same loader.

The worker sleeps for a fixed time per sample, as if it waited for a disk. The loader's rate is therefore known, and a
training that takes no time does not change it. There is one worker, so that batches arrive evenly: several workers
deliver in bursts, and the result would depend on where in a burst the counting ends.
"""

import argparse
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

WARM_UP = 10


class SlowSamples(Dataset):
    def __init__(self, count, sample_ms):
        self.count, self.sample_s = count, sample_ms / 1e3

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        time.sleep(self.sample_s)
        return torch.full((256,), float(index)), index % 10


def iterate(loader):
    """The loader's samples/s, without its start-up."""
    for number, (inputs, _) in enumerate(loader):
        if number == WARM_UP:
            begin = time.perf_counter()
    return number - WARM_UP, len(inputs) * (number - WARM_UP) / (time.perf_counter() - begin)


def train(loader):
    model = nn.Sequential(nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 10)).to("cuda")
    optimizer = torch.optim.AdamW(model.parameters(), fused=True)
    for inputs, labels in loader:
        inputs, labels = inputs.to("cuda", non_blocking=True), labels.to("cuda", non_blocking=True)
        loss = nn.functional.cross_entropy(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.cuda.synchronize()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--batches", type=int, default=50)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--batch-ms", type=float, default=300)
    options = parser.parse_args()
    samples = SlowSamples(options.batches * options.batch, options.batch_ms / options.batch)
    loader = DataLoader(samples, batch_size=options.batch, num_workers=1, pin_memory=not options.alone)
    if options.alone:
        batches, rate = iterate(loader)
        print(f"{rate:.3f} samples/s over {batches} batches")
    else:
        train(loader)


if __name__ == "__main__":
    main()
