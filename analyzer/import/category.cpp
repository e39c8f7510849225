#include "import/category.h"

#include <algorithm>

namespace tauprof::kineto {
namespace {

struct Spelling {
  std::string_view text;
  Category category;
};

// Whole categories, the most frequent ones first. In lower case; the comparison ignores case.
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
    {"python", Category::kPython},
    {"mtia_ccp_events", Category::kKernel},  // all that MTIA's devices tell
};

// The last word or words of the others, behind the name of any vendor: "xpu_runtime", "privateuse1_driver",
// "mlu_memcpy", "concurrent_kernel".
constexpr Spelling kEndings[] = {
    {"runtime", Category::kApiCall},       {"driver", Category::kApiCall},
    {"kernel", Category::kKernel},         {"memcpy", Category::kMemcpy},
    {"memset", Category::kMemset},         {"sync", Category::kSynchronization},
    {"user_annotation", Category::kGpuAnnotation},
};

bool equal_ignoring_case(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() && std::equal(text.begin(), text.end(), lower.begin(), [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 0x20) : a) == b;
         });
}

bool ends_with_words(std::string_view text, std::string_view words) {
  if (text.size() < words.size() || !equal_ignoring_case(text.substr(text.size() - words.size()), words)) return false;
  return text.size() == words.size() || text[text.size() - words.size() - 1] == '_';
}

}  // namespace

Category category_of(std::string_view text) {
  for (const Spelling& spelling : kSpellings)
    if (text == spelling.text) return spelling.category;
  for (const Spelling& spelling : kSpellings)
    if (equal_ignoring_case(text, spelling.text)) return spelling.category;
  for (const Spelling& ending : kEndings)
    if (ends_with_words(text, ending.text)) return ending.category;
  return text.empty() ? Category::kNone : Category::kUnknown;
}

}  // namespace tauprof::kineto
