// The functions of libcudart.so.12 whose ABI differs from that of CUDA 13 under the same name, and those that 13
// dropped. The headers of 13 declare some of the names differently, so each function has another name here and gets the
// exported one by an asm label.
#include <cstddef>
#include <cstring>

#include "simgpu/cudart/capture_reply.h"
#include "simgpu/cudart/graph_nodes.h"
#include "simgpu/cudart/managed.h"
#include "simgpu/cudart/runtime_call.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/device_properties.h"
#include "simgpu/engine/graph.h"

#define FUNCTION_OF_12(needs, name, version, parameters, result)                                               \
  extern "C" SIMGPU_API cudaError_t abi_12_##name parameters asm(#name);                                       \
  extern "C" SIMGPU_API cudaError_t abi_12_##name parameters {                                                 \
    static const ApiFunction function{#name, ApiDomain::Runtime, CUPTI_RUNTIME_TRACE_CBID_##name##_##version}; \
    return run_call(function, needs, nullptr, nullptr, [&] { return result; });                                \
  }

namespace simgpu {
namespace {

// cudaDeviceProp of CUDA 12. It has fields that 13 removed between those that 13 kept.
struct DeviceProperties12 {
  char until_max_grid_size[offsetof(cudaDeviceProp, maxGridSize) + 3 * sizeof(int)];
  int clock_rate;
  std::size_t total_const_mem;
  int major, minor;
  std::size_t texture_alignment, texture_pitch_alignment;
  int device_overlap;
  int multi_processor_count;
  int kernel_exec_timeout_enabled;
  int integrated, can_map_host_memory;
  int compute_mode;
  int textures_and_surfaces_1[2];
  int max_texture_1d_linear;
  int textures_and_surfaces_2[37];
  std::size_t surface_alignment;
  int concurrent_kernels_to_unified_addressing[8];
  int memory_clock_rate;
  int memory_bus_width_to_local_l1[7];
  std::size_t shared_mem_per_multiprocessor;
  int regs_to_host_native_atomic[5];
  int single_to_double_precision_perf_ratio;
  int pageable_access_to_cooperative_launch[5];
  int cooperative_multi_device_launch;
  std::size_t shared_mem_per_block_optin;
  int page_tables_to_window_size[4];
  std::size_t reserved_shared_mem_per_block;
  int host_register_to_unified_function_pointers[12];
  int reserved[63];
};
static_assert(offsetof(DeviceProperties12, clock_rate) == 348);
static_assert(offsetof(DeviceProperties12, max_texture_1d_linear) == 416);
static_assert(offsetof(DeviceProperties12, surface_alignment) == 568);
static_assert(offsetof(DeviceProperties12, memory_clock_rate) == 608);
static_assert(offsetof(DeviceProperties12, shared_mem_per_multiprocessor) == 640);
static_assert(offsetof(DeviceProperties12, pageable_access_to_cooperative_launch) == 672);
static_assert(offsetof(DeviceProperties12, shared_mem_per_block_optin) == 696);
static_assert(offsetof(DeviceProperties12, host_register_to_unified_function_pointers) == 728);
static_assert(sizeof(DeviceProperties12) == 1032);

// Copies the fields from `first` on into `to`, as many as fit.
template <typename Run>
void copy_run(Run& to, const cudaDeviceProp& from, std::size_t first) {
  std::memcpy(&to, reinterpret_cast<const char*>(&from) + first, sizeof to);
}

void convert(const cudaDeviceProp& p, DeviceProperties12* out) {
  std::memset(out, 0, sizeof *out);
  copy_run(out->until_max_grid_size, p, 0);
  out->clock_rate = device_profile().sm_clock_mhz * 1000;
  out->total_const_mem = p.totalConstMem;
  out->major = p.major;
  out->minor = p.minor;
  out->texture_alignment = p.textureAlignment;
  out->texture_pitch_alignment = p.texturePitchAlignment;
  out->device_overlap = 1;
  out->multi_processor_count = p.multiProcessorCount;
  out->integrated = p.integrated;
  out->can_map_host_memory = p.canMapHostMemory;
  out->surface_alignment = p.surfaceAlignment;
  copy_run(out->concurrent_kernels_to_unified_addressing, p, offsetof(cudaDeviceProp, concurrentKernels));
  out->memory_clock_rate = device_profile().memory_clock_mhz * 1000;
  copy_run(out->memory_bus_width_to_local_l1, p, offsetof(cudaDeviceProp, memoryBusWidth));
  out->shared_mem_per_multiprocessor = p.sharedMemPerMultiprocessor;
  copy_run(out->regs_to_host_native_atomic, p, offsetof(cudaDeviceProp, regsPerMultiprocessor));
  out->single_to_double_precision_perf_ratio = 2;
  copy_run(out->pageable_access_to_cooperative_launch, p, offsetof(cudaDeviceProp, pageableMemoryAccess));
  out->shared_mem_per_block_optin = p.sharedMemPerBlockOptin;
  copy_run(out->page_tables_to_window_size, p, offsetof(cudaDeviceProp, pageableMemoryAccessUsesHostPageTables));
  out->reserved_shared_mem_per_block = p.reservedSharedMemPerBlock;
  copy_run(out->host_register_to_unified_function_pointers, p, offsetof(cudaDeviceProp, hostRegisterSupported));
}

cudaError_t give_properties(void* out, int device) {
  if (out == nullptr) return cudaErrorInvalidValue;
  if (!is_device(device)) return cudaErrorInvalidDevice;
  convert(device_properties(device), static_cast<DeviceProperties12*>(out));
  return cudaSuccess;
}

cudaError_t elapsed(float* ms, cudaEvent_t start, cudaEvent_t end) {
  const EventRef from = find_event(start);
  const EventRef to = find_event(end);
  if (ms == nullptr) return cudaErrorInvalidValue;
  return from == nullptr || to == nullptr ? cudaErrorInvalidResourceHandle : elapsed_ms(from, to, ms);
}

constexpr auto kLegacy = DefaultStream::Legacy;
constexpr auto kPerThread = DefaultStream::PerThread;

}  // namespace

extern "C" SIMGPU_API cudaError_t cudaGetDeviceProperties_v2(void* out, int device) {
  static const ApiFunction function{"cudaGetDeviceProperties_v2", ApiDomain::Runtime,
                                    CUPTI_RUNTIME_TRACE_CBID_cudaGetDeviceProperties_v12000};
  return run_call(function, Needs::Process, nullptr, nullptr, [&] { return give_properties(out, device); });
}

// Before CUDA 12 the struct ended within what is now `reserved`.
FUNCTION_OF_12(Needs::Process, cudaGetDeviceProperties, v3020, (void* out, int device), [&] {
  DeviceProperties12 properties;
  constexpr std::size_t kBytesBefore12 = 728;
  const cudaError_t error = give_properties(out == nullptr ? nullptr : &properties, device);
  if (error == cudaSuccess) std::memcpy(out, &properties, kBytesBefore12);
  return error;
}())

FUNCTION_OF_12(Needs::Device, cudaEventElapsedTime, v3020, (float* ms, cudaEvent_t start, cudaEvent_t end),
               elapsed(ms, start, end))

FUNCTION_OF_12(Needs::Device, cudaMemPrefetchAsync, v8000,
               (const void* address, std::size_t bytes, int device, cudaStream_t stream),
               prefetch(address, bytes, location_of(device), stream, kLegacy))
FUNCTION_OF_12(Needs::Device, cudaMemPrefetchAsync_ptsz, v8000,
               (const void* address, std::size_t bytes, int device, cudaStream_t stream),
               prefetch(address, bytes, location_of(device), stream, kPerThread))
FUNCTION_OF_12(Needs::Device, cudaMemAdvise, v8000,
               (const void* address, std::size_t bytes, cudaMemoryAdvise advice, int device),
               advise(address, bytes, advice, location_of(device)))

#define CAPTURE_REPLY_2                                                                               \
  (cudaStream_t stream, cudaStreamCaptureStatus * status, unsigned long long* id, cudaGraph_t* graph, \
   const cudaGraphNode_t** dependencies, std::size_t* count)
FUNCTION_OF_12(Needs::Device, cudaStreamGetCaptureInfo, v10010,
               (cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id),
               reply_capture_info(stream, kLegacy, {.status = status, .id = id}))
FUNCTION_OF_12(Needs::Device, cudaStreamGetCaptureInfo_ptsz, v10010,
               (cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id),
               reply_capture_info(stream, kPerThread, {.status = status, .id = id}))
FUNCTION_OF_12(Needs::Device, cudaStreamGetCaptureInfo_v2, v11030, CAPTURE_REPLY_2,
               reply_capture_info(stream, kLegacy, {status, id, graph, dependencies, nullptr, count}))
FUNCTION_OF_12(Needs::Device, cudaStreamGetCaptureInfo_v2_ptsz, v11030, CAPTURE_REPLY_2,
               reply_capture_info(stream, kPerThread, {status, id, graph, dependencies, nullptr, count}))
FUNCTION_OF_12(Needs::Device, cudaStreamUpdateCaptureDependencies, v11030,
               (cudaStream_t stream, cudaGraphNode_t* nodes, std::size_t count, unsigned flags),
               update_dependencies(stream, kLegacy, nodes, count, flags))
FUNCTION_OF_12(Needs::Device, cudaStreamUpdateCaptureDependencies_ptsz, v11030,
               (cudaStream_t stream, cudaGraphNode_t* nodes, std::size_t count, unsigned flags),
               update_dependencies(stream, kPerThread, nodes, count, flags))

FUNCTION_OF_12(Needs::Device, cudaGraphAddDependencies, v10000,
               (cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, std::size_t count),
               add_dependencies(graph, from, to, count))
FUNCTION_OF_12(Needs::Device, cudaGraphGetEdges, v10000,
               (cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, std::size_t* count),
               give_edges(graph, from, to, count))
FUNCTION_OF_12(Needs::Device, cudaGraphNodeGetDependencies, v10000,
               (cudaGraphNode_t node, cudaGraphNode_t* nodes, std::size_t* count),
               give_dependencies(node, nodes, count))
FUNCTION_OF_12(Needs::Device, cudaGraphAddNode, v12020,
               (cudaGraphNode_t * out, cudaGraph_t graph, const cudaGraphNode_t* after, std::size_t after_count,
                cudaGraphNodeParams* parameters),
               place_any_node({out, graph, after, after_count}, parameters))

FUNCTION_OF_12(Needs::Device, cudaThreadSynchronize, v3020, (), synchronize_device(current_device()))

}  // namespace simgpu
