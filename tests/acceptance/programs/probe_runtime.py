"""Prints as JSON the versions of a CUDA runtime, its driver and its CUPTI, and the devices: probe_runtime.py LIBRARY.

With --cupti LIBRARY: the version of that copy of CUPTI alone.
"""

import ctypes
import json
import os
import sys


def number_of(function):
    value = ctypes.c_int()
    return value.value if function(ctypes.byref(value)) == 0 else None


def version_of_cupti(library):
    version = ctypes.c_uint32()
    return version.value if ctypes.CDLL(library).cuptiGetVersion(ctypes.byref(version)) == 0 else None


def libraries_of_cupti(runtime):
    """Where the recorder would look for the CUPTI beside this runtime library."""
    name = f"libcupti.so.{runtime.rpartition('.so.')[2].split('.')[0]}"
    folder = os.path.dirname(os.path.realpath(runtime))
    beside = ("", "../../cuda_cupti/lib", "../extras/CUPTI/lib64", "../../../extras/CUPTI/lib64")
    return [os.path.join(folder, place, name) for place in beside] if os.sep in runtime else [name]


def find_cupti(runtime):
    """The number of the CUPTI beside this runtime library, and its path; None: none is there."""
    for library in libraries_of_cupti(runtime):
        try:
            return version_of_cupti(library), library
        except OSError:
            continue
    return None, None


def uuids(driver, devices):
    found = []
    for number in range(devices):
        raw = (ctypes.c_ubyte * 16)()
        handle = ctypes.c_int()
        if driver.cuDeviceGet(ctypes.byref(handle), number) == 0 and driver.cuDeviceGetUuid_v2(raw, handle) == 0:
            found.append(bytes(raw).hex())
    return found


def main():
    if sys.argv[1] == "--cupti":
        print(json.dumps({"cupti": version_of_cupti(sys.argv[2])}))
        return
    runtime = sys.argv[1]
    ctypes.CDLL(runtime, mode=ctypes.RTLD_GLOBAL)
    scope, driver, counted = ctypes.CDLL(None), ctypes.CDLL("libcuda.so.1"), ctypes.c_int()
    if driver.cuInit(0) != 0 or driver.cuDeviceGetCount(ctypes.byref(counted)) != 0:
        sys.exit("the driver does not start")
    cupti, library = find_cupti(runtime)
    versions = {"runtime": number_of(scope.cudaRuntimeGetVersion), "driver": number_of(scope.cudaDriverGetVersion),
                "cupti": cupti, "cupti_library": library}
    print(json.dumps({**versions, "devices": counted.value, "uuids": uuids(driver, counted.value)}))


if __name__ == "__main__":
    main()
