#include "classify/code_places.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace tauprof {
namespace {

// Packages whose lines are never the answer to "where".
constexpr std::array<std::string_view, 36> kPackages = {"torch",
                                                        "torchvision",
                                                        "torchaudio",
                                                        "torchdata",
                                                        "torchrec",
                                                        "torchgen",
                                                        "functorch",
                                                        "accelerate",
                                                        "transformers",
                                                        "lightning",
                                                        "pytorch_lightning",
                                                        "lightning_fabric",
                                                        "deepspeed",
                                                        "megatron",
                                                        "apex",
                                                        "transformer_engine",
                                                        "fairscale",
                                                        "horovod",
                                                        "ignite",
                                                        "peft",
                                                        "bitsandbytes",
                                                        "xformers",
                                                        "flash_attn",
                                                        "triton",
                                                        "fbgemm_gpu",
                                                        "nvidia",
                                                        "numpy",
                                                        "scipy",
                                                        "pandas",
                                                        "jax",
                                                        "jaxlib",
                                                        "cupy",
                                                        "tensorflow",
                                                        "tqdm",
                                                        "datasets",
                                                        "tauprof"};

// Libraries of the system, of CUDA and of the frameworks, by the beginning of the file's name.
constexpr std::array<std::string_view, 22> kLibraries = {
    "libc.so",   "libc-",     "ld-linux", "libpthread", "libstdc++",  "libgcc_s", "libm.so", "libcuda",
    "libcublas", "libcudnn",  "libcupti", "libcufft",   "libcurand",  "libnccl",  "libnv",   "libtorch",
    "libc10",    "libpython", "libgomp",  "libffi",     "libtauprof", "libsimgpu"};

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// The package of a file below site-packages or dist-packages; empty: it lies elsewhere.
std::string_view installed_package(std::string_view file) {
  constexpr std::string_view kFolder = "-packages/";
  const size_t at = file.rfind(kFolder);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = file.substr(at + kFolder.size());
  return rest.substr(0, rest.find_first_of("/."));
}

// ".../lib/python3.11/threading.py", and what the interpreter carries in itself: "<frozen runpy>".
bool is_of_python(std::string_view file) {
  constexpr std::string_view kLibrary = "/lib/python3";
  if (file.starts_with("<frozen ")) return true;
  const size_t at = file.find(kLibrary);
  return at != std::string_view::npos && file.find("-packages/", at) == std::string_view::npos;
}

class PlaceNames {
 public:
  explicit PlaceNames(const ProcessTrace& trace) : trace_(trace) {}

  std::string of(uint32_t stack) const {
    const CodeFrame *innermost = nullptr, *own = nullptr;
    trace_.stacks.walk(stack, [&](const CodeFrame& frame) {
      if (innermost == nullptr) innermost = &frame;
      if (is_framework(frame)) return false;
      own = &frame;
      return true;
    });
    if (innermost == nullptr) return {};
    return text(own != nullptr ? *own : *innermost);
  }

 private:
  bool is_framework(const CodeFrame& frame) const {
    if (frame.language == log::FrameLanguage::kPython) return is_framework_file(trace_.names[frame.file]);
    return is_framework_module(trace_.names[frame.module]);
  }

  std::string text(const CodeFrame& frame) const {
    const std::string_view file = trace_.names[frame.file], function = trace_.names[frame.function];
    std::string place;
    if (!file.empty()) {
      place = std::string(file) + ":" + std::to_string(frame.line);
    } else {
      place = file_name(trace_.names[frame.module]);
      if (function.empty()) return place + "+" + hexadecimal(frame.offset);
    }
    return function.empty() ? place : place + " " + std::string(function);
  }

  static std::string hexadecimal(int64_t value) {
    char digits[24];
    snprintf(digits, sizeof digits, "0x%llx", static_cast<unsigned long long>(value));
    return digits;
  }

  const ProcessTrace& trace_;
};

}  // namespace

bool is_framework_file(std::string_view file) {
  const std::string_view package = installed_package(file);
  if (package.empty()) return is_of_python(file);
  return std::find(kPackages.begin(), kPackages.end(), package) != kPackages.end();
}

bool is_framework_module(std::string_view path) {
  const std::string_view name = file_name(path);
  return name.empty() || std::any_of(kLibraries.begin(), kLibraries.end(),
                                     [&](std::string_view library) { return name.starts_with(library); });
}

std::vector<std::string> code_places(const ProcessTrace& trace) {
  const PlaceNames names(trace);
  std::vector<std::string> places(trace.stacks.stacks.size());
  for (uint32_t stack = 1; stack < places.size(); ++stack) places[stack] = names.of(stack);
  return places;
}

}  // namespace tauprof
