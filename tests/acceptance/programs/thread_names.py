"""Who is in a process that has initialised the driver and made a context: thread_names.py. Prints one object (JSON):
"start", "initialized" and "context", each a list of the process's threads but for the first, with name and signals."""

import ctypes
import json
import os
import sys
import time


def facts_of(task):
    with open(f"/proc/self/task/{task}/comm", encoding="utf-8") as file:
        name = file.read().strip()
    with open(f"/proc/self/task/{task}/status", encoding="utf-8") as file:
        blocked = next(line.split()[1] for line in file if line.startswith("SigBlk:"))
    return {"name": name, "blocked_signals": blocked}


def threads():
    time.sleep(0.5)  # a thread gives itself its name
    return [facts_of(task) for task in sorted(os.listdir("/proc/self/task"), key=int) if int(task) != os.getpid()]


def main():
    driver, context = ctypes.CDLL("libcuda.so.1"), ctypes.c_void_p()

    def call(name, *arguments):
        status = getattr(driver, name)(*arguments)
        if status != 0:
            sys.exit(f"{name}: CUDA error {status}")

    found = {"start": threads()}
    call("cuInit", 0)
    found["initialized"] = threads()
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
    call("cuCtxSetCurrent", context)
    found["context"] = threads()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
