// Looks up names. The rows are generated from the enumerators.
#include "simgpu/cupti/names.h"

#include <algorithm>
#include <span>

namespace simgpu::cupti {
namespace {

struct Name {
  std::uint32_t value;
  const char* text;
};

constexpr Name kRuntime[] = {
#include "runtime_names.inc"
};
constexpr Name kDriver[] = {
#include "driver_names.inc"
};
constexpr Name kResults[] = {
#include "result_names.inc"
};

const char* find(std::span<const Name> names, std::uint32_t value) {
  const auto found = std::find_if(names.begin(), names.end(), [&](const Name& name) { return name.value == value; });
  return found == names.end() ? nullptr : found->text;
}

}  // namespace

const char* result_name(CUptiResult result) { return find(kResults, static_cast<std::uint32_t>(result)); }

const char* callback_name(CUpti_CallbackDomain domain, std::uint32_t cbid) {
  switch (domain) {
    case CUPTI_CB_DOMAIN_RUNTIME_API:
      return cbid < CUPTI_RUNTIME_TRACE_CBID_SIZE ? find(kRuntime, cbid) : nullptr;
    case CUPTI_CB_DOMAIN_DRIVER_API:
      return cbid < CUPTI_DRIVER_TRACE_CBID_SIZE ? find(kDriver, cbid) : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace simgpu::cupti
