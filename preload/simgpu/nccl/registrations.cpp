#include "simgpu/nccl/registrations.h"

#include <algorithm>
#include <map>
#include <mutex>

namespace simgpu::nccl {
namespace {

constexpr std::uintptr_t kFirstHandle = 0x6e63'7265'0000;

struct Registrations {
  std::mutex mutex;
  std::map<std::uintptr_t, Registration> all;
  std::uintptr_t last = kFirstHandle;
};

Registrations& registrations() {
  static auto& all = *new Registrations;
  return all;
}

bool holds(const Registration& registration, const Communicator& communicator, const void* buffer, std::size_t bytes) {
  const auto* const first = static_cast<const char*>(registration.buffer);
  const auto* const at = static_cast<const char*>(buffer);
  return registration.is_symmetric && registration.communicator == communicator.number && at >= first &&
         at + bytes <= first + registration.bytes;
}

}  // namespace

std::uintptr_t add_registration(const Registration& registration) {
  Registrations& known = registrations();
  const std::lock_guard lock(known.mutex);
  known.last += 16;
  known.all[known.last] = registration;
  return known.last;
}

bool remove_registration(const Communicator& communicator, const void* handle) {
  Registrations& known = registrations();
  const std::lock_guard lock(known.mutex);
  const auto found = known.all.find(reinterpret_cast<std::uintptr_t>(handle));
  if (found == known.all.end() || found->second.communicator != communicator.number) return false;
  known.all.erase(found);
  return true;
}

bool are_symmetric(const Communicator& communicator, const std::vector<Message>& messages) {
  Registrations& known = registrations();
  const std::lock_guard lock(known.mutex);
  if (known.all.empty() || communicator.ranks == 1) return false;
  const auto is_in_window = [&](const void* buffer, std::size_t bytes) {
    return std::any_of(known.all.begin(), known.all.end(),
                       [&](const auto& one) { return holds(one.second, communicator, buffer, bytes); });
  };
  return std::all_of(messages.begin(), messages.end(), [&](const Message& message) {
    const bool has_kernel = message.function == Function::AllReduce || message.function == Function::AllGather ||
                            message.function == Function::ReduceScatter;
    const std::size_t all = counted_bytes(message, communicator.ranks), block = block_bytes(message);
    const bool scatters = message.function == Function::ReduceScatter;
    const bool gathers = message.function == Function::AllGather;
    return has_kernel && is_in_window(message.send_buffer, gathers ? block : all) &&
           is_in_window(message.receive_buffer, scatters ? block : all);
  });
}

}  // namespace simgpu::nccl
