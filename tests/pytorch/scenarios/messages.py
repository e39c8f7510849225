"""Trains under torchrun in ways that need more of torch.distributed than all-reduces of gradients.

  --job objects     DDP whose ranks exchange Python objects, and tensors by every kind of collective
  --job pipeline    a pipeline with one stage per rank; the stages exchange their shapes first
  --job whole-step  a CUDA graph for each step, with its all-reduces
"""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.pipelining import PipelineStage, Schedule1F1B
from torch.nn import functional
from torch.nn.parallel import DistributedDataParallel

import calm_end
from whole_step import train_with_whole_steps

WIDTH, BATCH = 256, 32


def exchange_objects(rank, world, number):
    """Sizes differ from rank to rank and from step to step."""
    mine = {"rank": rank, "text": "x" * (rank * 10 + number)}
    of_all = [None] * world
    dist.all_gather_object(of_all, mine)
    assert [len(theirs["text"]) for theirs in of_all] == [r * 10 + number for r in range(world)], of_all
    told = [{"step": number}, "y" * number] if rank == 0 else [None, None]
    dist.broadcast_object_list(told, src=0)
    assert told == [{"step": number}, "y" * number], told
    gathered = [None] * world if rank == 0 else None
    dist.gather_object(mine["text"], gathered, dst=0)
    assert rank != 0 or [len(text) for text in gathered] == [r * 10 + number for r in range(world)], gathered


def exchange_tensors(rank, world, device):
    mine, theirs = torch.ones(world * 64, 64, device=device), torch.empty(world * 64, 64, device=device)
    dist.all_to_all_single(theirs, mine)
    dist.all_to_all(list(theirs.chunk(world)), list(mine.chunk(world)))
    around = [dist.P2POp(dist.isend, mine, (rank + 1) % world), dist.P2POp(dist.irecv, theirs, (rank - 1) % world)]
    for work in dist.batch_isend_irecv(around):
        work.wait()
    dist.reduce(mine, dst=0)
    dist.barrier()


def train_with_objects(options, rank, world, device):
    layers = [nn.Linear(WIDTH, WIDTH) for _ in range(4)]
    model = DistributedDataParallel(nn.Sequential(*layers).to(device), device_ids=[device.index])
    optimizer = torch.optim.AdamW(model.parameters())
    for number in range(1, options.steps + 1):
        model(torch.ones(BATCH, WIDTH).to(device)).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()
        exchange_objects(rank, world, number)
        exchange_tensors(rank, world, device)


def train_in_a_pipeline(options, rank, world, device):
    stage = PipelineStage(nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.GELU()).to(device), rank, world, device)
    schedule = Schedule1F1B(stage, n_microbatches=4, loss_fn=functional.mse_loss)
    optimizer = torch.optim.AdamW(stage.submod.parameters())
    for _ in range(options.steps):
        batch = torch.ones(BATCH, WIDTH).to(device)
        arguments = (batch,) if rank == 0 else ()
        wanted = {"target": batch, "losses": []} if rank == world - 1 else {}
        schedule.step(*arguments, **wanted)
        optimizer.step()
        optimizer.zero_grad()


def main():
    calm_end.at_exit()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--job", required=True, choices=["objects", "pipeline", "whole-step"])
    parser.add_argument("--steps", type=int, default=12)
    options = parser.parse_args()
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]) % torch.cuda.device_count())
    torch.cuda.set_device(device)
    torch.manual_seed(0)
    dist.init_process_group("nccl")
    rank, world = dist.get_rank(), dist.get_world_size()
    {"objects": train_with_objects, "pipeline": train_in_a_pipeline, "whole-step": train_with_whole_steps}[options.job](options, rank, world, device)
    torch.cuda.synchronize()
    dist.destroy_process_group()
    if rank == 0:
        print(f"trained {options.steps} steps")


if __name__ == "__main__":
    main()
