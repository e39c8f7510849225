// Facts that a row of a hook table gives about its function: which argument is the stream, which the size. A row is a
// kind (Api, Gemm, Collective, …) with a list of such facts. Arguments are counted from 0.
//
// A fact defines some of these members; it inherits the others, which do nothing, from Fact:
//   read(Reading&, arguments)               copies arguments into the record
//   before(ThreadState&, arguments)         runs before the real function, recording or not
//   after(ThreadState&, result, arguments)  runs after the real function; only for facts that set kTracks
#pragma once

#include <stdint.h>

#include <type_traits>

#include "capture/rings/hook_info.h"
#include "capture/rings/recorded_unit.h"
#include "capture/rings/recorder.h"
#include "capture/rings/recording.h"
#include "hooks/argument_list.h"
#include "log/format.h"

namespace tauprof::hooks {

using capture::PayloadKind;
using capture::ThreadState;
using log::DataType;
using log::Operation;
inline constexpr auto kHostToDevice = log::CopyKind::kHostToDevice;
inline constexpr auto kDeviceToHost = log::CopyKind::kDeviceToHost;
inline constexpr auto kDeviceToDevice = log::CopyKind::kDeviceToDevice;
inline constexpr auto kPeerToPeer = log::CopyKind::kPeerToPeer;

// The part of a call's record that its arguments give.
struct Reading {
  const void* site;  // the call's return address, which says whose libraries to ask; for facts that set kAsksLibrary
  capture::CallFacts call = {};
  capture::Unit* extension = nullptr;  // for GEMMs and collectives
};

template <class T>
uint64_t as_word(T value) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<uintptr_t>(value);
  else
    return static_cast<uint64_t>(value);
}

struct Fact {
  static constexpr PayloadKind kPayload = PayloadKind::kNone;
  static constexpr bool kLaunches = false;  // the call can put work on the device
  static constexpr bool kWaits = false;     // blocks until device work is done
  static constexpr bool kWaitsForEvent = false;
  static constexpr bool kTracks = false;       // before() and after() must run even while nothing is recorded
  static constexpr bool kAsksLibrary = false;  // read() calls functions of the caller's library
  static constexpr bool kEndsGroup = false;    // the call launches the work of an NCCL group
  static constexpr bool kIsQuiet = false;      // the call does not mean that the process uses the device
  static constexpr int kStream = -1;           // argument that is the stream
  static constexpr int kKernel = -1;           // argument that is the kernel's function or handle
  static constexpr log::MemoryAction kMemory = log::MemoryAction::kUnknown;
  template <class Arguments>
  static void read(Reading&, const Arguments&) {}
  template <class Arguments>
  static void before(ThreadState&, const Arguments&) {}
  template <class Arguments>
  static void after(ThreadState&, int64_t, const Arguments&) {}
};

template <int kArgument>
struct Stream : Fact {
  static constexpr int kStream = kArgument;
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    reading.call.stream = as_word(argument<kArgument>(arguments));
  }
};

// The size of a copy, a memset or an allocation.
template <int kArgument>
struct Bytes : Fact {
  static constexpr PayloadKind kPayload = PayloadKind::kBytes;
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    reading.call.payload += as_word(argument<kArgument>(arguments));
  }
};

// The size as width × height.
template <int kWidth, int kHeight>
struct Area : Fact {
  static constexpr PayloadKind kPayload = PayloadKind::kBytes;
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    reading.call.payload += as_word(argument<kWidth>(arguments)) * as_word(argument<kHeight>(arguments));
  }
};

// The size as a number of elements.
template <int kArgument, uint64_t kElementBytes>
struct Elements : Fact {
  static constexpr PayloadKind kPayload = PayloadKind::kBytes;
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    reading.call.payload += as_word(argument<kArgument>(arguments)) * kElementBytes;
  }
};

// The size of a three-dimensional copy or memset: a cudaExtent, a structure with one, or a pointer to such a structure.
template <int kArgument>
struct Volume : Fact {
  static constexpr PayloadKind kPayload = PayloadKind::kBytes;
  template <class Extent>
  static uint64_t of(const Extent& extent) {
    if constexpr (std::is_pointer_v<Extent>)
      return extent != nullptr ? of(*extent) : 0;
    else if constexpr (requires { extent.extent; })
      return of(extent.extent);
    else
      return extent.width * extent.height * extent.depth;
  }
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    reading.call.payload += of(argument<kArgument>(arguments));
  }
};

// A cudaMemcpyKind, or a pointer to a structure with one. Recorded as log::CopyKind.
template <int kArgument>
struct CopyKind : Fact {
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    uint64_t kind;
    if constexpr (std::is_pointer_v<std::decay_t<decltype(argument<kArgument>(arguments))>>)
      kind = argument<kArgument>(arguments) != nullptr ? as_word(argument<kArgument>(arguments)->kind) : 0;
    else
      kind = as_word(argument<kArgument>(arguments));
    reading.call.payload |= (kind + 1) << capture::kCopyKindShift;
  }
};

template <log::CopyKind kKind>
struct CopyOf : Fact {
  template <class Arguments>
  static void read(Reading& reading, const Arguments&) {
    reading.call.payload |= static_cast<uint64_t>(kKind) << capture::kCopyKindShift;
  }
};

// An event, or the graph of a graph launch.
template <int kArgument>
struct Object : Fact {
  static constexpr PayloadKind kPayload = PayloadKind::kObject;
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    reading.call.payload = as_word(argument<kArgument>(arguments));
  }
};

template <int kArgument>
struct Argument : Fact {
  static constexpr PayloadKind kPayload = PayloadKind::kArgument;
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    reading.call.payload = as_word(argument<kArgument>(arguments));
  }
};

// The call puts work on the device.
struct Launches : Fact {
  static constexpr bool kLaunches = true;
};

// The call blocks until device work is done.
struct Waits : Fact {
  static constexpr bool kWaits = true;
};
struct WaitsForEvent : Waits {
  static constexpr bool kWaitsForEvent = true;
};

template <int kArgument>
struct Kernel : Launches {
  static constexpr int kKernel = kArgument;
};

// The stream of a launch configuration that is passed by pointer.
template <int kArgument>
struct ConfiguredStream : Fact {
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    const auto* configuration = argument<kArgument>(arguments);
    if (configuration == nullptr) return;
    if constexpr (requires { configuration->hStream; })
      reading.call.stream = as_word(configuration->hStream);
    else
      reading.call.stream = as_word(configuration->stream);
  }
};

// The call allocates device memory. The argument points to the address, or to a structure whose member `ptr` is the
// address.
template <int kArgument>
struct Allocates : Fact {
  static constexpr log::MemoryAction kMemory = log::MemoryAction::kAllocate;
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    const auto* address = argument<kArgument>(arguments);
    if (address == nullptr) return;
    if constexpr (requires { address->ptr; })
      reading.call.address = as_word(address->ptr);
    else
      reading.call.address = as_word(*address);
  }
};

// The same with the address itself as argument.
template <int kArgument>
struct Maps : Fact {
  static constexpr log::MemoryAction kMemory = log::MemoryAction::kAllocate;
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    reading.call.address = as_word(argument<kArgument>(arguments));
  }
};

template <int kArgument>
struct Frees : Fact {
  static constexpr log::MemoryAction kMemory = log::MemoryAction::kFree;
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    reading.call.address = as_word(argument<kArgument>(arguments));
  }
};

// The call does not mean that the process will use the device: a version query, a registration.
struct Quiet : Fact {
  static constexpr bool kIsQuiet = true;
};

}  // namespace tauprof::hooks
