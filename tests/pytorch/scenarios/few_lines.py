"""Loops of a few lines whose steps no pattern of launches tells: threads that make optimizers, a critic ahead of its
generator, an optimizer that calls back, inference."""

import argparse
import sys
import threading

import calm_end
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

WIDTH, THREADS, CRITIC_STEPS = 64, 8, 5
DEVICE = torch.device("cuda")


def network():
    return nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH)).to(DEVICE)


def batches(steps):
    loader = DataLoader(TensorDataset(torch.randn(16 * steps, WIDTH)), 16)
    return (batch.to(DEVICE) for batch, in loader)


def train_with_own_class(steps):
    class Own(torch.optim.SGD):
        def step(self, closure=None):
            assert type(self) is Own
            return super().step(closure)

    model = network()
    optimizer = Own(model.parameters(), lr=0.1)
    for batch in batches(steps):
        optimizer.zero_grad()
        model(batch).square().mean().backward()
        optimizer.step()


def classes(steps):
    """Threads on one device; each makes a class of optimizers of its own, all at the same time."""
    sys.setswitchinterval(1e-5)
    torch.zeros(1, device=DEVICE)
    trainers = [threading.Thread(target=train_with_own_class, args=(steps,)) for _ in range(THREADS)]
    for trainer in trainers:
        trainer.start()
    for trainer in trainers:
        trainer.join()


def critic(steps):
    """A critic steps five times for each step of the generator, with a batch for each."""
    generator, judge = network(), network()
    of_generator, of_judge = (torch.optim.Adam(model.parameters()) for model in (generator, judge))
    for number, batch in enumerate(batches(CRITIC_STEPS * steps), start=1):
        of_judge.zero_grad()
        (judge(batch).mean() - judge(generator(batch).detach()).mean()).backward()
        of_judge.step()
        if number % CRITIC_STEPS == 0:
            of_generator.zero_grad()
            (-judge(generator(batch)).mean()).backward()
            of_generator.step()


def closure(steps):
    model = network()
    optimizer = torch.optim.LBFGS(model.parameters(), max_iter=4)
    batch = next(batches(1))

    def loss():
        optimizer.zero_grad()
        value = model(batch).square().mean()
        value.backward()
        return value

    for _ in range(steps):
        optimizer.step(loss)


def inference(steps):
    model = network()
    with torch.no_grad():
        for batch in batches(steps):
            model(batch).sum().item()


def main():
    calm_end.at_exit()
    parser = argparse.ArgumentParser(description=__doc__)
    loops = {"classes": classes, "critic": critic, "closure": closure, "inference": inference}
    parser.add_argument("loop", choices=loops)
    parser.add_argument("--steps", type=int, default=12)
    options = parser.parse_args()
    loops[options.loop](options.steps)
    torch.cuda.synchronize()


if __name__ == "__main__":
    main()
