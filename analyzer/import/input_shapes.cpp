#include "import/input_shapes.h"

#include "import/collective_names.h"
#include "import/decimal.h"

namespace tauprof::kineto {
namespace {

std::string_view without_space(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// Returns the text between the brackets of a list; empty if it is no list.
std::string_view inside(std::string_view list) {
  list = without_space(list);
  const bool is_list = list.size() >= 2 && list.front() == '[' && list.back() == ']';
  return is_list ? without_space(list.substr(1, list.size() - 2)) : std::string_view{};
}

// Takes what stands before the next comma that is in no inner list and in no text.
std::string_view take_item(std::string_view& rest) {
  int depth = 0;
  bool is_text = false;
  size_t end = 0;
  for (; end < rest.size(); ++end) {
    const char c = rest[end];
    if (c == '"') is_text = !is_text;
    if (is_text) continue;
    if (c == '[') ++depth;
    if (c == ']') --depth;
    if (c == ',' && depth == 0) break;
  }
  const std::string_view item = rest.substr(0, end);
  rest.remove_prefix(end == rest.size() ? end : end + 1);
  return without_space(item);
}

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

Shape numbers_in(std::string_view list) {
  Shape numbers;
  for (std::string_view rest = inside(list); !rest.empty();) {
    const std::optional<int64_t> number = integer(take_item(rest));
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

std::vector<Shape> input_shapes(std::string_view dims) {
  std::vector<Shape> shapes;
  for (std::string_view rest = inside(dims); !rest.empty();) shapes.push_back(numbers_in(take_item(rest)));
  return shapes;
}

std::vector<std::string_view> input_texts(std::string_view list) {
  std::vector<std::string_view> texts;
  for (std::string_view rest = inside(list); !rest.empty();) {
    std::string_view text = take_item(rest);
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
    texts.push_back(text);
  }
  return texts;
}

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
