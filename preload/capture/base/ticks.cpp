#include "capture/base/ticks.h"

#include <string.h>

#include "capture/base/small_file.h"

namespace tauprof::capture {

#if defined(__x86_64__) || defined(__aarch64__)
bool ticks_are_nanoseconds = false;
#endif

namespace {

// The quickest of a few readings of both clocks.
TickScale::Anchor read_both_clocks() {
  TickScale::Anchor best = {};
  uint64_t shortest = UINT64_MAX;
  for (int i = 0; i < 4; ++i) {
    const uint64_t before = read_ticks(), ns = now_ns(), after = read_ticks();
    if (after < before || after - before >= shortest) continue;
    shortest = after - before;
    best = {before + shortest / 2, ns};
  }
  return best;
}

void count_nanoseconds() {
#if defined(__x86_64__) || defined(__aarch64__)
  ticks_are_nanoseconds = true;
#endif
}

// Counters run at 1 MHz to 100 GHz; other slopes are those of a clock that stopped or jumped.
bool have_slope(const TickScale::Anchor& first, const TickScale::Anchor& second) {
  if (second.ticks <= first.ticks || second.ns <= first.ns) return false;
  const uint64_t ticks = second.ticks - first.ticks, ns = second.ns - first.ns;
  return ns / ticks < 1000 && ticks / ns < 100;
}

}  // namespace

bool kernel_keeps_time_by_counter(const char* path) {
  char source[16] = "";
  const size_t size = read_small_file(path, source, sizeof source - 1);
  return size >= 3 && memcmp(source, "tsc", 3) == 0 && (size == 3 || source[3] == '\n');
}

void choose_tick_source() {
#if defined(__x86_64__)
  ticks_are_nanoseconds =
      !kernel_keeps_time_by_counter("/sys/devices/system/clocksource/clocksource0/current_clocksource");
#endif
}

void TickScale::start() {
  const Anchor first = read_both_clocks();
  const timespec pause{0, 1'000'000};
  nanosleep(&pause, nullptr);
  if (!start(first, read_both_clocks())) count_nanoseconds();
}

bool TickScale::start(const Anchor& first, const Anchor& second) {
  const bool is_scale = have_slope(first, second);
  count_ = 0;
  keep(first_ = is_scale ? first : Anchor{0, 0});
  keep(is_scale ? second : Anchor{1, 1});
  return is_scale;
}

void TickScale::add_anchor() { add_anchor(read_both_clocks()); }

// The slope between two closer anchors would be made of their errors.
void TickScale::add_anchor(const Anchor& anchor) {
  constexpr uint64_t kLeastDistanceNs = 500'000;
  if (anchor.ticks > newest().ticks && anchor.ns >= newest().ns + kLeastDistanceNs) keep(anchor);
}

uint64_t TickScale::between(const Anchor& from, const Anchor& to, uint64_t ticks) {
  const auto offset = static_cast<__int128>(static_cast<int64_t>(ticks - from.ticks));
  const auto span = static_cast<__int128>(to.ns - from.ns);
  return from.ns +
         static_cast<uint64_t>(static_cast<int64_t>(offset * span / static_cast<int64_t>(to.ticks - from.ticks)));
}

uint64_t TickScale::to_ns(uint64_t ticks) const {
  if (ticks_are_nanoseconds) return ticks;
  const uint64_t oldest = count_ > kKept ? count_ - kKept : 0;
  if (ticks >= newest().ticks) return newest().ns + beyond_newest(ticks, oldest);
  // Nearly always the newest pair: ticks are converted soon after they are read.
  for (uint64_t i = count_ - 1; i > oldest; --i) {
    const Anchor& from = anchors_[(i - 1) % kKept];
    if (ticks >= from.ticks || i - 1 == 0) return between(from, anchors_[i % kKept], ticks);
  }
  return between(first_, anchors_[oldest % kKept], ticks);
}

// The line through the newest anchor, with the slope over the last few: one anchor's error hardly matters.
uint64_t TickScale::beyond_newest(uint64_t ticks, uint64_t oldest) const {
  constexpr uint64_t kSlopeAnchors = 8;
  const uint64_t last = count_ - 1;
  const Anchor& from = anchors_[(last - oldest > kSlopeAnchors ? last - kSlopeAnchors : oldest) % kKept];
  return between(from, newest(), ticks) - newest().ns;
}

uint64_t TickScale::ticks_in(uint64_t ns) const {
  if (ticks_are_nanoseconds) return ns;
  const Anchor& last = newest();
  return static_cast<uint64_t>(static_cast<unsigned __int128>(ns) * (last.ticks - first_.ticks) /
                               (last.ns - first_.ns));
}

}  // namespace tauprof::capture
