#include "classify/source_lines.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "model/file_name.h"

namespace tauprof {
namespace {

// Python packages whose lines never answer the question "where?".
constexpr std::string_view kPackages[] = {
    "torch",
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
    "tauprof",
};

// Libraries of the system, of CUDA and of the frameworks, by how their file names start.
constexpr std::string_view kLibraries[] = {"libc.so",   "libc-",   "ld-linux",   "libpthread", "libstdc++", "libgcc_s",
                                           "libm.so",   "libcuda", "libcublas",  "libcudnn",   "libcupti",  "libcufft",
                                           "libcurand", "libnccl", "libnv",      "libtorch",   "libc10",    "libpython",
                                           "libgomp",   "libffi",  "libtauprof", "libsimgpu"};

// The package of a file below site-packages or dist-packages; empty: the file lies elsewhere.
std::string_view installed_package(std::string_view file) {
  constexpr std::string_view kFolder = "-packages/";
  const size_t at = file.rfind(kFolder);
  if (at == std::string_view::npos) return {};
  const std::string_view within = file.substr(at + kFolder.size());
  return within.substr(0, within.find_first_of("/."));
}

// ".../lib/python3.11/threading.py", or a module built into the interpreter: "<frozen runpy>".
bool is_of_python(std::string_view file) {
  constexpr std::string_view kLibrary = "/lib/python3";
  if (file.starts_with("<frozen ")) return true;
  const size_t at = file.find(kLibrary);
  return at != std::string_view::npos && file.find("-packages/", at) == std::string_view::npos;
}

class SourceLineNames {
 public:
  explicit SourceLineNames(const ProcessTrace& trace) : trace_(trace) {}

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
    std::string line;
    if (!file.empty()) {
      line = std::string(file) + ":" + std::to_string(frame.line);
    } else {
      line = file_name(trace_.names[frame.module]);
      if (function.empty()) return line + "+" + hexadecimal(frame.offset);
    }
    return function.empty() ? line : line + " " + std::string(function);
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
  return std::find(std::begin(kPackages), std::end(kPackages), package) != std::end(kPackages);
}

bool is_framework_module(std::string_view path) {
  const std::string_view name = file_name(path);
  return name.empty() || std::any_of(std::begin(kLibraries), std::end(kLibraries),
                                     [&](std::string_view library) { return name.starts_with(library); });
}

std::vector<std::string> source_lines(const ProcessTrace& trace) {
  const SourceLineNames names(trace);
  std::vector<std::string> lines(trace.stacks.stacks.size());
  for (uint32_t stack = 1; stack < lines.size(); ++stack) lines[stack] = names.of(stack);
  return lines;
}

}  // namespace tauprof
