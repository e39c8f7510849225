"""Warns in the names of lines that call a module and a scheduler, once PyTorch's functions are watched."""

import time
import warnings

import torch
from torch import nn

torch.zeros(1, device="cuda")
for _ in range(10):
    torch.cuda.synchronize()
    time.sleep(0.02)


class Slow(nn.Module):
    def forward(self, x):
        warnings.warn("slow path", stacklevel=4)
        return x


optimizer = torch.optim.SGD(nn.Linear(2, 2).parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
scheduler.step()  # before the optimizer's: PyTorch warns
Slow()(torch.ones(1))
print("done")
