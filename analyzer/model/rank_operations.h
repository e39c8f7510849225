// The work of a process as operations that wait for each other: the host between its calls, its calls, and the work on
// its devices. The replay joins those of all processes into one graph (replay/run_graph.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/gemm_work.h"
#include "model/ledger.h"
#include "model/process_trace.h"

namespace tauprof {

enum class OperationKind : uint8_t {
  kBetween,  // the host between two calls
  kCall,     // a call that does not wait for the device
  kReturn,   // the end of a call that waits, a moment
  kCompute,
  kComm,
  kCopy,
  kOtherWork,
};

inline bool is_on_host(OperationKind kind) { return kind <= OperationKind::kReturn; }

// Why an operation comes after another. The first edge of an operation is its place in a queue: the thread's or the
// stream's. One that is only assumed is the last, and there is no more than one.
enum class EdgeKind : uint8_t {
  kThread,   // the host's order: a call after what came before it
  kTurn,     // another thread worked meanwhile, and this one waited for it
  kAlone,    // the return of a blocking call after its start, as if it had nothing to wait for
  kStream,   // the stream's order
  kLaunch,   // device work after the host began to launch it
  kEvent,    // device work after an event of another stream
  kWaitFor,  // the return of a blocking call after the device work that it waits for
};
inline constexpr size_t kEdgeKindCount = 7;

// Name, place and kind of an operation.
struct OperationLabel {
  uint32_t name = 0;               // index into ProcessOperations::names: the kernel, the call, the call that follows
  int32_t step = kNoStep;          // index into the process's steps
  uint32_t collective = kNoIndex;  // of kComm: index into its rank's RankTimeline::collectives
  uint16_t work = 0;               // of kernels: differs if, under one name, they do different work
  uint8_t device = 0;              // index into the process's devices
  OperationKind kind = OperationKind::kBetween;
  Phase phase = Phase::kOther;
  // The row that the device idles on: on the host, if it waits for this; on the device, if this starts late after its
  // launch.
  LedgerRow row = LedgerRow::kIdleHostLaunch;
  CallClass call_class = CallClass::kOther;  // of kCall and kReturn; of kCopy, its launch's; of kBetween, the next one's
  // Of kCopy; kUnknown: a memset, or not recorded. Of kReturn: kHostToDevice if it waits for a copy of input.
  log::CopyKind copy_kind = log::CopyKind::kUnknown;
  // Of kBetween with kIdleDataWait or kIdleHostStall: how much of its time is no such wait; 2^32 - 1: or more.
  uint32_t besides_ns = 0;
  uint16_t product = 0;     // of kCompute: 1 + its index in ProcessOperations::products; 0: none, or not known
  bool is_pinned = false;   // of kCopy: the host's memory is recorded as pinned
};

struct OperationEdge {
  uint32_t before = 0;
  EdgeKind kind = EdgeKind::kThread;
  bool is_assumed = false;  // no handle tells of it, and no test (replay/inferred_waits.h)
};

// A kind of matrix product.
struct ProductKind {
  GemmShape shape;
  Precision precision = Precision::kUnknown;

  auto operator<=>(const ProductKind&) const = default;
};

// A step of one device, from the start of one operation to the start of another; the last one to the end of all of its
// work. The first one starts `ahead` of that, and the last ends `behind` (StepWindow), unless `first` is what the host
// does from the step's start on.
struct OperationStep {
  int64_t number = 0;
  uint32_t first = 0;
  uint32_t next = kNoIndex;          // which starts when the step ends; kNoIndex: the step lasts until …
  std::vector<uint32_t> last_works;  // … the last work of each stream has ended
  Nanoseconds ahead = 0;
  Nanoseconds behind = 0;

  // When it takes place if operations have these times.
  template <class Times>
  Interval in(const Times& times) const {
    return {times[first].start - ahead, end_in(times) + behind};
  }

  // `number_of(operation)`: what its operations are called from now on.
  template <class NumberOf>
  void renumber(const NumberOf& number_of) {
    first = number_of(first);
    if (next != kNoIndex) next = number_of(next);
    for (uint32_t& work : last_works) work = number_of(work);
  }

 private:
  template <class Times>
  Nanoseconds end_in(const Times& times) const {
    if (next != kNoIndex) return times[next].start;
    Nanoseconds end = INT64_MIN;
    for (const uint32_t work : last_works) end = std::max<Nanoseconds>(end, times[work].end);
    return end;
  }
};

// A host operation's place in its trace: the call that it is, or that follows it.
struct HostPlace {
  uint32_t call = kNoIndex;  // index into ProcessTrace::calls; kNoIndex: it is device work
  uint16_t thread = 0;
};

// A step on the host, and whether the source of device times was on: kUnknown if it was switched in its midst.
struct StepPlace {
  Interval host;
  log::DeviceTimesState device_times = log::DeviceTimesState::kUnknown;
};

// Where operations lie in their trace. Empty unless it was asked for.
struct OperationPlaces {
  std::vector<HostPlace> hosts;                // of each operation
  std::vector<std::vector<uint32_t>> of_span;  // of each device and span; kNoIndex: it is no work
  std::vector<StepPlace> steps;                // as ProcessTrace::steps
};

struct ProcessOperations {
  std::vector<OperationLabel> operations;  // each device's by start, then the host's by start
  std::vector<Interval> times;             // of each operation, on the log's clock
  std::vector<uint32_t> first_edge;        // of each operation, and one past the last
  std::vector<OperationEdge> edges;
  std::vector<std::string> names;
  std::vector<ProductKind> products;
  std::vector<std::string> device_names;                      // of each device
  std::vector<int64_t> step_numbers;                          // by index of the process's steps
  std::vector<std::vector<OperationStep>> steps;              // of each device
  std::vector<std::array<Nanoseconds, kEdgeKindCount>> lags;  // of each device: how long after
  OperationPlaces places;
};

}  // namespace tauprof
