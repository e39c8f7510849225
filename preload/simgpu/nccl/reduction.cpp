// One class for all types: elements are widened to double or 64 bits, and narrowed at the end.
#include "simgpu/nccl/reduction.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace simgpu::nccl {
namespace {

template <typename Element>
using Wide = std::conditional_t<std::is_integral_v<Element>,
                                std::conditional_t<std::is_signed_v<Element>, std::int64_t, std::uint64_t>, double>;

template <typename Element>
Wide<Element> widened(Element value) {
  if constexpr (std::is_arithmetic_v<Element>) {
    return value;
  } else {
    return static_cast<double>(static_cast<float>(value));
  }
}

template <typename Element>
Element narrowed(Wide<Element> value) {
  if constexpr (std::is_arithmetic_v<Element>) {
    return static_cast<Element>(value);
  } else {
    return Element(static_cast<float>(value));
  }
}

// Signed integers are added and multiplied as unsigned ones, so that they wrap.
template <typename Value>
auto wrapping(Value value) {
  if constexpr (std::is_integral_v<Value>) {
    return static_cast<std::uint64_t>(value);
  } else {
    return value;
  }
}

template <typename Value>
Value combined_value(ncclRedOp_t operation, Value a, Value b) {
  switch (operation) {
    case ncclProd:
      return static_cast<Value>(wrapping(a) * wrapping(b));
    case ncclMax:
      return std::max(a, b);
    case ncclMin:
      return std::min(a, b);
    default:
      return static_cast<Value>(wrapping(a) + wrapping(b));
  }
}

template <typename Element>
Element load(const char* at) {
  Element value;
  std::memcpy(static_cast<void*>(&value), at, sizeof(value));
  return value;
}

template <typename Element>
class TypedReduction : public Reduction {
 public:
  TypedReduction(ncclRedOp_t operation, int ranks) : operation_(operation), ranks_(ranks) {}

  void add(const std::vector<char>& values, double scale) override {
    const std::size_t count = values.size() / sizeof(Element);
    const auto factor = static_cast<Wide<Element>>(scale);
    const bool is_first = totals_.empty();
    totals_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = combined_value(ncclProd, factor, widened(load<Element>(values.data() + i * sizeof(Element))));
      totals_[i] = is_first ? value : combined_value(operation_, totals_[i], value);
    }
  }

  std::vector<char> result() const override {
    std::vector<char> values(totals_.size() * sizeof(Element));
    for (std::size_t i = 0; i < totals_.size(); ++i) {
      const auto total = operation_ == ncclAvg ? totals_[i] / static_cast<Wide<Element>>(ranks_) : totals_[i];
      const Element value = narrowed<Element>(total);
      std::memcpy(values.data() + i * sizeof(Element), static_cast<const void*>(&value), sizeof(value));
    }
    return values;
  }

 private:
  ncclRedOp_t operation_;
  int ranks_;
  std::vector<Wide<Element>> totals_;
};

// Calls `visit` with a value of the type that `type` names.
template <typename Visit>
auto with_element(ncclDataType_t type, Visit visit) {
  switch (type) {
    case ncclUint8:
      return visit(std::uint8_t{});
    case ncclInt32:
      return visit(std::int32_t{});
    case ncclUint32:
      return visit(std::uint32_t{});
    case ncclInt64:
      return visit(std::int64_t{});
    case ncclUint64:
      return visit(std::uint64_t{});
    case ncclFloat16:
      return visit(__half{});
    case ncclFloat32:
      return visit(float{});
    case ncclFloat64:
      return visit(double{});
    case ncclBfloat16:
      return visit(__nv_bfloat16{});
    case ncclFloat8e4m3:
      return visit(__nv_fp8_e4m3{});
    case ncclFloat8e5m2:
      return visit(__nv_fp8_e5m2{});
    default:
      return visit(std::int8_t{});
  }
}

}  // namespace

std::unique_ptr<Reduction> make_reduction(ncclRedOp_t operation, ncclDataType_t type, int ranks) {
  return with_element(type, [&](auto element) -> std::unique_ptr<Reduction> {
    return std::make_unique<TypedReduction<decltype(element)>>(operation, ranks);
  });
}

double scalar_value(const void* value, ncclDataType_t type) {
  return with_element(type, [&](auto element) {
    return static_cast<double>(widened(load<decltype(element)>(static_cast<const char*>(value))));
  });
}

}  // namespace simgpu::nccl
