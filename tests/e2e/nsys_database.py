"""Databases in the schema of `nsys export --type sqlite` (2024), made from small jobs or from recorded traces."""

import gzip
import json
import re
import sqlite3
from decimal import Decimal

SCHEMA = """
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE ThreadNames (nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER);
CREATE TABLE TARGET_INFO_GPU (vmId INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT, busLocation TEXT, totalMemory INTEGER,
  clockRate INTEGER, smCount INTEGER, uuid TEXT, computeMajor INTEGER, computeMinor INTEGER);
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT, localTime TEXT);
CREATE TABLE TARGET_INFO_SYSTEM_ENV (globalVid INTEGER, devStateName TEXT, name TEXT, nameEnum INTEGER, value TEXT);
CREATE TABLE ENUM_CUDA_MEM_KIND (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
  demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, mangledName INTEGER, launchType INTEGER, cacheConfig INTEGER,
  registersPerThread INTEGER NOT NULL, gridX INTEGER NOT NULL, gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL,
  blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL, staticSharedMemory INTEGER NOT NULL,
  dynamicSharedMemory INTEGER NOT NULL, localMemoryPerThread INTEGER NOT NULL, localMemoryTotal INTEGER NOT NULL,
  gridId INTEGER NOT NULL, sharedMemoryExecuted INTEGER, graphNodeId INTEGER, sharedMemoryLimitConfig INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
  bytes INTEGER NOT NULL, copyKind INTEGER NOT NULL, deprecatedSrcId INTEGER, srcKind INTEGER, dstKind INTEGER,
  srcDeviceId INTEGER, srcContextId INTEGER, dstDeviceId INTEGER, dstContextId INTEGER, migrationCause INTEGER,
  graphNodeId INTEGER, virtualAddress INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
  value INTEGER NOT NULL, bytes INTEGER NOT NULL, graphNodeId INTEGER, memKind INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
  syncType INTEGER NOT NULL, eventId INTEGER NOT NULL, eventSyncId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
  graphId INTEGER NOT NULL, graphExecId INTEGER NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL,
  globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, callchainId INTEGER);
CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER,
  category INTEGER, color INTEGER, text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER,
  uint64Value INTEGER, int64Value INTEGER, doubleValue REAL, uint32Value INTEGER, int32Value INTEGER, floatValue REAL,
  jsonTextId INTEGER, jsonText TEXT, binaryData TEXT);
"""
KINDS = ["Pageable", "Pinned", "Device", "Array", "Managed"]
COPY = {"HtoD": (1, 1, 2), "DtoH": (2, 2, 1), "DtoD": (8, 2, 2)}  # copyKind, srcKind, dstKind
MARK, PUSH_POP, START_END, DOMAIN = 34, 59, 60, 75
BASE_NS = 1_700_000_000_000_000_000


def global_pid(pid):
    return (1 << 56) | (pid << 24)


class Database:
    """One file. Times are nanoseconds since the session's start."""

    def __init__(self, path, base_ns=BASE_NS, host="node1", devices=1):
        self.connection = sqlite3.connect(path)
        self.connection.executescript(SCHEMA)
        self.texts, self.correlation = {}, 0
        self.add("TARGET_INFO_SESSION_START_TIME", utcEpochNs=base_ns)
        self.add("TARGET_INFO_SYSTEM_ENV", name="Hostname", value=host)
        for device in range(devices):
            self.add("TARGET_INFO_GPU", vmId=1, id=device, name="NVIDIA H100 80GB HBM3", smCount=132, computeMajor=9,
                     computeMinor=0, totalMemory=85_899_345_920)
        for number, label in enumerate(KINDS):
            self.add("ENUM_CUDA_MEM_KIND", id=number, name=label.upper(), label=label)

    def add(self, table, **values):
        self.connection.execute(
            f"INSERT INTO {table} ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})", list(values.values()))

    def text(self, value):
        if value not in self.texts:
            self.texts[value] = len(self.texts) + 1
            self.add("StringIds", id=self.texts[value], value=value)
        return self.texts[value]

    def call(self, name, start, end, pid=100, tid=None, correlation=None):
        self.correlation = self.correlation + 1 if correlation is None else correlation
        self.add("CUPTI_ACTIVITY_KIND_RUNTIME", start=start, end=end, eventClass=0, correlationId=self.correlation,
                 globalTid=global_pid(pid) | (tid or pid), nameId=self.text(name), returnValue=0)
        return self.correlation

    def work(self, table, start, end, pid, device, stream, correlation, **values):
        self.add("CUPTI_ACTIVITY_KIND_" + table, start=start, end=end, deviceId=device, contextId=1, streamId=stream,
                 correlationId=correlation, globalPid=global_pid(pid), **values)

    def kernel(self, name, start, end, pid=100, device=0, stream=7, launch=None, correlation=None):
        if correlation is None:
            called, returned = launch or (start - 6_000, start - 5_000)
            correlation = self.call("cudaLaunchKernel_v7000", called, returned, pid)
        self.work("KERNEL", start, end, pid, device, stream, correlation, demangledName=self.text(name),
                  shortName=self.text(name.split("(")[0]), registersPerThread=32, gridX=8, gridY=2, gridZ=1, blockX=128,
                  blockY=1, blockZ=1, staticSharedMemory=16, dynamicSharedMemory=1024, localMemoryPerThread=0,
                  localMemoryTotal=0, gridId=1)

    def copy(self, start, end, bytes_, letters="HtoD", pid=100, device=0, stream=7, correlation=None, memory=None):
        """`memory`: the labels of its source and target."""
        kind, source, target = COPY[letters]
        if memory:
            source, target = map(KINDS.index, memory)
        if correlation is None:
            correlation = self.call("cudaMemcpyAsync_v3020", start - 6_000, start - 5_000, pid)
        self.work("MEMCPY", start, end, pid, device, stream, correlation, bytes=bytes_, copyKind=kind, srcKind=source,
                  dstKind=target)

    def fill(self, start, end, bytes_, pid=100, device=0, stream=7, correlation=None):
        if correlation is None:
            correlation = self.call("cudaMemsetAsync_v3020", start - 6_000, start - 5_000, pid)
        self.work("MEMSET", start, end, pid, device, stream, correlation, value=0, bytes=bytes_, memKind=2)

    def nvtx(self, name, start, end, pid=100, kind=PUSH_POP, domain=0, by_id=True, tid=None):
        named = {"textId": self.text(name)} if by_id else {"text": name}
        self.add("NVTX_EVENTS", start=start, end=end, eventType=kind, globalTid=global_pid(pid) | (tid or pid), domainId=domain,
                 **named)

    def write(self):
        self.connection.commit()
        self.connection.close()


def from_trace(source, path, pid, has_operators=False):
    """The database that nsys would have made of the job of a PyTorch trace: no arguments of collectives, annotations as
    NVTX ranges, and PyTorch's operators likewise where it is asked for them (--pytorch=autograd-nvtx)."""
    with gzip.open(source, "rt") as file:
        trace = json.load(file, parse_float=Decimal)
    events = [event for event in trace["traceEvents"] if event["ph"] == "X" and event.get("cat") in
              ("kernel", "gpu_memcpy", "gpu_memset", "cuda_runtime", "user_annotation", *["cpu_op"] * has_operators)]
    first = min(int(Decimal(event["ts"]) * 1000) for event in events)
    made = Database(path, base_ns=trace.get("baseTimeNanoseconds", 0) + first)
    for event in events:
        start = int(Decimal(event["ts"]) * 1000) - first
        end, args = start + int(Decimal(event["dur"]) * 1000), event.get("args", {})
        where = {"pid": pid, "device": args.get("device", 0), "stream": args.get("stream", 7),
                 "correlation": args.get("correlation")}
        if event["cat"] == "kernel":
            made.kernel(event["name"], start, end, **where)
        elif event["cat"] == "gpu_memcpy":
            memory = re.search(r"\((\w+) -> (\w+)\)", event["name"])
            made.copy(start, end, args["bytes"], event["name"].split()[1], memory=memory and memory.groups(), **where)
        elif event["cat"] == "gpu_memset":
            made.fill(start, end, args["bytes"], **where)
        elif event["cat"] == "cuda_runtime":
            made.call(event["name"] + "_v7000", start, end, pid, int(event["tid"]), args["correlation"])
        else:
            suffix = ", seq = 5, op_id = 7" if event["name"].startswith("aten::") else ""
            made.nvtx(event["name"] + suffix, start, end, pid, tid=int(event["tid"]))
    made.write()
    return path
