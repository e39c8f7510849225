// What hooks leave in a thread's ring: units of 32 bytes. A record is a head and up to two extensions,
// of which most records need none.
#pragma once

#include <stdint.h>

namespace tauprof::capture {

struct UnitHead {
  uint64_t start;     // ticks
  uint32_t duration;  // ticks, low bits; a longer one stands in the extension `rest`
  uint16_t function;  // hook number, or a SpecialFunction
  uint8_t units;      // of this record, the head included
  uint8_t device;     // the thread's current device
  uint64_t stream;
  uint64_t payload;  // what it is, the hook's PayloadKind says
};
static_assert(sizeof(UnitHead) == 32);

enum class PayloadKind : uint8_t {
  kNone,
  kBytes,     // size in the low 56 bits, log::CopyKind above
  kObject,    // handle of an event or a graph
  kKernel,    // host function or kernel handle
  kBatch,     // GEMM: how many
  kCount,     // collective: elements
  kArgument,  // flags
};

// A copy's size and kind in one payload.
inline constexpr unsigned kCopyKindShift = 56;

// Function numbers of records that are no hooked calls.
enum SpecialFunction : uint16_t {
  kRangeUnit = 0xFF00,  // stream: text of the name; payload: text of the domain
  kProcessRangeUnit,
  kMarkUnit,
};

enum class ExtensionTag : uint8_t { kNone, kRest, kShape, kCollective };

// What is rare: a call that failed, was long, or came after a gap; an allocation's address.
struct RestUnit {
  ExtensionTag tag;
  uint8_t stack[3];  // number in the stack table, low bits first; 0: not taken
  int32_t result;
  uint64_t duration;       // ticks
  uint64_t thread_cpu_ns;  // 0: not read
  uint64_t address;
};
static_assert(sizeof(RestUnit) == 32);

struct ShapeUnit {
  ExtensionTag tag;
  uint8_t transpose;
  uint8_t type_a, type_b, type_c, type_compute;
  uint8_t padding[2];
  uint64_t m, n, k;
};
static_assert(sizeof(ShapeUnit) == 32);

struct CollectiveUnit {
  ExtensionTag tag;
  uint8_t operation;
  uint8_t datatype;
  uint8_t reduction;  // ncclRedOp_t + 1; 255: one that the user made
  int32_t peer;       // root + 1 or peer + 1
  uint32_t communicator;
  uint32_t graph;
  uint64_t sequence;
  uint64_t group;
};
static_assert(sizeof(CollectiveUnit) == 32);

union Unit {
  UnitHead head;
  RestUnit rest;
  ShapeUnit shape;
  CollectiveUnit collective;
};
static_assert(sizeof(Unit) == 32);

inline constexpr unsigned kMostUnits = 3;

}  // namespace tauprof::capture
