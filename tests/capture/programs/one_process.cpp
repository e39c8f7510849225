// One process that drives three devices, each of which is a rank: one_process WAY. Ten times, each device fills memory
// (the last device the most), and an all-reduce follows.
//   group    one thread calls all members in a group, on streams
//   default  the same, on the devices' default streams
//   threads  one thread per device
//   grow     in a group, on a communicator of two that grew by the third device
//   split    the same, on what that was split into
//   shrink   in a group, on what a communicator of four devices was split into after it had been shrunk to three
//   config   in a group, by NCCL 2.32's ncclAllReduceConfig; ends with status 77 if this NCCL lacks it
#include <dlfcn.h>
#include <nccl.h>

#include <string_view>
#include <thread>
#include <vector>

#include "device_work.h"

namespace {

using programs::check;

constexpr int kDevices = 3, kTimes = 10;
constexpr size_t kCount = 1 << 20, kMost = 64 * kCount;

void check(ncclResult_t result, const char* what) {
  if (result == ncclSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, ncclGetErrorString(result));
  std::_Exit(1);
}

using ReduceConfig = ncclResult_t (*)(const void*, void*, size_t, ncclDataType_t, ncclRedOp_t, ncclComm_t, cudaStream_t,
                                      const void*);
ReduceConfig reduce_config = nullptr;  // if it is to be used

struct Device {
  int number = 0;
  ncclComm_t comm = nullptr;
  cudaStream_t stream = nullptr;
  float* memory = nullptr;

  void fill() const {
    check(cudaSetDevice(number), "cudaSetDevice");
    const size_t bytes = (number + 1 == kDevices ? kMost : kCount) * sizeof(float);
    check(cudaMemsetAsync(memory, 0, bytes, stream), "cudaMemsetAsync");
  }
  void reduce() const {
    if (reduce_config != nullptr)
      check(reduce_config(memory, memory, kCount, ncclFloat, ncclSum, comm, stream, nullptr), "ncclAllReduceConfig");
    else
      check(ncclAllReduce(memory, memory, kCount, ncclFloat, ncclSum, comm, stream), "ncclAllReduce");
  }
  void wait() const {
    check(cudaSetDevice(number), "cudaSetDevice");
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  }
};

// Of NCCL 2.29, which this may be built without.
using GetId = ncclResult_t (*)(ncclComm_t, ncclUniqueId*);
using Grow = ncclResult_t (*)(ncclComm_t, int, const ncclUniqueId*, int, ncclComm_t*, void*);

// All but the last device have a communicator; then the last one joins.
void grow(ncclComm_t (&comms)[kDevices]) {
  const auto get_id = reinterpret_cast<GetId>(dlsym(RTLD_DEFAULT, "ncclCommGetUniqueId"));
  const auto grow_comm = reinterpret_cast<Grow>(dlsym(RTLD_DEFAULT, "ncclCommGrow"));
  if (get_id == nullptr || grow_comm == nullptr) std::_Exit(77);
  constexpr int kOld = kDevices - 1;
  ncclComm_t old[kOld];
  ncclUniqueId id;
  check(ncclCommInitAll(old, kOld, nullptr), "ncclCommInitAll");
  check(get_id(old[0], &id), "ncclCommGetUniqueId");
  check(ncclGroupStart(), "ncclGroupStart");
  for (int number = 0; number < kDevices; ++number) {
    const bool is_old = number < kOld;
    check(cudaSetDevice(number), "cudaSetDevice");
    check(grow_comm(is_old ? old[number] : nullptr, kDevices, number == 0 || !is_old ? &id : nullptr,
                    is_old ? -1 : number, &comms[number], nullptr),
          "ncclCommGrow");
  }
  check(ncclGroupEnd(), "ncclGroupEnd");
}

void shrink(ncclComm_t (&comms)[kDevices]) {
  ncclComm_t old[kDevices + 1];
  int excluded = kDevices;
  check(ncclCommInitAll(old, kDevices + 1, nullptr), "ncclCommInitAll");
  check(ncclGroupStart(), "ncclGroupStart");
  for (int number = 0; number < kDevices; ++number)
    check(ncclCommShrink(old[number], &excluded, 1, &comms[number], nullptr, NCCL_SHRINK_DEFAULT), "ncclCommShrink");
  check(ncclGroupEnd(), "ncclGroupEnd");
}

// Into one part, twice.
void split(ncclComm_t (&comms)[kDevices]) {
  for (int time = 0; time < 2; ++time) {
    check(ncclGroupStart(), "ncclGroupStart");
    for (int number = 0; number < kDevices; ++number)
      check(ncclCommSplit(comms[number], 7, number, &comms[number], nullptr), "ncclCommSplit");
    check(ncclGroupEnd(), "ncclGroupEnd");
  }
}

std::vector<Device> open_devices(std::string_view way) {
  std::vector<Device> devices(kDevices);
  ncclComm_t comms[kDevices];
  if (way == "grow" || way == "split")
    grow(comms);
  else if (way == "shrink")
    shrink(comms);
  else
    check(ncclCommInitAll(comms, kDevices, nullptr), "ncclCommInitAll");
  if (way == "split" || way == "shrink") split(comms);
  for (int number = 0; number < kDevices; ++number) {
    Device& device = devices[number];
    device.number = number;
    device.comm = comms[number];
    check(cudaSetDevice(number), "cudaSetDevice");
    check(cudaMalloc(reinterpret_cast<void**>(&device.memory), kMost * sizeof(float)), "cudaMalloc");
    if (way != "default") check(cudaStreamCreateWithFlags(&device.stream, cudaStreamNonBlocking), "cudaStreamCreate");
  }
  return devices;
}

void in_groups(const std::vector<Device>& devices) {
  for (int time = 0; time < kTimes; ++time) {
    for (const Device& device : devices) device.fill();
    check(ncclGroupStart(), "ncclGroupStart");
    for (const Device& device : devices) device.reduce();
    check(ncclGroupEnd(), "ncclGroupEnd");
    for (const Device& device : devices) device.wait();
  }
}

void in_threads(const std::vector<Device>& devices) {
  std::vector<std::thread> threads;
  for (const Device& device : devices)
    threads.emplace_back([&device] {
      for (int time = 0; time < kTimes; ++time) {
        device.fill();
        device.reduce();
        device.wait();
      }
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view way = argc > 1 ? argv[1] : "";
  if (way == "config") {
    reduce_config = reinterpret_cast<ReduceConfig>(dlsym(RTLD_DEFAULT, "ncclAllReduceConfig"));
    if (reduce_config == nullptr) return 77;
  }
  const std::vector<Device> devices = open_devices(way);
  if (way == "threads")
    in_threads(devices);
  else
    in_groups(devices);
}
