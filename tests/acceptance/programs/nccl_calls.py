"""One rank of two that calls NCCL by ctypes, as vLLM does: nccl_calls.py RUNTIME REDUCTIONS MESSAGES.

Neither the runtime nor NCCL is in the global scope, so no preloaded library sees a call. All-reduces of 1024 floats, then
messages to the other rank, each sent and received in a group. Exit status 3: there is no NCCL.
"""

import ctypes
import glob
import os
import pathlib
import sys
import time

COUNT, FLOAT, SUM = 1024, 7, 0


class UniqueId(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_byte * 128)]


def check(status, what):
    if status != 0:
        sys.exit(f"{what}: error {status}")


def open_nccl():
    packages = [path for folder in sys.path for path in glob.glob(f"{folder}/nvidia/nccl/lib/libnccl.so.2")]
    for path in ["libnccl.so.2", *packages]:
        try:
            return ctypes.CDLL(path)
        except OSError as error:
            last = error
    print(last, file=sys.stderr)
    sys.exit(3)


def exchange_id(nccl, rank):
    """By a file in the folder in which all ranks run."""
    identity, file = UniqueId(), pathlib.Path("nccl-id")
    if rank == 0:
        check(nccl.ncclGetUniqueId(ctypes.byref(identity)), "ncclGetUniqueId")
        pathlib.Path("nccl-id.part").write_bytes(bytes(identity))
        pathlib.Path("nccl-id.part").rename(file)
        return identity
    while not file.exists():
        time.sleep(0.01)
    return UniqueId.from_buffer_copy(file.read_bytes())


def main():
    runtime, reductions, messages = ctypes.CDLL(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    rank, devices = int(os.environ["RANK"]), ctypes.c_int()
    nccl = open_nccl()
    check(runtime.cudaGetDeviceCount(ctypes.byref(devices)), "cudaGetDeviceCount")
    check(runtime.cudaSetDevice(rank % devices.value), "cudaSetDevice")
    memory, stream, comm = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    check(runtime.cudaMalloc(ctypes.byref(memory), ctypes.c_size_t(8 * COUNT)), "cudaMalloc")
    check(runtime.cudaStreamCreate(ctypes.byref(stream)), "cudaStreamCreate")
    nccl.ncclCommInitRank.argtypes = [ctypes.c_void_p, ctypes.c_int, UniqueId, ctypes.c_int]
    check(nccl.ncclCommInitRank(ctypes.byref(comm), 2, exchange_id(nccl, rank), rank), "ncclCommInitRank")
    second = ctypes.c_void_p(memory.value + 4 * COUNT)
    for _ in range(reductions):
        check(nccl.ncclAllReduce(memory, second, ctypes.c_size_t(COUNT), FLOAT, SUM, comm, stream), "ncclAllReduce")
    for _ in range(messages):
        nccl.ncclGroupStart()
        check(nccl.ncclSend(memory, ctypes.c_size_t(COUNT), FLOAT, 1 - rank, comm, stream), "ncclSend")
        check(nccl.ncclRecv(second, ctypes.c_size_t(COUNT), FLOAT, 1 - rank, comm, stream), "ncclRecv")
        check(nccl.ncclGroupEnd(), "ncclGroupEnd")
    check(runtime.cudaStreamSynchronize(stream), "cudaStreamSynchronize")
    check(nccl.ncclCommDestroy(comm), "ncclCommDestroy")
    print("done")


if __name__ == "__main__":
    main()
