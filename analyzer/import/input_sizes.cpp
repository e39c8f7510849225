#include "import/input_sizes.h"

#include "import/collective_names.h"

namespace tauprof::kineto {
namespace {

constexpr int64_t kMostElements = int64_t{1} << 48;

bool multiply(int64_t& product, int64_t factor) {
  return !__builtin_mul_overflow(product, factor, &product) && product <= kMostElements;
}

// 0 if the text is no list of shapes, or a size is out of bounds.
int64_t elements_of(std::string_view dims) {
  int64_t sum = 0, product = 1, number = 0;
  bool has_digit = false, is_shape = false;
  for (const char c : dims) {
    if (c >= '0' && c <= '9') {
      if (!multiply(number, 10)) return 0;
      number += c - '0';
      has_digit = true;
      continue;
    }
    if (c == '-') return 0;
    if (c != '[' && c != ']' && c != ',') continue;
    if (has_digit && !multiply(product, number)) return 0;
    number = 0;
    has_digit = false;
    if (c == '[') {
      product = 1;
      is_shape = true;  // unless another list starts inside
    } else if (c == ']') {
      if (is_shape) sum += product;
      is_shape = false;
    }
    if (sum > kMostElements) return 0;
  }
  return sum;
}

}  // namespace

InputSize input_size(std::string_view dims, std::string_view types) {
  InputSize size{elements_of(dims)};
  bool is_first = true;
  for (size_t at = 0; (at = types.find('"', at)) != types.npos;) {
    const size_t end = types.find('"', at + 1);
    if (end == types.npos) break;
    const log::DataType type = datatype_of(types.substr(at + 1, end - at - 1));
    if (is_first) size.datatype = type;
    if (type != size.datatype) size.datatype = log::DataType::kUnknown;
    is_first = false;
    at = end + 1;
  }
  return size;
}

int64_t payload_of(const InputSize& size) { return size.elements * 256 + static_cast<int64_t>(size.datatype); }

}  // namespace tauprof::kineto
