// The activity records that are written, by kind: the struct in NVIDIA's headers, its size, and where its times are.
//
// Newer versions of a struct only add to its end. CUPTI 13 writes the structs of 13.2, so a client may be compiled with
// the header of any 13; the fields that 13.2 added are 0, "not known". CUPTI 12 writes older structs.
#pragma once

#include <cupti.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace simgpu::cupti {

// A record with `Bytes` more than in the headers of this build.
template <typename Record, std::size_t Bytes>
struct Longer : Record {
  std::uint8_t more[Bytes];
};

#if SIMGPU_CUPTI_MAJOR >= 13
using KernelFields = CUpti_ActivityKernel10;              // the fields filled in
using KernelRecord = Longer<KernelFields, 8>;             // CUpti_ActivityKernel11
using DeviceRecord = Longer<CUpti_ActivityDevice5, 8>;    // CUpti_ActivityDevice6
using ContextRecord = Longer<CUpti_ActivityContext3, 8>;  // CUpti_ActivityContext4
#else
using KernelFields = CUpti_ActivityKernel9;
using KernelRecord = KernelFields;
using DeviceRecord = CUpti_ActivityDevice5;
using ContextRecord = CUpti_ActivityContext3;
#endif
using MemcpyRecord = CUpti_ActivityMemcpy6;
using PeerCopyRecord = CUpti_ActivityMemcpyPtoP4;
using MemsetRecord = CUpti_ActivityMemset4;
using ApiCallRecord = CUpti_ActivityAPI;
using SynchronizationRecord = CUpti_ActivitySynchronization2;
using GraphRecord = CUpti_ActivityGraphTrace2;
using ExternalRecord = CUpti_ActivityExternalCorrelation;
using StreamRecord = CUpti_ActivityStream;

constexpr std::size_t kLargestRecord = 256;
static_assert(sizeof(KernelRecord) <= kLargestRecord && sizeof(DeviceRecord) <= kLargestRecord,
              "a record grew: raise kLargestRecord");

struct RecordLayout {
  CUpti_ActivityKind kind;
  std::size_t size;
  std::span<const std::size_t> times;  // offsets of its 64-bit times
};

// Null: no record of this kind is ever written.
const RecordLayout* record_layout(std::uint32_t kind);

// The kind of the record at `bytes`.
std::uint32_t record_kind(const std::uint8_t* bytes);

// Steps from `*record` (null: from the start) to the next record of the buffer, as cuptiActivityGetNextRecord does.
CUptiResult next_record(std::uint8_t* buffer, std::size_t valid, CUpti_Activity** record);

}  // namespace simgpu::cupti
