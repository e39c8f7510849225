// Names and texts of errors. Texts that programs are known to print or compare are spelled out; the others are derived
// from the name: cudaErrorPeerAccessNotEnabled is "peer access not enabled".
#include <cctype>
#include <map>
#include <string>

#include "simgpu/cudart/runtime_call.h"

namespace simgpu {
namespace {

constexpr const char* kUnknown = "unrecognized error code";

struct ErrorText {
  const char* name;
  std::string text;
};

std::string words_of(std::string_view name) {
  constexpr std::string_view kPrefix = "cudaError";
  std::string words;
  for (const char letter : name.substr(kPrefix.size())) {
    const bool is_capital = std::isupper(static_cast<unsigned char>(letter)) != 0;
    const bool after_capital = !words.empty() && std::isupper(static_cast<unsigned char>(words.back())) != 0;
    if (is_capital && !words.empty() && !after_capital) words += ' ';
    words += letter;
  }
  for (char& letter : words) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return words;
}

const std::map<cudaError_t, const char*>& known_texts() {
  static const std::map<cudaError_t, const char*> texts = {
      {cudaSuccess, "no error"},
      {cudaErrorInvalidValue, "invalid argument"},
      {cudaErrorMemoryAllocation, "out of memory"},
      {cudaErrorInvalidConfiguration, "invalid configuration argument"},
      {cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"},
      {cudaErrorNoDevice, "no CUDA-capable device is detected"},
      {cudaErrorInvalidDevice, "invalid device ordinal"},
      {cudaErrorECCUncorrectable, "uncorrectable ECC error encountered"},
      {cudaErrorIllegalAddress, "an illegal memory access was encountered"},
      {cudaErrorLaunchOutOfResources, "too many resources requested for launch"},
      {cudaErrorLaunchTimeout, "the launch timed out and was terminated"},
      {cudaErrorLaunchFailure, "unspecified launch failure"},
      {cudaErrorNotReady, "device not ready"},
      {cudaErrorAssert, "device-side assert triggered"},
      {cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"},
      {cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"},
      {cudaErrorNotSupported, "operation not supported"},
      {cudaErrorNotPermitted, "operation not permitted"},
      {cudaErrorUnknown, "unknown error"},
  };
  return texts;
}

const std::map<cudaError_t, ErrorText>& error_texts() {
  static const std::map<cudaError_t, ErrorText> texts = [] {
    std::map<cudaError_t, ErrorText> all = {
        {cudaSuccess, {"cudaSuccess", ""}},
#define SIMGPU_ERROR(name) {name, {#name, words_of(#name)}},
#include "simgpu/cudart/error_names.def"
#undef SIMGPU_ERROR
    };
    for (const auto& [error, text] : known_texts()) all[error].text = text;
    return all;
  }();
  return texts;
}

}  // namespace

extern "C" SIMGPU_API const char* cudaGetErrorName(cudaError_t error) {
  const auto found = error_texts().find(error);
  return found == error_texts().end() ? kUnknown : found->second.name;
}

extern "C" SIMGPU_API const char* cudaGetErrorString(cudaError_t error) {
  const auto found = error_texts().find(error);
  return found == error_texts().end() ? kUnknown : found->second.text.c_str();
}

}  // namespace simgpu
