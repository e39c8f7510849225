#include "read/call_class.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <utility>

namespace tauprof {
namespace {

bool starts_with_any(std::string_view name, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](std::string_view p) { return name.starts_with(p); });
}

std::string_view without_suffix(std::string_view name) {
  for (std::string_view suffix : {"_ptsz", "_ptds"})
    if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
  const size_t version = name.rfind("_v");
  if (version == std::string_view::npos || version + 2 == name.size()) return name;
  const std::string_view digits = name.substr(version + 2);
  return std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c); })
             ? name.substr(0, version)
             : name;
}

// cudaMemcpy… and cuMemcpy… block unless "Async" is in the name; the batch forms are stream-ordered.
CallClass copy_class(std::string_view name) {
  const bool is_async = name.find("Async") != std::string_view::npos || name.find("Batch") != std::string_view::npos;
  return is_async ? CallClass::kCopy : CallClass::kBlockingCopy;
}

// Functions that allocate, free, register, create or destroy: of libraries …
constexpr std::string_view kAllocatingCalls[] = {
    "cublasCreate",         "cublasDestroy",    "cublasLtCreate",     "cublasLtDestroy",
    "cudnnCreate",          "cudnnDestroy",     "cudnnBackendCreate", "cudnnBackendDestroy",
    "cudnnBackendFinalize", "ncclCommInit",     "ncclCommSplit",      "ncclCommDestroy",
    "ncclCommAbort",        "ncclCommFinalize", "ncclCommRegister",   "ncclCommDeregister",
    "ncclMemAlloc",         "ncclMemFree",      "urUSMDeviceAlloc",   "urUSMHostAlloc",
    "urUSMSharedAlloc",     "urUSMFree",        "zeMemAlloc",         "zeMemFree"};
// … and of a runtime, behind "cuda", "cu" or "hip".
constexpr std::string_view kAllocatingStems[] = {"Malloc",
                                                 "Free",
                                                 "HostAlloc",
                                                 "HostMalloc",
                                                 "HostFree",
                                                 "HostRegister",
                                                 "HostUnregister",
                                                 "MemAlloc",
                                                 "MemFree",
                                                 "MemHostAlloc",
                                                 "MemHostRegister",
                                                 "MemHostUnregister",
                                                 "MemCreate",
                                                 "MemRelease",
                                                 "MemMap",
                                                 "MemUnmap",
                                                 "MemSetAccess",
                                                 "MemAddressReserve",
                                                 "MemAddressFree",
                                                 "MemExport",
                                                 "MemImport",
                                                 "MemPoolCreate",
                                                 "MemPoolDestroy",
                                                 "MemPoolTrim",
                                                 "MemPoolSetAccess",
                                                 "IpcOpen",
                                                 "IpcClose",
                                                 "DeviceEnablePeerAccess",
                                                 "CtxEnablePeerAccess",
                                                 "StreamCreate",
                                                 "StreamDestroy",
                                                 "EventCreate",
                                                 "EventDestroy",
                                                 "GraphCreate",
                                                 "GraphDestroy",
                                                 "GraphInstantiate",
                                                 "GraphExecDestroy",
                                                 "StreamEndCapture",
                                                 "ModuleLoad",
                                                 "ModuleUnload",
                                                 "LibraryLoad",
                                                 "LibraryUnload",
                                                 "LinkCreate",
                                                 "LinkComplete",
                                                 "LinkDestroy",
                                                 "ArrayCreate",
                                                 "ArrayDestroy",
                                                 "MipmappedArrayCreate",
                                                 "MipmappedArrayDestroy",
                                                 "TexObjectCreate",
                                                 "CreateTextureObject",
                                                 "CreateSurfaceObject",
                                                 "DestroyTextureObject",
                                                 "CtxCreate",
                                                 "CtxDestroy",
                                                 "DevicePrimaryCtxRetain",
                                                 "DevicePrimaryCtxReset",
                                                 "DeviceReset"};

bool starts_with_one_of(std::string_view name, std::span<const std::string_view> starts) {
  return std::any_of(starts.begin(), starts.end(), [&](std::string_view start) { return name.starts_with(start); });
}

bool allocates(std::string_view name) {
  if (starts_with_one_of(name, kAllocatingCalls)) return true;
  for (const std::string_view runtime : {"cuda", "cu", "hip"})
    if (name.starts_with(runtime) && starts_with_one_of(name.substr(runtime.size()), kAllocatingStems)) return true;
  return false;
}

}  // namespace

CallClass call_class_of(std::string_view function) {
  const std::string_view name = without_suffix(function);
  if (allocates(name)) return CallClass::kAllocation;
  if (starts_with_any(name, {"cudaLaunch", "__cudaLaunch", "cuLaunch", "cudaGraphLaunch", "cuGraphLaunch", "hipLaunch",
                             "hipExtModuleLaunch", "hipExtLaunch", "hipModuleLaunch", "hipGraphLaunch"}))
    return name.find("HostFunc") == std::string_view::npos ? CallClass::kKernel : CallClass::kHostFunction;
  // Both forms of memset return before device memory is set.
  if (starts_with_any(name, {"cudaMemset", "cuMemset", "hipMemset", "cudaMemPrefetch", "cuMemPrefetch"}))
    return CallClass::kCopy;
  if (starts_with_any(name, {"cudaMemcpy", "cuMemcpy", "hipMemcpy"})) return copy_class(name);
  if (starts_with_any(name, {"cudaStreamWaitEvent", "cuStreamWaitEvent", "hipStreamWaitEvent", "cuStreamWaitValue",
                             "cudaStreamWaitValue"}))
    return CallClass::kStreamWait;
  if (starts_with_any(name, {"cudaStreamAddCallback", "cuStreamAddCallback", "hipStreamAddCallback"}))
    return CallClass::kHostFunction;
  if (name == "cudaThreadSynchronize" || name.ends_with("Synchronize")) return CallClass::kSync;
  if (name == "urQueueFinish" || name == "urEventWait") return CallClass::kSync;
  if (name == "ncclGroupEnd" || name == "pncclGroupEnd") return CallClass::kGroupEnd;
  if (starts_with_any(name, {"cublasSetVector", "cublasSetMatrix", "cublasGetVector", "cublasGetMatrix"}))
    return copy_class(name);
  if (name.starts_with("cublas") &&
      (!starts_with_any(name, {"cublasGet", "cublasSet", "cublasInit", "cublasShutdown", "cublasLt"}) ||
       name == "cublasLtMatmul" || name == "cublasLtMatrixTransform"))
    return CallClass::kGemm;
  if (name.starts_with("cudnn") &&
      !starts_with_any(name, {"cudnnGet", "cudnnSet", "cudnnBackendGet", "cudnnBackendSet"}))
    return CallClass::kGemm;
  return CallClass::kOther;
}

}  // namespace tauprof
