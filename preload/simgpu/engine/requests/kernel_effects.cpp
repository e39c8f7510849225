#include "simgpu/engine/requests/kernel_effects.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string_view>
#include <vector>

#include "simgpu/engine/config.h"
#include "simgpu/engine/launch.h"
#include "simgpu/engine/memory.h"
#include "simgpu/engine/memory/memory_access.h"

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

using Integers = std::vector<std::int64_t>;

// A kernel's arguments are structures that PyTorch passes by value; a field is read where the compiler puts it.
template <typename Value>
Value field(const void* structure, std::size_t offset) {
  Value value;
  std::memcpy(&value, static_cast<const char*>(structure) + offset, sizeof value);
  return value;
}

bool has_room_for(std::size_t count) { return count != 0 && count <= config().data_bytes / sizeof(std::int64_t); }

bool read_integers(const void* address, std::size_t count, Integers* values) {
  values->resize(count);
  return read_memory(values->data(), address, count * sizeof(std::int64_t));
}

// --- at::native::ReduceOp<long, ...>, the one argument of reduce_kernel

constexpr std::size_t kElementBytesAt = 16;
constexpr std::size_t kInputsAt = 20;
constexpr std::size_t kOutputsAt = 24;
constexpr std::size_t kInputDimensionsAt = 80;
constexpr std::size_t kInputStrideAt = kInputDimensionsAt + 4 + 25 * 12;  // after a divisor per dimension
constexpr std::size_t kSourceAt = 992;
constexpr std::size_t kDestinationAt = 1000;

using Reduction = std::int64_t (*)(const Integers&);

std::int64_t largest(const Integers& values) { return *std::max_element(values.begin(), values.end()); }
std::int64_t smallest(const Integers& values) { return *std::min_element(values.begin(), values.end()); }
std::int64_t sum(const Integers& values) { return std::accumulate(values.begin(), values.end(), std::int64_t{0}); }

Reduction reduction_of(std::string_view name) {
  if (name.find("13reduce_kernelI") == name.npos) return nullptr;
  if (name.find("ReduceOpIlNS0_14func_wrapper_tIlNS0_13MaxNanFunctorIlEE") != name.npos) return largest;
  if (name.find("ReduceOpIlNS0_14func_wrapper_tIlNS0_13MinNanFunctorIlEE") != name.npos) return smallest;
  return name.find("ReduceOpIlNS0_14func_wrapper_tIlZNS0_11sum_functorIlllE") != name.npos ? sum : nullptr;
}

std::function<void()> reduction_effect(Reduction reduce, const void* operation) {
  const auto count = static_cast<std::size_t>(std::max(0, field<std::int32_t>(operation, kInputsAt)));
  const bool is_one_run = field<std::int32_t>(operation, kInputDimensionsAt) == 1 &&
                          field<std::uint32_t>(operation, kInputStrideAt) == sizeof(std::int64_t);
  const bool is_of_all = field<std::int32_t>(operation, kElementBytesAt) == sizeof(std::int64_t) &&
                         field<std::int32_t>(operation, kOutputsAt) == 1 && (is_one_run || count == 1);
  if (!is_of_all || !has_room_for(count)) return nullptr;
  const auto* source = field<const void*>(operation, kSourceAt);
  auto* destination = field<void*>(operation, kDestinationAt);
  return [=] {
    Integers values;
    if (!read_integers(source, count, &values)) return;
    const std::int64_t result = reduce(values);
    write_memory(destination, &result, sizeof result);
  };
}

// --- elementwise kernels: the number of elements, the functor, the addresses (the result's first)

enum class Elementwise { kNone, kAdd, kAddToSelf, kCompare };

Elementwise elementwise_of(std::string_view name) {
  const bool is_dense = name.find("29vectorized_elementwise_kernelI") != name.npos ||
                        (name.find("27unrolled_elementwise_kernelI") != name.npos &&
                         name.find("23TrivialOffsetCalculatorI") != name.npos);
  if (!is_dense) return Elementwise::kNone;
  if (name.find("NS0_15CUDAFunctor_addIlEESt5array") != name.npos) return Elementwise::kAdd;
  if (name.find("NS0_21CUDAFunctorOnSelf_addIlEESt5array") != name.npos) return Elementwise::kAddToSelf;
  return name.find("14CompareFunctorIlEESt5arrayIPcLm3E") != name.npos ? Elementwise::kCompare : Elementwise::kNone;
}

bool holds(int comparison, std::int64_t left, std::int64_t right) {
  switch (comparison) {  // at::native::OpType
    case 0:
      return left >= right;
    case 1:
      return left > right;
    case 2:
      return left <= right;
    default:
      return left < right;
  }
}

std::function<void()> addition_effect(std::size_t count, const void* functor, const void* addresses, bool has_number) {
  auto* result = field<void*>(addresses, 0);
  const auto* left = field<const void*>(addresses, 8);
  const auto* right = has_number ? nullptr : field<const void*>(addresses, 16);
  const auto number = has_number ? field<std::int64_t>(functor, 0) : 0;
  const auto factor = field<std::int64_t>(functor, has_number ? 8 : 0);
  return [=] {
    Integers values;
    Integers others(count, number);
    if (!read_integers(left, count, &values) || (right != nullptr && !read_integers(right, count, &others))) return;
    for (std::size_t i = 0; i < count; ++i) values[i] += factor * others[i];
    write_memory(result, values.data(), count * sizeof(std::int64_t));
  };
}

std::function<void()> comparison_effect(std::size_t count, const void* functor, const void* addresses) {
  auto* result = field<void*>(addresses, 0);
  const auto* left = field<const void*>(addresses, 8);
  const auto* right = field<const void*>(addresses, 16);
  const auto comparison = field<std::int32_t>(functor, 0);
  return [=] {
    Integers values;
    Integers others;
    if (!read_integers(left, count, &values) || !read_integers(right, count, &others)) return;
    std::vector<char> answers(count);
    for (std::size_t i = 0; i < count; ++i) answers[i] = holds(comparison, values[i], others[i]);
    write_memory(result, answers.data(), count);
  };
}

std::function<void()> elementwise_effect(Elementwise kind, void** arguments) {
  const auto count = static_cast<std::size_t>(std::max(0, field<std::int32_t>(arguments[0], 0)));
  if (!has_room_for(count)) return nullptr;
  if (kind == Elementwise::kCompare) return comparison_effect(count, arguments[1], arguments[2]);
  return addition_effect(count, arguments[1], arguments[2], kind == Elementwise::kAddToSelf);
}

// --- at::native::CatArrayBatchedCopy* of one dimension: the result, then arrays with one entry per tensor

struct Concatenation {
  unsigned element_bytes = 0;  // 0: another kernel
  unsigned capacity = 0;       // of the arrays
};

// Of "...OpaqueTypeILj8EEEjLi1ELi128E...": the element's bytes, 32-bit indices, one dimension, the capacity.
Concatenation concatenation_of(std::string_view name) {
  constexpr std::string_view kElement = "OpaqueTypeILj";
  constexpr std::string_view kOneDimension = "EEEjLi1ELi";
  const std::size_t at = name.find(kElement);
  if (at == name.npos || name.find("CatArrayBatchedCopy") == name.npos) return {};
  Concatenation found;
  const char* const end = name.data() + name.size();
  const char* next = std::from_chars(name.data() + at + kElement.size(), end, found.element_bytes).ptr;
  if (!std::string_view(next, end).starts_with(kOneDimension)) return {};
  std::from_chars(next + kOneDimension.size(), end, found.capacity);
  return found;
}

struct CopiedTensor {
  const void* source;
  std::size_t offset_bytes;
  std::size_t bytes;
};

std::function<void()> concatenation_effect(const Concatenation& kind, std::size_t tensors, void** arguments) {
  if (tensors > kind.capacity) return nullptr;
  const void* const entries = arguments[1];
  const std::size_t offsets_at = kind.capacity * sizeof(void*);
  const std::size_t counts_at = offsets_at + 2 * kind.capacity * sizeof(std::uint32_t);  // after the dimensions' sizes
  std::vector<CopiedTensor> inputs;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < tensors; ++i) {
    const std::size_t at = i * sizeof(std::uint32_t);
    const CopiedTensor input = {field<const void*>(entries, i * sizeof(void*)),
                                std::size_t{field<std::uint32_t>(entries, offsets_at + at)} * kind.element_bytes,
                                std::size_t{field<std::uint32_t>(entries, counts_at + at)} * kind.element_bytes};
    bytes += input.bytes;
    inputs.push_back(input);
  }
  if (bytes == 0 || bytes > config().data_bytes) return nullptr;
  return [result = field<char*>(arguments[0], 0), inputs = std::move(inputs)] {
    std::vector<char> moved;
    for (const CopiedTensor& input : inputs) {
      moved.resize(input.bytes);
      if (read_memory(moved.data(), input.source, input.bytes))
        write_memory(result + input.offset_bytes, moved.data(), input.bytes);
    }
  };
}

// --- CUB's last kernel of a sum of 32-bit integers, which is how PyTorch counts: the input, the result's address

bool is_count(std::string_view name) {
  return name.find("28DeviceReduceSingleTileKernelI") != name.npos &&
         (name.find("policy_hubIi") != name.npos || name.find("DeviceReducePolicyIi") != name.npos);
}

std::function<void()> no_elements_effect(void** arguments) {
  return [result = field<void*>(arguments[1], 0)] {
    constexpr std::int32_t kNone = 0;
    write_memory(result, &kNone, sizeof kNone);
  };
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

std::function<void()> size_kernel_effect(const Launch& launch) {
  const std::string_view name = launch.kernel->name;
  if (launch.arguments == nullptr) return nullptr;
  if (name.starts_with("_ZN14at_cuda_detail3cub") && is_count(name)) return no_elements_effect(launch.arguments);
  if (!name.starts_with("_ZN2at6native")) return nullptr;
  if (const Reduction reduce = reduction_of(name)) return reduction_effect(reduce, launch.arguments[0]);
  const Elementwise kind = elementwise_of(name);
  if (kind != Elementwise::kNone) return elementwise_effect(kind, launch.arguments);
  const Concatenation concatenation = concatenation_of(name);
  if (concatenation.element_bytes == 0) return nullptr;
  return concatenation_effect(concatenation, launch.grid.y, launch.arguments);
}

}  // namespace simgpu
