#include "simgpu/cupti/session.h"

#include <pthread.h>

#include <mutex>
#include <utility>

#include "simgpu/engine/call.h"

namespace simgpu::cupti {
namespace {

std::atomic<bool> attached_before_fork{false};
std::atomic<bool> lost{false};
thread_local CUptiResult last_error = CUPTI_SUCCESS;

}  // namespace

Session& Session::get() {
  static Session* const session = new Session;
  return *session;
}

Client* Session::add_subscriber() {
  for (auto& slot : subscribers_) {
    if (slot) continue;
    auto* const client = new Client;
    client->has_graphs_as_nodes = true;
    slot = client;
    return client;
  }
  return nullptr;
}

Client* Session::find(CUpti_SubscriberHandle handle) {
  Client* found = nullptr;
  each_client([&](Client& client) {
    if (client.subscriber.is_current(handle)) found = &client;
  });
  return found;
}

std::uint32_t Session::count_subscribers() {
  std::uint32_t count = 0;
  each_client([&](Client& client) { count += &client != this; });
  return count;
}

void note_attached() {
  static std::once_flag watching;
  std::call_once(watching, [] { pthread_atfork(nullptr, nullptr, [] { lost = attached_before_fork.load(); }); });
  attached_before_fork = true;
}

bool is_lost_in_fork() { return lost || is_forked_child(); }

CUptiResult keep_error(CUptiResult result) {
  if (result != CUPTI_SUCCESS) last_error = result;
  return result;
}

CUptiResult take_last_error() { return std::exchange(last_error, CUPTI_SUCCESS); }

}  // namespace simgpu::cupti
