"""Runs threads that never rest: long after their last CUDA call, they go from function to function and create and drop
frames, code objects and exceptions. What another thread can read of them changes all the time."""

import ctypes
import sys
import threading
import time

cuda = ctypes.CDLL(None)
sys.setswitchinterval(1e-5)


def deep(depth):
    return 0 if depth == 0 else 1 + deep(depth - 1)


def generated(count):
    for i in range(count):
        yield deep(i % 30)


def short_lived(number):
    scope = {}
    exec(f"def f{number}(x):\n    return [x for _ in range(3)]\n", scope)
    return scope[f"f{number}"](number)


def churn(until):
    cuda.cudaDeviceSynchronize()
    number = 0
    while time.perf_counter() < until:
        number += 1
        sum(generated(20))
        short_lived(number % 500)
        try:
            [][0]
        except IndexError:
            pass


end = time.perf_counter() + 4
threads = [threading.Thread(target=churn, args=(end,)) for _ in range(6)]
for thread in threads:
    thread.start()
while any(thread.is_alive() for thread in threads):
    threading.Thread(target=deep, args=(50,)).start()
    time.sleep(0.002)
print("whole")
