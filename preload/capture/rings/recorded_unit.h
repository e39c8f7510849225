// Units of 32 bytes, which hooks write into a thread's ring. A record is a header unit and up to three extension units;
// most records need none.
#pragma once

#include <stdint.h>

namespace tauprof::capture {

struct UnitHeader {
  uint64_t start;     // ticks
  uint32_t duration;  // ticks, low 32 bits; RareFactsUnit has all of a longer one
  uint16_t function;  // hook number, or a SpecialFunction
  uint8_t units;      // of this record, including the header
  uint8_t device;     // the thread's current device
  uint64_t stream;
  uint64_t payload;  // the hook's PayloadKind says what it is
};
static_assert(sizeof(UnitHeader) == 32);

enum class PayloadKind : uint8_t {
  kNone,
  kBytes,     // size in the low 56 bits, log::CopyKind above them
  kObject,    // handle of an event or a graph
  kKernel,    // host function or kernel handle
  kBatch,     // GEMM: the size of the batch
  kCount,     // collective: the number of elements
  kArgument,  // flags
  kGraph,     // handle of an executable graph, above it the mark of the capture that it came from; 0: not known
};

// A payload of kBytes holds the kind of a copy from this bit on.
inline constexpr unsigned kCopyKindShift = 56;
// A payload of kGraph holds the mark from this bit on: no program has addresses above it.
inline constexpr unsigned kGraphShift = 47;

// Function numbers of records that are not hooked calls.
enum SpecialFunction : uint16_t {
  // stream: text of the name, above it the object; payload: text of the domain, above it log::RangeSource
  kRangeUnit = 0xFF00,
  kProcessRangeUnit,
  kMarkUnit,
  kStepUnit,     // the object: a step's number
  kDroppedUnit,  // from start to payload (ticks), calls were dropped
  kPhasesUnit,   // of a channel of NCCL's; stream: the collective's number, payload: the device's timer at its start
};

enum class ExtensionTag : uint8_t { kNone, kRareFacts, kShape, kCollective, kCallback, kPhases, kClock };

// Facts that few calls have: a failure, a long duration, a pause before the call, a stack, the address of an
// allocation.
struct RareFactsUnit {
  ExtensionTag tag;
  uint8_t stack[3];  // number in the stack table, low byte first; 0: not taken
  int32_t result;
  uint64_t duration;       // ticks
  uint64_t thread_cpu_ns;  // 0: not read
  uint64_t address;
};
static_assert(sizeof(RareFactsUnit) == 32);

struct ShapeUnit {
  ExtensionTag tag;
  uint8_t transpose;
  uint8_t type_a, type_b, type_c, type_compute;
  uint8_t shapes_differ;  // in a group: k is m · n · k of all of them, in sum
  uint8_t form;           // log::ProductForm
  uint64_t m, n, k;
};
static_assert(sizeof(ShapeUnit) == 32);

struct CollectiveUnit {
  ExtensionTag tag;
  uint8_t operation;
  uint8_t datatype;
  uint8_t reduction;  // ncclRedOp_t + 1; 255: defined by the user
  int32_t peer;       // root + 1 or peer + 1
  uint32_t communicator;
  uint32_t graph;
  uint64_t sequence;
  uint64_t group;
};
static_assert(sizeof(CollectiveUnit) == 32);

// Of a call that CUPTI reported.
struct CallbackUnit {
  ExtensionTag tag;
  uint32_t correlation;  // CUPTI's number of the call
  uint64_t padding[3];
};
static_assert(sizeof(CallbackUnit) == 32);

// Of a long call.
struct ClockUnit {
  ExtensionTag tag;
  uint64_t end_cpu_ns;  // the thread's CPU clock when it had returned
  uint64_t padding[2];
};
static_assert(sizeof(ClockUnit) == 32);

// How a channel of a collective's kernel spent its time, in ns.
struct PhasesUnit {
  ExtensionTag tag;
  uint8_t channel;
  uint32_t communicator;
  uint64_t phases[3];
};
static_assert(sizeof(PhasesUnit) == 32);

union Unit {
  UnitHeader header;
  RareFactsUnit rare;
  ShapeUnit shape;
  CollectiveUnit collective;
  CallbackUnit callback;
  PhasesUnit phases;
  ClockUnit clock;
};
static_assert(sizeof(Unit) == 32);

inline constexpr unsigned kMostUnits = 4;

}  // namespace tauprof::capture
