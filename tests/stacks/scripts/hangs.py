"""Waits for device work that does not end."""

import ctypes
import time

cuda = ctypes.CDLL(None)
endless = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: time.sleep(600))


def wait_for_ever():
    print("waiting", flush=True)
    cuda.cudaDeviceSynchronize()  # the line


cuda.cudaLaunchHostFunc(None, endless, None)
wait_for_ever()
