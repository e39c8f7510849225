#include "classify/source_lines.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "limits/analysis_limits.h"
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

bool is_framework(const ProcessTrace& trace, const CodeFrame& frame) {
  if (frame.language == log::FrameLanguage::kPython) return is_framework_file(trace.names[frame.file]);
  return is_framework_module(trace.names[frame.module]);
}

std::string hexadecimal(int64_t value) {
  char digits[24];
  snprintf(digits, sizeof digits, "0x%llx", static_cast<unsigned long long>(value));
  return digits;
}

// Of names without end, the end of the file's and the start of the function's.
std::string source_line_text(const ProcessTrace& trace, const CodeFrame& frame) {
  constexpr size_t kLongestName = 4 * kLongestLabel;
  std::string_view file = trace.names[frame.file];
  const std::string_view function = trace.names[frame.function].substr(0, kLongestName);
  if (file.size() > kLongestName) file.remove_prefix(file.size() - kLongestName);
  std::string line;
  if (!file.empty()) {
    line = std::string(file) + ":" + std::to_string(frame.line);
  } else {
    line = std::string(file_name(trace.names[frame.module])).substr(0, kLongestName);
    if (function.empty()) return line + "+" + hexadecimal(frame.offset);
  }
  return function.empty() ? line : line + " " + std::string(function);
}

}  // namespace

bool is_framework_file(std::string_view file) {
  const std::string_view package = installed_package(file);
  if (package.empty()) return is_of_python(file);
  return is_framework_package(package);
}

bool is_framework_package(std::string_view package) {
  return std::find(std::begin(kPackages), std::end(kPackages), package) != std::end(kPackages);
}

bool is_framework_module(std::string_view path) {
  const std::string_view name = file_name(path);
  return name.empty() || std::any_of(std::begin(kLibraries), std::end(kLibraries),
                                     [&](std::string_view library) { return name.starts_with(library); });
}

// A caller's index is smaller than its callees', so each stack adds only its own frames to what is known.
SourceLines::SourceLines(const ProcessTrace& trace)
    : trace_(trace),
      frame_of_stack_(trace.stacks.stacks.size(), kNoIndex),
      is_framework_(trace.stacks.frames.size(), -1) {
  const CodeStacks& stacks = trace.stacks;
  std::vector<uint32_t> innermost(stacks.stacks.size(), kNoIndex), of_program(stacks.stacks.size(), kNoIndex);
  for (uint32_t stack = 1; stack < stacks.stacks.size(); ++stack) {
    const CodeStack& code = stacks.stacks[stack];
    for (const uint32_t frame : code.frames) {
      if (!is_of_program(frame)) continue;
      of_program[stack] = frame;
      break;
    }
    if (of_program[stack] == kNoIndex) of_program[stack] = of_program[code.caller];
    innermost[stack] = code.frames.empty() ? innermost[code.caller] : code.frames.front();
    frame_of_stack_[stack] = of_program[stack] != kNoIndex ? of_program[stack] : innermost[stack];
  }
}

const std::string& SourceLines::of(uint32_t stack) {
  static const std::string kNone;
  const uint32_t frame = frame_of_stack_[stack];
  return frame == kNoIndex ? kNone : text_of(frame);
}

std::vector<std::string> SourceLines::own(uint32_t stack) {
  std::vector<std::string> lines;
  for (const uint32_t frame : trace_.stacks.stacks[stack].frames)
    if (is_of_program(frame)) lines.push_back(text_of(frame));
  std::reverse(lines.begin(), lines.end());
  return lines;
}

bool SourceLines::is_of_program(uint32_t frame) {
  signed char& known = is_framework_[frame];
  if (known < 0) known = is_framework(trace_, trace_.stacks.frames[frame]);
  return known == 0;
}

const std::string& SourceLines::text_of(uint32_t frame) {
  const auto [text, is_new] = texts_.try_emplace(frame);
  if (is_new) text->second = source_line_text(trace_, trace_.stacks.frames[frame]);
  return text->second;
}

}  // namespace tauprof
