"""PyTorch kernels before, under and after Proton, Triton's profiler, which takes CUPTI by dlsym."""

import time

import torch
import triton.profiler as proton

UNDER, BEFORE_S, AFTER_S = 2000, 0.5, 6


def work(tensor, count):
    for _ in range(count):
        tensor.add_(1)
    torch.cuda.synchronize()


def work_for(tensor, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        work(tensor, 50)
        time.sleep(0.002)


def main():
    tensor = torch.zeros(1 << 16, device="cuda")
    work_for(tensor, BEFORE_S)
    proton.start("seen", backend="cupti")
    with proton.scope("training"):
        work(tensor, UNDER)
    proton.finalize()
    work_for(tensor, AFTER_S)  # the recorder notices after two seconds that CUPTI gives it no records
    print("done")


main()
