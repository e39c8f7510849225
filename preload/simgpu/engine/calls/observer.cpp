// The observer, and its removal while other threads may be inside it.
#include <sched.h>

#include "simgpu/engine/calls/calling_thread.h"
#include "simgpu/engine/calls/observation.h"

namespace simgpu {

constinit std::atomic<Observer*> current_observer{nullptr};

namespace {

constinit std::atomic<int> inside{0};
// An observer may remove itself from within: do not wait for what this thread has entered.
constinit thread_local int entered_by_this_thread __attribute__((tls_model("initial-exec"))) = 0;

// Enter before reading the observer, so that a thread that removes it later sees that this one is inside.
class Visit {
 public:
  Visit() {
    inside.fetch_add(1);
    ++entered_by_this_thread;
    observer_ = current_observer.load();
  }
  ~Visit() {
    --entered_by_this_thread;
    inside.fetch_sub(1);
  }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;
  Observer* observer() const { return observer_; }

 private:
  Observer* observer_;
};

template <typename Notice>
void notify(Notice notice) {
  if (!is_observed()) return;
  const Visit visit;
  if (visit.observer() != nullptr) notice(*visit.observer());
}

}  // namespace

bool is_collecting() {
  bool collects = false;
  notify([&](Observer& observer) { collects = observer.collects(); });
  return collects;
}

void notify_entered(const ApiRecord& call) {
  notify([&](Observer& observer) { observer.api_entered(call); });
}

void notify_left(const ApiRecord& call) {
  notify([&](Observer& observer) { observer.api_left(call); });
}

void notify_submitted(std::uint64_t id, const SpanDescription& what) {
  calling_thread().has_launched = true;
  notify([&](Observer& observer) { observer.span_submitted(id, what); });
}

void notify_finished(const Span& span) {
  notify([&](Observer& observer) { observer.span_finished(span); });
}

void notify_synchronized(const SyncSpan& sync) {
  notify([&](Observer& observer) { observer.synchronized(sync); });
}

bool claim_observation(const void* copy) {
  static std::atomic<const void*> owner{nullptr};
  const void* first = nullptr;
  return owner.compare_exchange_strong(first, copy) || first == copy;
}

void set_observer(Observer* observer) {
  current_observer.store(observer);
  while (inside.load() > entered_by_this_thread) sched_yield();
}

}  // namespace simgpu
