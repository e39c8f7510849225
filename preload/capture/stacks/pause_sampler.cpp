#include "capture/stacks/pause_sampler.h"

#include "capture/base/clock.h"
#include "capture/rings/recorder.h"
#include "capture/stacks/call_stacks.h"

namespace tauprof::capture {
namespace {

constexpr uint64_t kLongestInterval = 50'000'000;
constexpr uint64_t kIntervalsInPause = 16;           // the next look comes after a sixteenth of the pause so far
constexpr uint64_t kLongestUnwritten = 200'000'000;  // so that the log of a killed process says where it hung

}  // namespace

void PauseSampler::look(uint32_t index, const RingPool::Slot& slot) {
  Watched& watched = watched_[index];
  const uint64_t start = watched.last_end;
  if (watched.pause != start) {
    write_row(watched);
    watched = {start, start, start, start + kPauseNs, 0, 0, 0, slot.number};
  }
  const uint64_t now = now_ns();
  if (now < watched.next_look) return;
  const uint32_t stack = call_stacks.take_other(slot.sampled);
  const uint64_t part = (now - start) / kIntervalsInPause;
  watched.next_look = now + (part > kLongestInterval ? kLongestInterval : part);
  if (stack == 0) return;  // the next look stands for this time as well
  if (stack != watched.stack) write_row(watched);
  watched.stack = stack;
  watched.duration += now - watched.looked;
  watched.looked = now;
  ++watched.looks;
  if (watched.duration >= kLongestUnwritten) write_row(watched);
}

void PauseSampler::write_row(Watched& watched) {
  if (watched.looks == 0) return;
  log::StackSample row{};
  row.time = static_cast<int64_t>(watched.looked);
  row.thread = watched.thread;
  row.stack = stacks_.id_of(watched.stack);
  row.duration = static_cast<int64_t>(watched.duration);
  row.looks = watched.looks;
  writer_.append(row);
  watched.duration = 0;
  watched.looks = 0;
}

void PauseSampler::finish() {
  for (uint32_t i = 0; i < ring_pool.slots(); ++i) write_row(watched_[i]);
}

}  // namespace tauprof::capture
