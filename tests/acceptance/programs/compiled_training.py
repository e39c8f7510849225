"""Trains a small network compiled by torch.compile, whose kernels Triton makes."""

import torch

STEPS = 20


def main():
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(256, 256), torch.nn.GELU(), torch.nn.LayerNorm(256),
                                torch.nn.Linear(256, 1)).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    compiled = torch.compile(model)
    inputs = torch.linspace(0, 1, 64 * 256, device="cuda").view(64, 256)
    for _ in range(STEPS):
        optimizer.zero_grad(set_to_none=True)
        compiled(inputs).square().mean().backward()
        optimizer.step()
    torch.cuda.synchronize()
    print("trained", STEPS, "steps")


main()
