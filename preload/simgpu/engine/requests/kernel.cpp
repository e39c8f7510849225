// The registry of kernels, and how many blocks of a kernel fit on an SM.
#include "simgpu/engine/kernel.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <unordered_set>

#include "simgpu/engine/call.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/device_properties.h"

namespace simgpu {
namespace {

constexpr int kWarp = 32;
constexpr std::size_t kSharedGranularity = 128;

struct Registry {
  std::shared_mutex mutex;
  std::unordered_map<const void*, Kernel*> kernel_of_stub;
  std::unordered_set<const void*> handles;
  std::deque<Kernel> all;
};

// Never destroyed: modules unregister themselves while the process ends.
Registry& registry() {
  static auto* const instance = new Registry;
  return *instance;
}

int threads_in_whole_warps(int threads) { return (threads + kWarp - 1) / kWarp * kWarp; }

std::size_t charged_shared_bytes(std::size_t bytes) {
  return (bytes + kSharedGranularity - 1) / kSharedGranularity * kSharedGranularity + kReservedSharedBytes;
}

}  // namespace

Kernel* add_kernel(const char* mangled_name) {
  const char* const name = interned_name(mangled_name);
  const std::unique_lock lock(registry().mutex);
  Kernel& kernel = registry().all.emplace_back(name);
  registry().handles.insert(&kernel);
  return &kernel;
}

void name_by_stub(const void* stub, Kernel* kernel) {
  const std::unique_lock lock(registry().mutex);
  registry().kernel_of_stub[stub] = kernel;
}

void forget_stub(const void* stub) {
  const std::unique_lock lock(registry().mutex);
  registry().kernel_of_stub.erase(stub);
}

Kernel* find_kernel(const void* function) {
  Registry& all = registry();
  const std::shared_lock lock(all.mutex);
  const auto found = all.kernel_of_stub.find(function);
  if (found != all.kernel_of_stub.end()) return found->second;
  return all.handles.contains(function) ? static_cast<Kernel*>(const_cast<void*>(function)) : nullptr;
}

const char* kernel_name(const void* function) {
  const Kernel* kernel = find_kernel(function);
  return kernel != nullptr ? kernel->name : nullptr;
}

int max_optin_shared_bytes() { return static_cast<int>(device_properties(current_device()).sharedMemPerBlockOptin); }

int resident_blocks_per_sm(int threads_per_block, std::size_t shared_bytes_per_block) {
  const cudaDeviceProp& limits = device_properties(current_device());
  const int threads = threads_in_whole_warps(threads_per_block);
  const int by_threads = limits.maxThreadsPerMultiProcessor / threads;
  const int by_registers = limits.regsPerMultiprocessor / (threads * kRegistersPerThread);
  const auto by_shared =
      static_cast<int>(limits.sharedMemPerMultiprocessor / charged_shared_bytes(shared_bytes_per_block));
  return std::min({by_threads, by_registers, by_shared, limits.maxBlocksPerMultiProcessor});
}

}  // namespace simgpu
