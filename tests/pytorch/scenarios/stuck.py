"""Two ranks reduce a few times; then rank 1 waits for a file that never appears, and rank 0 waits for rank 1."""

import ctypes
import os
import signal
import time

import torch
import torch.distributed as dist


def read_shard():
    while not os.path.exists("/nonexistent/shard"):
        time.sleep(0.05)  # where rank 1 is


def main():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: killed together with its launcher
    rank = int(os.environ["RANK"])
    torch.cuda.set_device(rank % torch.cuda.device_count())
    dist.init_process_group("nccl")
    loss = torch.ones(1024, device="cuda")
    for _ in range(5):
        dist.all_reduce(loss)
        torch.cuda.synchronize()
    if rank == 1:
        read_shard()
    print("stuck", flush=True)
    dist.all_reduce(loss)
    print(loss[0].item())  # where rank 0 is


main()
