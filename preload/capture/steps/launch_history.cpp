#include "capture/steps/launch_history.h"

#include "capture/base/zeroed_memory.h"

namespace tauprof::capture {
namespace {

constexpr uint64_t kBase = 0x9E3779B97F4A7C15ull;  // odd, so that multiplying by it loses nothing

uint64_t scattered(uint64_t value) {
  value = (value ^ (value >> 31)) * 0xD6E8FEB86659FD93ull;
  return value ^ (value >> 32);
}

}  // namespace

bool LaunchHistory::start() {
  if (launches_ != nullptr) return true;
  void* const launches = map_zeros(kRoom * sizeof(SeenLaunch));
  void* const paths = map_zeros(kRoom * sizeof(uint64_t));
  if (launches == nullptr || paths == nullptr) return false;
  paths_ = static_cast<uint64_t*>(paths);
  powers_[0] = kBase;
  for (uint32_t i = 1; i < kPathLengths; ++i) powers_[i] = powers_[i - 1] * powers_[i - 1];
  launches_ = static_cast<SeenLaunch*>(launches);
  return true;
}

uint64_t LaunchHistory::add(const LaunchFacts& facts, uint8_t thread, uint64_t ticks) {
  const uint64_t position = count_;
  SeenLaunch& launch = launches_[position & kMask];
  launch = {facts, thread, ticks, 0, next_ordinal_};
  if (facts.kind != LaunchKind::kSync) {
    const uint64_t path = paths_[next_ordinal_ & kMask] * kBase + scattered(facts.what + thread);
    paths_[++next_ordinal_ & kMask] = path;
  }
  __atomic_store_n(&count_, position + 1, __ATOMIC_RELEASE);
  return position;
}

// Paths are numbers in base kBase: this subtracts the leading digits.
uint64_t LaunchHistory::path_to(uint64_t ordinal, uint32_t length_log2) const {
  const uint64_t length = uint64_t{1} << length_log2;
  if (ordinal < length) return 0;
  return paths_[ordinal & kMask] - paths_[(ordinal - length) & kMask] * powers_[length_log2];
}

}  // namespace tauprof::capture
