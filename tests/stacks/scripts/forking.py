"""Forks children while stacks are on. The children record nothing, and both they and the parent work as usual."""

import ctypes
import os
import warnings

BYTES = 16 << 20

warnings.simplefilter("ignore", DeprecationWarning)  # the simulated devices have threads, and Python warns about forking then
cuda = ctypes.CDLL(None)
host = ctypes.create_string_buffer(BYTES)
device = ctypes.c_void_p()
cuda.cudaMalloc(ctypes.byref(device), ctypes.c_size_t(BYTES))


def copy():
    cuda.cudaMemcpy(host, device, ctypes.c_size_t(BYTES), 2)


copy()
for _ in range(5):
    child = os.fork()
    if child == 0:
        os._exit(7)
    assert os.waitpid(child, 0)[1] == 7 << 8
    copy()
print("whole")
