#include "import/event_kind.h"

#include "model/profiler_step.h"

namespace tauprof::kineto {
namespace {

Category device_work_by_name(std::string_view name) {
  if (name.starts_with("Memcpy ")) return Category::kMemcpy;
  return name.starts_with("Memset ") ? Category::kMemset : Category::kKernel;
}

}  // namespace

Category kind_of(const Event& event) {
  const EventArgs& args = event.args;
  const bool is_on_stream = args.stream.is_set && args.device.is_set;
  if (is_profiler_step(event.name)) {
    const bool is_copy = event.category == Category::kGpuAnnotation || is_on_stream;
    return is_copy ? Category::kGpuAnnotation : Category::kAnnotation;
  }
  if (event.category == Category::kKernel) return device_work_by_name(event.name);
  const bool is_cuptis = event.category_text.starts_with("cuda");  // always of a device
  if (event.category == Category::kSynchronization && !is_cuptis && !args.stream.is_set && !args.device.is_set)
    return Category::kApiCall;
  const bool is_known = event.category != Category::kUnknown && event.category != Category::kNone;
  if (is_known || args.correlation.value == 0) return event.category;
  if (is_on_stream) return device_work_by_name(event.name);
  return args.stream.is_set ? event.category : Category::kApiCall;
}

}  // namespace tauprof::kineto
