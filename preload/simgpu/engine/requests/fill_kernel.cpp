#include "simgpu/engine/requests/fill_kernel.h"

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "simgpu/engine/config.h"
#include "simgpu/engine/memory.h"

namespace simgpu {
namespace {

struct ElementType {
  std::string_view mangled;
  std::size_t bytes;
};

constexpr ElementType kElementTypes[] = {
    {"fE", 4},
    {"dE", 8},
    {"lE", 8},
    {"iE", 4},
    {"sE", 2},
    {"aE", 1},
    {"hE", 1},
    {"bE", 1},
    {"N3c104HalfE", 2},
    {"N3c108BFloat16E", 2},
    {"N3c107complexIfE", 8},
    {"N3c107complexIdE", 16},
};

// The size of T in at::native::FillFunctor<T>, the template argument of the two elementwise kernels whose parameters
// are the number of elements, the functor (which holds the value) and the address. 0: another kernel.
std::size_t filled_element_bytes(std::string_view name) {
  constexpr std::string_view kFunctor = "NS0_11FillFunctorI";
  if (name.find("vectorized_elementwise_kernelI") == name.npos &&
      name.find("unrolled_elementwise_kernelI") == name.npos)
    return 0;
  const std::size_t at = name.find(kFunctor);
  if (at == name.npos) return 0;
  const std::string_view type = name.substr(at + kFunctor.size());
  for (const ElementType& known : kElementTypes) {
    if (type.starts_with(known.mangled)) return known.bytes;
  }
  return 0;
}

}  // namespace

std::function<void()> fill_kernel_effect(const char* mangled_name, void** arguments) {
  const std::size_t element = arguments == nullptr ? 0 : filled_element_bytes(mangled_name);
  if (element == 0) return nullptr;
  std::int32_t count = 0;
  void* target = nullptr;
  std::memcpy(&count, arguments[0], sizeof count);
  std::memcpy(&target, arguments[2], sizeof target);
  const std::size_t bytes = static_cast<std::size_t>(count > 0 ? count : 0) * element;
  if (bytes == 0 || bytes > config().data_bytes) return nullptr;
  const auto* value = static_cast<const char*>(arguments[1]);
  return [target, bytes, pattern = std::vector<char>(value, value + element)] {
    std::vector<char> filled(bytes);
    for (std::size_t at = 0; at < bytes; at += pattern.size()) {
      std::memcpy(filled.data() + at, pattern.data(), pattern.size());
    }
    move_bytes(target, filled.data(), bytes);
  };
}

}  // namespace simgpu
