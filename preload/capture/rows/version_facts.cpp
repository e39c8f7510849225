#include "capture/rows/version_facts.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "capture/loader/library_calls.h"
#include "capture/loader/loaded_definition.h"
#include "capture/loader/loaded_library.h"
#include "capture/rows/log_text.h"

namespace tauprof::capture {
namespace {

constexpr size_t kLongest = 64;
using Text = char[kLongest];

void print_number(Text& text, unsigned major, unsigned minor, unsigned patch) {
  snprintf(text, sizeof text, "%u.%u.%u", major, minor, patch);
}

// 13020 is 13.2.
bool read_cuda(void* function, Text& text) {
  int version = 0;
  if (reinterpret_cast<int (*)(int*)>(function)(&version) != 0 || version == 0) return false;
  snprintf(text, sizeof text, "%d.%d", version / 1000, version % 1000 / 10);
  return true;
}

// 22809 is 2.28.9; before 2.9 the minor version had one digit less.
bool read_nccl(void* function, Text& text) {
  int version = 0;
  if (reinterpret_cast<int (*)(int*)>(function)(&version) != 0) return false;
  const auto number = static_cast<unsigned>(version), unit = number >= 10000 ? 10000u : 1000u;
  print_number(text, number / unit, number % unit / 100, number % 100);
  return true;
}

bool read_cublas(void* function, Text& text) {
  const auto get_property = reinterpret_cast<int (*)(int, int*)>(function);
  int major = 0, minor = 0, patch = 0;
  if (get_property(0, &major) != 0 || get_property(1, &minor) != 0 || get_property(2, &patch) != 0) return false;
  print_number(text, static_cast<unsigned>(major), static_cast<unsigned>(minor), static_cast<unsigned>(patch));
  return true;
}

// 130002 is 13.0.2.
bool read_cublaslt(void* function, Text& text) {
  const auto version = static_cast<unsigned>(reinterpret_cast<size_t (*)()>(function)());
  print_number(text, version / 10000, version % 10000 / 100, version % 100);
  return true;
}

// CUPTI's own numbers have changed their meaning, so they are written as they are.
bool read_cupti(void* function, Text& text) {
  uint32_t version = 0;
  if (reinterpret_cast<int (*)(uint32_t*)>(function)(&version) != 0) return false;
  snprintf(text, sizeof text, "%u", version);
  return true;
}

// The first word of "3.11.2 (main, …)".
bool read_python(void* function, Text& text) {
  const char* version = reinterpret_cast<const char* (*)()>(function)();
  snprintf(text, sizeof text, "%.*s", static_cast<int>(strcspn(version, " ")), version);
  return true;
}

constexpr struct {
  const char* attribute;
  const char* library;  // null: any
  const char* function;
  bool (*read)(void*, Text&);
} kVersions[] = {
    {"version.cuda_runtime", "libcudart.so", "cudaRuntimeGetVersion", read_cuda},
    {"version.cuda_driver", "libcudart.so", "cudaDriverGetVersion", read_cuda},
    {"version.cublas", "libcublas.so", "cublasGetProperty", read_cublas},
    {"version.cublaslt", "libcublasLt.so", "cublasLtGetVersion", read_cublaslt},
    {"version.nccl", "libnccl.so", "ncclGetVersion", read_nccl},
    {"version.cupti", "libcupti.so", "cuptiGetVersion", read_cupti},
    {"version.python", nullptr, "Py_GetVersion", read_python},
};

}  // namespace

void VersionFacts::write_new(log::Writer& writer) {
  static_assert(sizeof kVersions / sizeof *kVersions <= kMost);
  const LibraryCalls calls;
  if (!calls) return;
  for (size_t i = 0; i < sizeof kVersions / sizeof *kVersions; ++i) {
    const auto& version = kVersions[i];
    if (is_written_[i]) continue;
    void* const function = version.library != nullptr ? loaded_function(version.library, version.function)
                                                      : global_definition(version.function);
    Text text;
    if (function == nullptr || !version.read(function, text)) continue;
    put_attribute(writer, version.attribute, text);
    is_written_[i] = true;
  }
}

}  // namespace tauprof::capture
