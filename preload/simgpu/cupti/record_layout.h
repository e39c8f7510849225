// The activity records that are written, by kind: which struct of NVIDIA's headers, how long, where its times are.
//
// CUPTI 12 writes older versions of some structs. They are prefixes of the newer ones.
#pragma once

#include <cupti.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace simgpu::cupti {

#if SIMGPU_CUPTI_MAJOR >= 13
using KernelRecord = CUpti_ActivityKernel10;
#else
using KernelRecord = CUpti_ActivityKernel9;
#endif
using MemcpyRecord = CUpti_ActivityMemcpy6;
using PeerCopyRecord = CUpti_ActivityMemcpyPtoP4;
using MemsetRecord = CUpti_ActivityMemset4;
using ApiCallRecord = CUpti_ActivityAPI;
using SynchronizationRecord = CUpti_ActivitySynchronization2;
using GraphRecord = CUpti_ActivityGraphTrace2;
using ExternalRecord = CUpti_ActivityExternalCorrelation;
using DeviceRecord = CUpti_ActivityDevice5;
using ContextRecord = CUpti_ActivityContext3;
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
