"""CUDA programs without PyTorch and without a compiler: cuda_calls.py --runtime LIBRARY WAY [NUMBER].

The calls go through the global scope, so a preloaded recorder sees them as those of a linked program. Each set is one
cudaMemsetAsync.

    sets N         N sets on one stream
    streams N      N sets on each of two streams that wait for each other by events
    backlog N      N sets on each of 64 streams behind a host function, from 16 threads
    graph N        launches a graph with a copy and a set N times
    busy SECONDS   prints "works"; the device is never idle
    leave SECONDS  the same, and exits while work is under way
    rush SECONDS   sets as fast as the host can
    hang           200 sets end, 3 wait behind a host function that does not return; prints "hangs"
    reset          40 sets, cudaDeviceReset, 40 sets
    second         40 sets on device 1, chosen by cudaSetDevice; prints the devices that have a context
    driver         40 sets on the last device, made current by cuCtxSetCurrent; the same
    memory N       prints the free memory of the device before and after N sets
    steady SECONDS sets at a steady rate, 1,000 a second; prints "works"
"""

import argparse
import ctypes
import json
import sys
import threading
import time

SMALL, LARGE = 4096, 1 << 30
NON_BLOCKING_STREAM, GLOBAL_CAPTURE, DEVICE_TO_DEVICE = 1, 0, 3
HOST_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
gate = threading.Event()


def check(status, what):
    if status != 0:
        sys.exit(f"{what}: CUDA error {status}")


class Calls:
    """`calls.cudaMalloc(…)` with the status checked."""

    def __init__(self, library):
        self.library = library

    def __getattr__(self, name):
        function = getattr(self.library, name)

        def call(*arguments):
            check(function(*arguments), name)

        setattr(self, name, call)
        return call


def new_pointer(create, *arguments):
    made = ctypes.c_void_p()
    create(ctypes.byref(made), *arguments)
    return made


class Device:
    def __init__(self, calls):
        self.calls = calls

    def memory(self, size):
        return new_pointer(self.calls.cudaMalloc, ctypes.c_size_t(size))

    def stream(self):
        return new_pointer(self.calls.cudaStreamCreateWithFlags, NON_BLOCKING_STREAM)

    def event(self):
        return new_pointer(self.calls.cudaEventCreate)

    def set(self, memory, size, stream):
        self.calls.cudaMemsetAsync(memory, 1, ctypes.c_size_t(size), stream)

    def wait(self):
        self.calls.cudaDeviceSynchronize()

    def sets(self, count):
        memory, stream = self.memory(SMALL), self.stream()
        for _ in range(count):
            self.set(memory, SMALL, stream)
        self.wait()


# The gate opens by itself: where a launch blocks because the device's queue is full, nobody else would open it.
@HOST_FUNCTION
def wait_for_gate(_):
    gate.wait()


@HOST_FUNCTION
def never_return(_):
    while True:
        time.sleep(60)


def streams(device, count):
    memory, first, second, passed = device.memory(LARGE), device.stream(), device.stream(), device.event()
    for _ in range(count):
        for here, there in ((first, second), (second, first)):
            device.set(memory, LARGE // 4, here)
            device.calls.cudaEventRecord(passed, here)
            device.calls.cudaStreamWaitEvent(there, passed, 0)
    device.wait()


def backlog(device, count):
    memory = device.memory(SMALL)

    def fill(number):
        device.calls.cudaSetDevice(0)
        for _ in range(number):
            stream = device.stream()
            device.calls.cudaLaunchHostFunc(stream, wait_for_gate, None)
            for _ in range(count):
                device.set(memory, SMALL, stream)

    threads = [threading.Thread(target=fill, args=(4,)) for _ in range(16)]
    opener = threading.Timer(2, gate.set)
    opener.daemon = True
    for thread in [opener, *threads]:
        thread.start()
    for thread in threads:
        thread.join()
    gate.set()
    device.wait()


def graph(device, launches):
    memory, stream = device.memory(2 * SMALL), device.stream()
    half = ctypes.c_void_p(memory.value + SMALL)
    captured, executable = ctypes.c_void_p(), ctypes.c_void_p()
    device.calls.cudaStreamBeginCapture(stream, GLOBAL_CAPTURE)
    device.set(memory, SMALL, stream)
    device.calls.cudaMemcpyAsync(half, memory, ctypes.c_size_t(SMALL), DEVICE_TO_DEVICE, stream)
    device.calls.cudaStreamEndCapture(stream, ctypes.byref(captured))
    device.calls.cudaGraphInstantiateWithFlags(ctypes.byref(executable), captured, ctypes.c_ulonglong(0))
    for _ in range(launches):
        device.calls.cudaGraphLaunch(executable, stream)
    device.wait()


def busy(device, seconds):
    memory, stream, passed = device.memory(LARGE), device.stream(), [device.event(), device.event()]
    end, number = time.monotonic() + seconds, 0
    device.set(memory, LARGE, stream)
    print("works", flush=True)
    while time.monotonic() < end:
        for _ in range(20):
            device.set(memory, LARGE, stream)
        device.calls.cudaEventRecord(passed[number % 2], stream)
        number += 1
        if number > 1:
            device.calls.cudaEventSynchronize(passed[number % 2])


def rush(device, seconds):
    memory, stream, end = device.memory(SMALL), device.stream(), time.monotonic() + seconds
    while time.monotonic() < end:
        for _ in range(100):
            device.set(memory, SMALL, stream)
        device.calls.cudaStreamSynchronize(stream)


def hang(device):
    device.sets(200)
    memory, stream = device.memory(SMALL), device.stream()
    device.calls.cudaLaunchHostFunc(stream, never_return, None)
    for _ in range(3):
        device.set(memory, SMALL, stream)
    print("hangs", flush=True)
    device.wait()


def reset(device):
    device.sets(40)
    time.sleep(0.3)
    device.calls.cudaDeviceReset()
    device.sets(40)


def print_contexts(driver, devices):
    flags, active = ctypes.c_uint(), ctypes.c_int()
    having = []
    for number in range(devices):
        check(driver.cuDevicePrimaryCtxGetState(number, ctypes.byref(flags), ctypes.byref(active)), "state")
        having += [number] if active.value else []
    print("contexts:", *having)


def choose(device, way, driver, devices):
    if way == "second":
        device.calls.cudaSetDevice(1)
    else:
        context = ctypes.c_void_p()
        check(driver.cuInit(0), "cuInit")
        check(driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), devices - 1), "cuDevicePrimaryCtxRetain")
        check(driver.cuCtxSetCurrent(context), "cuCtxSetCurrent")
    device.sets(20)
    time.sleep(0.3)
    device.sets(20)
    print_contexts(driver, devices)


def measure_memory(device, count):
    def free():
        free_bytes, all_bytes = ctypes.c_size_t(), ctypes.c_size_t()
        device.calls.cudaMemGetInfo(ctypes.byref(free_bytes), ctypes.byref(all_bytes))
        return free_bytes.value

    device.sets(1)
    time.sleep(0.5)
    at_start = free()
    device.sets(count)
    print(json.dumps({"free_at_start": at_start, "free_after_burst": free()}))


def steady(device, seconds):
    memory, stream = device.memory(SMALL), device.stream()
    print("works", flush=True)
    start = time.monotonic()
    for batch in range(int(seconds * 100)):
        for _ in range(10):
            device.set(memory, SMALL, stream)
        time.sleep(max(0.0, start + (batch + 1) / 100 - time.monotonic()))
    device.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runtime", required=True)
    parser.add_argument("--local", action="store_true", help="find the runtime's functions by dlsym: no hook sees a call")
    parser.add_argument("way")
    parser.add_argument("number", nargs="?", type=float, default=0)
    options = parser.parse_args()
    runtime = ctypes.CDLL(options.runtime, mode=ctypes.RTLD_LOCAL if options.local else ctypes.RTLD_GLOBAL)
    scope = runtime if options.local else ctypes.CDLL(None)
    device, way, number = Device(Calls(scope)), options.way, options.number
    count = int(number)
    if way in ("second", "driver"):
        driver, found = ctypes.CDLL("libcuda.so.1"), ctypes.c_int()
        check(driver.cuInit(0), "cuInit")
        check(driver.cuDeviceGetCount(ctypes.byref(found)), "cuDeviceGetCount")
        choose(device, way, driver, found.value)
    else:
        ways = {"sets": lambda: device.sets(count), "streams": lambda: streams(device, count),
                "backlog": lambda: backlog(device, count), "graph": lambda: graph(device, count),
                "busy": lambda: busy(device, number), "leave": lambda: busy(device, number),
                "rush": lambda: rush(device, number), "hang": lambda: hang(device), "reset": lambda: reset(device),
                "memory": lambda: measure_memory(device, count), "steady": lambda: steady(device, number)}
        ways[way]()
    if way == "leave":
        return
    if way == "busy":
        device.wait()
    print("done")


if __name__ == "__main__":
    main()
