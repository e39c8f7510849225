"""Training loops that get their batches in unusual ways: from two loaders at once, from a stream of data without an
end, from a tensor that is on the device already."""

import torch
from torch.utils.data import DataLoader, IterableDataset, TensorDataset

from training_loop import CLASSES, FEATURES, Loop, train_one_of

BATCH = 64


def endless(loader):
    while True:
        yield from loader


def labelled(batches):
    count = batches * BATCH
    return TensorDataset(torch.randn(count, FEATURES), torch.randint(CLASSES, (count,)))


class FromLoaders(Loop):
    def next_of(self, batches):
        with self.times.phase("dataload_wait"):
            inputs, labels = next(batches)
        with self.times.phase("h2d"):
            return inputs.to(self.device), labels.to(self.device)

    def backward_of(self, inputs, labels):
        loss = self.loss(inputs, labels)
        with self.times.phase("backward"):
            loss.backward()

    def update(self):
        with self.times.phase("optim_step"):
            self.optimizer.step()
        with self.times.phase("zero_grad_sched"):
            self.optimizer.zero_grad()


class TwoLoaders(FromLoaders):
    """Data with labels and data with guessed labels: a batch of each in every step, the second behind the first's
    backward pass. The epochs of the two have different lengths."""

    def __init__(self, options, device):
        super().__init__(options, device)
        self.known, self.guessed = (endless(DataLoader(labelled(count), BATCH)) for count in (5, 3))

    def step(self, number):
        self.backward_of(*self.next_of(self.known))
        self.backward_of(*self.next_of(self.guessed))
        self.update()


class Records(IterableDataset):
    def __iter__(self):
        number = 0
        while True:
            yield torch.full((FEATURES,), number / 1000), number % CLASSES
            number += 1


class Streamed(FromLoaders):
    """An IterableDataset, read by workers."""

    def __init__(self, options, device):
        super().__init__(options, device)
        self.batches = iter(DataLoader(Records(), BATCH, num_workers=2))

    def step(self, number):
        self.backward_of(*self.next_of(self.batches))
        self.update()


class OnDevice(FromLoaders):
    """All data is on the device; a step takes a slice of it, in a random order that is made for each epoch."""

    def __init__(self, options, device):
        super().__init__(options, device)
        self.inputs = torch.randn(6 * BATCH, FEATURES, device=device)
        self.labels = torch.zeros(6 * BATCH, dtype=torch.long, device=device)

    def step(self, number):
        with self.times.phase("other"):
            if number % 6 == 1:
                self.order = torch.randperm(6 * BATCH)
            chosen = [int(one) for one in self.order[:BATCH]]
            inputs, labels = self.inputs[chosen[0]:chosen[0] + 1].repeat(BATCH, 1), self.labels[:BATCH]
        self.backward_of(inputs, labels)
        self.update()


LOOPS = {"two-loaders": TwoLoaders, "streamed": Streamed, "on-device": OnDevice}

if __name__ == "__main__":
    train_one_of(LOOPS, __doc__)
