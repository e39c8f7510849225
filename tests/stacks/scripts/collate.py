"""A training loop that collates its batches slowly, between CUDA calls, and reads the loss back in every step."""

import ctypes
import sys
import time

BYTES = 16 << 20
TO_DEVICE, TO_HOST = 1, 2
STEPS = 12

cuda = ctypes.CDLL(None)
host = ctypes.create_string_buffer(BYTES)
device = ctypes.c_void_p()
cuda.cudaMalloc(ctypes.byref(device), ctypes.c_size_t(BYTES))


def read_sample():
    time.sleep(0.015)  # the slow line


def collate():
    return [read_sample() for _ in range(4)]


def loader():
    for _ in range(STEPS):
        yield collate()


def augment():
    end = time.perf_counter() + 0.01
    while time.perf_counter() < end:
        pass


def item():
    return cuda.cudaMemcpy(host, device, ctypes.c_size_t(BYTES), TO_HOST)  # the blocking line


def step():
    augment()
    cuda.cudaMemcpyAsync(device, host, ctypes.c_size_t(1 << 10), TO_DEVICE, None)
    for _ in range(20):
        cuda.cudaMemsetAsync(device, 0, ctypes.c_size_t(1 << 20), None)
    return item()


for batch in loader():
    step()
sys.exit(0)
