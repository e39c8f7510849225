// The state of CUPTI in a process: what each client wants, and where its records go. Created at first use and never
// destroyed, because threads may outlive main().
//
// There is one client of the functions without a subscriber, or (from CUDA 13.2) clients with subscribers of their own,
// several from CUDA 13.3 if the first of them allows it. Never both at once.
#pragma once

#include <cupti.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

#include "simgpu/cupti/activity_buffers.h"
#include "simgpu/cupti/activity_selection.h"
#include "simgpu/cupti/client_clock.h"
#include "simgpu/cupti/subscriber.h"
#include "simgpu/cupti/worker.h"

namespace simgpu::cupti {

struct Client {
  ClientClock clock;
  ActivitySelection selection;
  ActivityBuffers buffers{clock};
  Subscriber subscriber;
  Worker worker{buffers};
  std::atomic<bool> latency_timestamps{false};
  std::atomic<CUpti_ActivityThreadIdType> thread_id_type{CUPTI_ACTIVITY_THREAD_ID_TYPE_DEFAULT};
  bool has_graphs_as_nodes = false;  // whatever kinds it has enabled
};

// It is itself the client of the functions without a subscriber.
struct Session : Client {
  static constexpr std::size_t kMostSubscribers = 16;  // in the life of a process

  static Session& get();

  // Adds a client with a subscriber of its own. Null: there have been too many.
  Client* add_subscriber();
  Client* find(CUpti_SubscriberHandle handle);
  std::uint32_t count_subscribers();
  // The functions without a subscriber are refused while there are clients with one.
  bool has_subscribers() { return count_subscribers() != 0; }
  bool is_used_without_subscriber() const { return subscriber.is_subscribed() || selection.has_kinds(); }
  template <typename Visit>
  void each_client(Visit visit) {
    visit(static_cast<Client&>(*this));
    for (const auto& client : subscribers_)
      if (Client* const one = client.load(); one && one->subscriber.is_subscribed()) visit(*one);
  }

  // Whether the subscribers that there are allow others; as CUPTI_ACTIVITY_ATTR_MULTIPLE_SUBSCRIBER_STATE.
  std::atomic<std::uint8_t> allows_several{2};
  std::mutex subscribing;

 private:
  std::array<std::atomic<Client*>, kMostSubscribers> subscribers_{};  // those that have left stay
};

// Once a process has attached, its forked children cannot use CUPTI.
void note_attached();
bool is_lost_in_fork();

CUptiResult keep_error(CUptiResult result);
CUptiResult take_last_error();

// Runs the body of an exported function, except in a forked child, and keeps the result for cuptiGetLastError.
template <typename Body>
CUptiResult serve(Body body) {
  return keep_error(is_lost_in_fork() ? CUPTI_ERROR_NOT_INITIALIZED : body());
}

}  // namespace simgpu::cupti
