// The activity records that are written, by kind: which struct of NVIDIA's headers, how long, where its times are.
//
// Newer versions of a struct only add to its end. CUPTI 13 writes those of 13.2, so that a client may have been
// compiled with the header of any 13; what 13.2 added is 0, "not known". CUPTI 12 writes older ones.
#pragma once

#include <cupti.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace simgpu::cupti {

// `Bytes` more than the headers that are built with know of.
template <typename Record, std::size_t Bytes>
struct Longer : Record {
  std::uint8_t more[Bytes];
};

#if SIMGPU_CUPTI_MAJOR >= 13
using KernelFields = CUpti_ActivityKernel10;              // what is filled in
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

// The kind of the record that begins at `bytes`.
std::uint32_t record_kind(const std::uint8_t* bytes);

}  // namespace simgpu::cupti
