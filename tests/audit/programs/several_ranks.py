"""Data-parallel training on CPU: rank 0 uses a layer that the others do not use; one layer is used by no rank.

  --find     find_unused_parameters=True; without it DDP refuses the second step
  --all      every rank uses every layer
  --spawn    starts two ranks itself
  --shard    FSDP instead of DDP
  --flat     FSDP's first version, with the original parameters or (--hide) only flat ones
"""

import atexit
import os
import sys

import torch
import torch.distributed as dist
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.both = nn.Linear(4, 4)
        self.first = nn.Linear(4, 4)
        self.never = nn.Linear(4, 4)

    def forward(self, x, uses_first, uses_all):
        x = self.both(x)
        x = self.first(x) if uses_first or uses_all else x
        return self.never(x) if uses_all else x


def wrapped(net):
    if "--flat" in sys.argv:
        from torch.distributed.fsdp import FullyShardedDataParallel
        return FullyShardedDataParallel(net, use_orig_params="--hide" not in sys.argv, device_id=torch.device("cpu"))
    if "--shard" in sys.argv:
        from torch.distributed.device_mesh import init_device_mesh
        from torch.distributed.fsdp import fully_shard
        return fully_shard(net, mesh=init_device_mesh("cpu", (dist.get_world_size(),)))
    return nn.parallel.DistributedDataParallel(net, find_unused_parameters="--find" in sys.argv)


def train():
    net = wrapped(Net())
    optimizer = torch.optim.AdamW(net.parameters())
    for _ in range(2):
        optimizer.zero_grad()
        uses_first = dist.get_rank() == 0 or "--shard" in sys.argv or "--flat" in sys.argv
        net(torch.ones(2, 4), uses_first, "--all" in sys.argv).sum().backward()
        optimizer.step()
    dist.barrier()  # gloo aborts a rank whose peer leaves in the middle of a collective
    dist.destroy_process_group()
    leave()


def leave():
    """Ends as Python does, but leaves the interpreter standing: gloo's threads outlive the group, and one that frees a
    tensor of Python's while the interpreter goes aborts the rank (pytorch/pytorch#179291)."""
    atexit._run_exitfuncs()
    os._exit(0)


def start_rank(rank, store):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    train()


if __name__ == "__main__":
    if "--spawn" in sys.argv:
        torch.multiprocessing.spawn(start_rank, (os.path.abspath("store"),), 2)
    else:
        dist.init_process_group("gloo")
        train()
