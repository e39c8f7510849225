"""A program that uses a device through the driver alone, by ctypes: driver_calls.py SETS. Each set is one cuMemsetD32Async."""

import ctypes
import sys

WORDS = 1024


def main():
    driver = ctypes.CDLL("libcuda.so.1")

    def call(name, *arguments):
        status = getattr(driver, name)(*arguments)
        if status != 0:
            sys.exit(f"{name}: CUDA error {status}")

    context, stream, memory = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_uint64()
    call("cuInit", 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
    call("cuCtxSetCurrent", context)
    call("cuStreamCreate", ctypes.byref(stream), 1)
    call("cuMemAlloc_v2", ctypes.byref(memory), ctypes.c_size_t(4 * WORDS))
    for _ in range(int(sys.argv[1])):
        call("cuMemsetD32Async", memory, 7, ctypes.c_size_t(WORDS), stream)
    call("cuStreamSynchronize", stream)
    call("cuMemFree_v2", memory)
    print("done")


if __name__ == "__main__":
    main()
