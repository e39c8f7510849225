"""Loads libraries that call CUDA, whose runtime is already in use: loads_libraries.py RUNTIME WAY LIBRARY...

    at-load LIBRARY         loads it once; prints what it answers
    plugin LIBRARY LIBRARY  puts one after the other under one name, loads it, asks it, and unloads it; prints
                            whether it is still mapped
"""

import _ctypes
import ctypes
import os
import shutil
import sys

PLUGIN = os.path.abspath("plugin.so")  # in the folder of the run


def use_device(runtime):
    calls = ctypes.CDLL(runtime, mode=ctypes.RTLD_GLOBAL) and ctypes.CDLL(None)
    memory = ctypes.c_void_p()
    if calls.cudaMalloc(ctypes.byref(memory), ctypes.c_size_t(4096)) or calls.cudaDeviceSynchronize():
        sys.exit("the device does not work")
    print("device is up", flush=True)


def is_mapped(path):
    with open("/proc/self/maps", encoding="utf-8") as maps:
        return any(path in line for line in maps)


def load_plugin(build):
    if os.path.exists(PLUGIN):
        os.unlink(PLUGIN)
    shutil.copy(build, PLUGIN)
    plugin = ctypes.CDLL(PLUGIN)
    print("plugin answers", plugin.work(), flush=True)
    _ctypes.dlclose(plugin._handle)  # ctypes never does
    print("still mapped:", is_mapped(PLUGIN), flush=True)


def main():
    runtime, way, *libraries = sys.argv[1:]
    use_device(runtime)
    if way == "at-load":
        print("library answers", ctypes.CDLL(libraries[0]).answer())
    else:
        for build in libraries:
            load_plugin(build)
    print("done", flush=True)


if __name__ == "__main__":
    main()
