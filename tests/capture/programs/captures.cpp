// Captures collectives of two devices into graphs and launches them: captures WAY.
//   overlapping  two captures are open at once, and their calls alternate
//   forked       the collectives go to a stream that joined the capture by waiting for an event
//   threads      two threads capture at the same time, each with a communicator of its own
//   grouped      several groups in one graph, one of them an all-to-all made of messages
//   reused       graphs are destroyed, created again with and without collectives, and updated
#include <cuda_profiler_api.h>
#include <nccl.h>

#include <string>
#include <thread>
#include <vector>

#include "device_work.h"

namespace {

using programs::check;

constexpr int kDevices = 2;
constexpr size_t kMost = 4096;

void check(ncclResult_t result, const char* what) {
  if (result == ncclSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, ncclGetErrorString(result));
  std::_Exit(1);
}

// A communicator of both devices, and memory on each.
class Devices {
 public:
  Devices() {
    const int numbers[kDevices] = {0, 1};
    check(ncclCommInitAll(comms_, kDevices, numbers), "ncclCommInitAll");
    for (int device = 0; device < kDevices; ++device) {
      check(cudaSetDevice(device), "cudaSetDevice");
      check(cudaMalloc(reinterpret_cast<void**>(&memory_[device]), 4 * kMost * sizeof(float)), "cudaMalloc");
    }
  }
  ncclComm_t comm(int device) const { return comms_[device]; }
  float* memory(int device) const { return memory_[device]; }

 private:
  ncclComm_t comms_[kDevices];
  float* memory_[kDevices];
};

// One stream per device; each can capture into a graph.
class Streams {
 public:
  Streams() {
    for (int device = 0; device < kDevices; ++device) {
      check(cudaSetDevice(device), "cudaSetDevice");
      check(cudaStreamCreateWithFlags(&streams_[device], cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
      check(cudaEventCreateWithFlags(&events_[device], cudaEventDisableTiming), "cudaEventCreateWithFlags");
    }
  }
  void start() {
    for (cudaStream_t stream : streams_)
      check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  }
  void end() {
    for (int device = 0; device < kDevices; ++device)
      check(cudaStreamEndCapture(streams_[device], &graphs_[device]), "cudaStreamEndCapture");
  }
  void instantiate() {
    for (int device = 0; device < kDevices; ++device)
      check(cudaGraphInstantiate(&executables_[device], graphs_[device], 0), "cudaGraphInstantiate");
  }
  void destroy_graphs() {
    for (cudaGraph_t graph : graphs_) check(cudaGraphDestroy(graph), "cudaGraphDestroy");
  }
  void destroy_executables() {
    for (cudaGraphExec_t executable : executables_) check(cudaGraphExecDestroy(executable), "cudaGraphExecDestroy");
  }
  void update(const Streams& with) {
    for (int device = 0; device < kDevices; ++device) {
      cudaGraphExecUpdateResultInfo info;
      check(cudaGraphExecUpdate(executables_[device], with.graphs_[device], &info), "cudaGraphExecUpdate");
    }
  }
  void launch(int times) {
    for (int i = 0; i < times; ++i)
      for (int device = 0; device < kDevices; ++device) {
        check(cudaSetDevice(device), "cudaSetDevice");
        check(cudaGraphLaunch(executables_[device], streams_[device]), "cudaGraphLaunch");
      }
    synchronize();
  }
  void synchronize() {
    for (cudaStream_t stream : streams_) check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  }
  // Makes each stream wait for the work that is now queued on the same device's stream of `others`.
  void wait_for(const Streams& others) {
    for (int device = 0; device < kDevices; ++device) {
      check(cudaEventRecord(others.events_[device], others.streams_[device]), "cudaEventRecord");
      check(cudaStreamWaitEvent(streams_[device], others.events_[device], 0), "cudaStreamWaitEvent");
    }
  }
  void reduce(const Devices& devices, size_t count) {
    check(ncclGroupStart(), "ncclGroupStart");
    for (int device = 0; device < kDevices; ++device)
      check(ncclAllReduce(devices.memory(device), devices.memory(device), count, ncclFloat, ncclSum,
                          devices.comm(device), streams_[device]),
            "ncclAllReduce");
    check(ncclGroupEnd(), "ncclGroupEnd");
  }
  void exchange(const Devices& devices, size_t count) {
    check(ncclGroupStart(), "ncclGroupStart");
    for (int device = 0; device < kDevices; ++device)
      for (int peer = 0; peer < kDevices; ++peer) {
        float* const memory = devices.memory(device) + static_cast<size_t>(peer) * kMost;
        check(ncclSend(memory, count, ncclFloat, peer, devices.comm(device), streams_[device]), "ncclSend");
        check(ncclRecv(memory + 2 * kMost, count, ncclFloat, peer, devices.comm(device), streams_[device]), "ncclRecv");
      }
    check(ncclGroupEnd(), "ncclGroupEnd");
  }
  void set(const Devices& devices) {
    for (int device = 0; device < kDevices; ++device)
      check(cudaMemsetAsync(devices.memory(device), 0, kMost, streams_[device]), "cudaMemsetAsync");
  }

 private:
  cudaStream_t streams_[kDevices];
  cudaEvent_t events_[kDevices];
  cudaGraph_t graphs_[kDevices];
  cudaGraphExec_t executables_[kDevices];
};

void overlapping(const Devices& devices) {
  Streams first, second;
  first.start();
  second.start();
  first.reduce(devices, 1024);
  second.reduce(devices, 2048);
  first.reduce(devices, 512);
  first.end();
  second.reduce(devices, 256);
  second.end();
  first.instantiate();
  second.instantiate();
  second.launch(2);
  first.launch(1);
  first.reduce(devices, 128);
  first.synchronize();
  second.launch(1);
}

void forked(const Devices& devices) {
  Streams origin, other, uncaptured;
  origin.start();
  origin.set(devices);
  other.wait_for(origin);
  other.reduce(devices, 1024);
  uncaptured.reduce(devices, 2048);
  uncaptured.synchronize();
  origin.wait_for(other);
  origin.end();
  origin.instantiate();
  origin.launch(3);
}

void capture_and_launch(const Devices& devices, size_t count) {
  Streams streams;
  streams.start();
  for (int i = 0; i < 20; ++i) streams.reduce(devices, count);
  streams.end();
  streams.instantiate();
  streams.launch(2);
}

void threads(const Devices& devices) {
  const Devices others;
  std::thread thread(capture_and_launch, std::cref(others), 512);
  capture_and_launch(devices, 1024);
  thread.join();
}

void grouped(const Devices& devices) {
  Streams streams;
  streams.start();
  streams.reduce(devices, 1024);
  streams.exchange(devices, 512);
  streams.reduce(devices, 256);
  streams.end();
  streams.instantiate();
  streams.launch(1);
  check(cudaProfilerStart(), "cudaProfilerStart");
  streams.launch(1);
  streams.reduce(devices, 128);
  streams.synchronize();
}

void reused(const Devices& devices) {
  Streams streams, newer;
  for (const size_t count : {1024, 0, 512}) {
    streams.start();
    streams.set(devices);
    if (count != 0) streams.reduce(devices, count);
    streams.end();
    streams.instantiate();
    streams.destroy_graphs();
    streams.launch(2);
    if (count != 512) streams.destroy_executables();
  }
  newer.start();
  newer.set(devices);
  newer.reduce(devices, 512);
  newer.end();
  streams.update(newer);
  streams.launch(1);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string way = count > 1 ? arguments[1] : "";
  const Devices devices;
  if (way == "overlapping") overlapping(devices);
  if (way == "forked") forked(devices);
  if (way == "threads") threads(devices);
  if (way == "grouped") grouped(devices);
  if (way == "reused") reused(devices);
  return 0;
}
