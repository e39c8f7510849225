#include "import/category.h"

#include <algorithm>

namespace tauprof::kineto {
namespace {

struct Spelling {
  std::string_view text;
  Category category;
};

// The most frequent ones first. In lower case; the comparison ignores case.
constexpr Spelling kSpellings[] = {
    {"cpu_op", Category::kOperator},
    {"cuda_runtime", Category::kApiCall},
    {"kernel", Category::kKernel},
    {"python_function", Category::kPython},
    {"user_annotation", Category::kAnnotation},
    {"gpu_memcpy", Category::kMemcpy},
    {"gpu_memset", Category::kMemset},
    {"cuda_driver", Category::kApiCall},
    {"cuda_sync", Category::kSynchronization},
    {"gpu_user_annotation", Category::kGpuAnnotation},
    {"cpu_instant_event", Category::kInstant},
    {"overhead", Category::kOverhead},
    {"trace", Category::kTraceSpan},
    {"operator", Category::kOperator},
    {"runtime", Category::kApiCall},
    {"memcpy", Category::kMemcpy},
    {"memset", Category::kMemset},
    {"driver", Category::kApiCall},
    {"hip_runtime", Category::kApiCall},
    {"hip_driver", Category::kApiCall},
    {"concurrent_kernel", Category::kKernel},
    {"python", Category::kPython},
};

bool equal_ignoring_case(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() && std::equal(text.begin(), text.end(), lower.begin(), [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 0x20) : a) == b;
         });
}

}  // namespace

Category category_of(std::string_view text) {
  for (const Spelling& spelling : kSpellings)
    if (text == spelling.text) return spelling.category;
  for (const Spelling& spelling : kSpellings)
    if (equal_ignoring_case(text, spelling.text)) return spelling.category;
  return text.empty() ? Category::kNone : Category::kUnknown;
}

}  // namespace tauprof::kineto
