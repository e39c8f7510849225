"""Waits for device work that never ends."""

import ctypes
import time

cuda = ctypes.CDLL(None)
endless = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: time.sleep(600))


def wait_for_the_device():
    print("waiting", flush=True)
    cuda.cudaDeviceSynchronize()  # the line


cuda.cudaLaunchHostFunc(None, endless, None)
wait_for_the_device()
