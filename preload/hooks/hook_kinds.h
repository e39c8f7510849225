// The kinds of rows: what is recorded of a call, and in which category.
#pragma once

#include <stdint.h>

#include "hooks/facts.h"

namespace tauprof::hooks {

// The facts of a row, combined; shared by all kinds.
template <uint32_t kCategoryBit, class... Facts>
struct FactList {
  static constexpr bool kTracks = (Facts::kTracks || ... || false);
  static constexpr bool kAsksLibrary = (Facts::kAsksLibrary || ... || false);
  static constexpr bool kIsQuiet = (Facts::kIsQuiet || ... || false);
  static constexpr bool kLaunches = (Facts::kLaunches || ... || false);
  static constexpr bool kEndsGroup = (Facts::kEndsGroup || ... || false);
  static constexpr bool kWaits = (Facts::kWaits || ... || false);
  static constexpr bool kWaitsForEvent = (Facts::kWaitsForEvent || ... || false);
  // Whether the call may mark a step.
  static constexpr bool kIsFollowed = kLaunches || kWaits;
  static constexpr int kStream = [] {
    int stream = -1;
    ((stream = Facts::kStream >= 0 ? Facts::kStream : stream), ...);
    return stream;
  }();
  static constexpr int kKernel = [] {
    int kernel = -1;
    ((kernel = Facts::kKernel >= 0 ? Facts::kKernel : kernel), ...);
    return kernel;
  }();
  static constexpr PayloadKind kPayload = [] {
    PayloadKind payload = PayloadKind::kNone;
    ((payload = Facts::kPayload != PayloadKind::kNone ? Facts::kPayload : payload), ...);
    return payload;
  }();
  static constexpr log::MemoryAction kMemory = [] {
    auto memory = log::MemoryAction::kUnknown;
    ((memory = Facts::kMemory != log::MemoryAction::kUnknown ? Facts::kMemory : memory), ...);
    return memory;
  }();

  // The call is recorded while one of the bits in kRecords is set, and looked at while one of those in kInterest is.
  static constexpr uint32_t kRecords =
      kCategoryBit | (kMemory != log::MemoryAction::kUnknown ? capture::kCategoryMemory : 0u);
  static constexpr uint32_t kReads = kRecords;  // its arguments are read while one of these is set
  static constexpr uint32_t kInterest = kRecords | (kTracks ? capture::kTracking : 0u) |
                                        (kIsFollowed ? capture::kFollowsCalls : 0u) |
                                        (kIsQuiet ? 0u : capture::kNotStarted);
  static constexpr capture::DropKind kDrop = capture::DropKind::kCall;
  static constexpr capture::HookRecord kRecord = capture::HookRecord::kCall;
  static constexpr bool kHasExtension = false;
  // While one of these is set, more is to be done for a call than to record it.
  static constexpr uint32_t kMoreToDo = capture::kNotStarted | capture::kCapturing | capture::kTicksAreNanoseconds |
                                        (kIsFollowed ? capture::kFollowsCalls : 0u) |
                                        (kLaunches ? capture::kTimesWithEvents : 0u);

  template <class Arguments>
  static void before(ThreadState& thread, const Arguments& arguments) {
    (Facts::before(thread, arguments), ...);
  }
  template <class Arguments>
  static void after(ThreadState& thread, [[maybe_unused]] int64_t result, const Arguments& arguments) {
    (Facts::after(thread, result, arguments), ...);
  }
  template <class Arguments>
  static void read(Reading& reading, ThreadState&, int64_t, const Arguments& arguments) {
    (Facts::read(reading, arguments), ...);
  }
};

// A call of the runtime.
template <class... Facts>
struct Api : FactList<capture::kCategoryApi, Facts...> {};

// A call of NCCL that is not a collective.
template <class... Facts>
struct NcclApi : FactList<capture::kCategoryNccl, Facts...> {};

// A matrix multiplication.
template <class... Facts>
struct Gemm : FactList<capture::kCategoryGemm, Launches, Facts...> {
  using List = FactList<capture::kCategoryGemm, Launches, Facts...>;
  static constexpr uint32_t kInterest = List::kInterest | capture::kCapturing;
  static constexpr uint32_t kReads = List::kRecords | capture::kCapturing;
  static constexpr capture::DropKind kDrop = capture::DropKind::kGemm;
  static constexpr capture::HookRecord kRecord = capture::HookRecord::kGemm;
  static constexpr bool kHasExtension = true;
  template <class Arguments>
  static void read(Reading& reading, ThreadState&, int64_t, const Arguments& arguments) {
    reading.extension->shape.tag = capture::ExtensionTag::kShape;
    reading.call.payload = 1;
    (Facts::read(reading, arguments), ...);
  }
};

// A call that is never recorded: only the facts' before() and after() run.
template <class... Facts>
struct Watched : FactList<0, Facts...> {
  static constexpr uint32_t kInterest = UINT32_MAX;
  static constexpr bool kTracks = true;
};

}  // namespace tauprof::hooks
