// Names and texts of errors. Texts that programs are known to print are spelled out; the others are derived from the
// name: CUDA_ERROR_PEER_ACCESS_NOT_ENABLED is "peer access not enabled".
#include <cctype>
#include <map>
#include <string>
#include <string_view>

#include "simgpu/cuda/driver_call.h"

namespace simgpu {
namespace {

struct ErrorText {
  const char* name;
  std::string text;
};

std::string words_of(std::string_view name) {
  constexpr std::string_view kPrefix = "CUDA_ERROR_";
  std::string words(name.substr(kPrefix.size()));
  for (char& letter : words) {
    letter = letter == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return words;
}

const std::map<int, const char*>& known_texts() {
  static const std::map<int, const char*> texts = {
      {CUDA_ERROR_INVALID_VALUE, "invalid argument"},
      {CUDA_ERROR_NOT_INITIALIZED, "initialization error"},
      {CUDA_ERROR_NO_DEVICE, "no CUDA-capable device is detected"},
      {CUDA_ERROR_INVALID_DEVICE, "invalid device ordinal"},
      {CUDA_ERROR_INVALID_CONTEXT, "invalid device context"},
      {CUDA_ERROR_INVALID_HANDLE, "invalid resource handle"},
      {CUDA_ERROR_NOT_FOUND, "named symbol not found"},
      {CUDA_ERROR_NOT_READY, "device not ready"},
      {CUDA_ERROR_ILLEGAL_ADDRESS, "an illegal memory access was encountered"},
      {CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "too many resources requested for launch"},
      {CUDA_ERROR_LAUNCH_FAILED, "unspecified launch failure"},
      {CUDA_ERROR_NOT_PERMITTED, "operation not permitted"},
      {CUDA_ERROR_NOT_SUPPORTED, "operation not supported"},
      {CUDA_ERROR_UNKNOWN, "unknown error"},
  };
  return texts;
}

const std::map<int, ErrorText>& error_texts() {
  static const std::map<int, ErrorText> texts = [] {
    std::map<int, ErrorText> all = {
        {CUDA_SUCCESS, {"CUDA_SUCCESS", "no error"}},
#define SIMGPU_ERROR(name) {name, {#name, words_of(#name)}},
#include "simgpu/cuda/error_names.def"
#undef SIMGPU_ERROR
    };
    for (const auto& [error, text] : known_texts()) all[error].text = text;
    return all;
  }();
  return texts;
}

const ErrorText* find_text(CUresult error) {
  const auto found = error_texts().find(error);
  return found == error_texts().end() ? nullptr : &found->second;
}

}  // namespace

DRIVER_CALL_NEEDING(Needs::Nothing, cuGetErrorName, (CUresult error, const char** pStr), (error, pStr)) {
  if (pStr == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const ErrorText* text = find_text(error);
  *pStr = text != nullptr ? text->name : nullptr;
  return text != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_CALL_NEEDING(Needs::Nothing, cuGetErrorString, (CUresult error, const char** pStr), (error, pStr)) {
  if (pStr == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const ErrorText* text = find_text(error);
  *pStr = text != nullptr ? text->text.c_str() : nullptr;
  return text != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

}  // namespace simgpu
