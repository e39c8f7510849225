// Counts the kernels that each injected fault matches.
#include "simgpu/engine/timeline/kernel_fault.h"

#include <cxxabi.h>
#include <fnmatch.h>

#include <cstdlib>
#include <map>
#include <string>

#include "simgpu/engine/config.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/truth.h"

namespace simgpu {
namespace {

bool matches(const std::string& glob, const char* mangled) {
  if (fnmatch(glob.c_str(), mangled, 0) == 0) return true;
  char* demangled = abi::__cxa_demangle(mangled, nullptr, nullptr, nullptr);
  const bool result = demangled && fnmatch(glob.c_str(), demangled, 0) == 0;
  std::free(demangled);
  return result;
}

}  // namespace

void raise_injected_fault(const Operation& operation) {
  if (operation.request.span.kind != SpanKind::Kernel) return;
  static auto& seen = *new std::map<const FaultInjection*, std::uint64_t>;
  for (const FaultInjection& fault : config().injection(operation.device).faults) {
    if (!matches(fault.kernel_glob, operation.request.span.name) || ++seen[&fault] != fault.nth) continue;
    set_device_error(operation.device, static_cast<cudaError_t>(fault.error));
    write_injection("fail", operation.device, operation.end, operation.end);
  }
}

}  // namespace simgpu
