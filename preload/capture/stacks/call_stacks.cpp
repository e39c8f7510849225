#include "capture/stacks/call_stacks.h"

#include "capture/base/messages.h"
#include "capture/base/number_map.h"
#include "capture/rings/own_time.h"
#include "capture/rings/recorder.h"

namespace tauprof::capture {

CallStacks call_stacks;

void CallStacks::start(StackMode mode) {
  if (mode == StackMode::kOff) return;
  has_python_ = python_.start();
  is_on_ = table_.init();
  if (is_on_)
    stack_source = {[](ThreadState& thread) {
                      const OwnTime time(OwnWork::kStacks);
                      return call_stacks.take_own(thread);
                    },
                    [](ThreadState& thread) {
                      const OwnTime time(OwnWork::kStacks);
                      call_stacks.note_thread(thread);
                    }};
}

void CallStacks::open_unwinder() {
  if (is_on_ && !native_.open() && !has_python_)
    say(LogLevel::kWarn, Cause::kStacks, "stacks cannot be taken: no Python, libunwind.so.8 or libgcc_s.so.1");
}

void CallStacks::note_thread(ThreadState& thread) {
  if (!has_python_ || thread.sampled == nullptr) return;
  const uint64_t python_thread = python_.own_thread();
  if (python_thread == 0) return;
  publish(*thread.sampled, python_thread, python_.outermost_of_own(python_thread));
}

void CallStacks::publish(SampledThread& sampled, uint64_t python_thread, uint64_t outermost) {
  __atomic_store_n(&sampled.outermost, outermost, __ATOMIC_RELAXED);
  __atomic_store_n(&sampled.python_thread, python_thread, __ATOMIC_RELAXED);
}

uint32_t CallStacks::take_own(ThreadState& thread) {
  if (has_python_) {
    const uint64_t python_thread = python_.own_thread();
    PythonFrame frames[kMostFrames];
    const unsigned count = python_thread != 0 ? python_.read_own(python_thread, frames) : 0;
    if (thread.sampled != nullptr && count < kMostFrames)
      publish(*thread.sampled, python_thread, count != 0 ? frames[count - 1].frame : 0);
    if (count != 0) return number_of(frames, count);
  }
  StackFrame frames[kMostFrames];
  const unsigned count = native_.read_own(frames);
  uint64_t hash = count;
  for (unsigned i = 0; i < count; ++i) hash = mix(hash, frames[i]);
  const uint32_t known = table_.find(hash);
  return known != 0 || count == 0 ? known : table_.add(hash, frames, count);
}

uint32_t CallStacks::take_other(const SampledThread& thread) {
  PythonFrame frames[kMostFrames];
  const unsigned count = has_python_ ? python_.read_other(thread, frames) : 0;
  return count != 0 ? number_of(frames, count) : 0;
}

// Leaves out frames whose code object has no number.
uint32_t CallStacks::number_of(const PythonFrame* frames, unsigned count) {
  uint64_t hash = ~uint64_t{count};
  for (unsigned i = 0; i < count; ++i)
    hash = mix(hash, mix(frames[i].code, frames[i].identity) + static_cast<uint32_t>(frames[i].instruction));
  if (const uint32_t known = table_.find(hash)) return known;
  StackFrame kept[kMostFrames];
  unsigned taken = 0;
  for (unsigned i = 0; i < count; ++i)
    if (const uint32_t code = python_.codes().number_of(frames[i].code, frames[i].identity))
      kept[taken++] = python_frame(code, frames[i].instruction);
  return taken != 0 ? table_.add(hash, kept, taken) : 0;
}

}  // namespace tauprof::capture
