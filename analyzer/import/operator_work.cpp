#include "import/operator_work.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>

#include "import/collective_names.h"
#include "import/decimal.h"
#include "import/input_shapes.h"

namespace tauprof::kineto {
namespace {

struct Inputs {
  std::vector<Shape> shapes;
  std::vector<std::string_view> types;
  std::vector<std::string_view> values;

  // Of a tensor with so many dimensions; nullptr: it has others.
  const Shape* tensor(size_t input, size_t dimensions) const {
    return input < shapes.size() && shapes[input].size() == dimensions ? &shapes[input] : nullptr;
  }
  log::DataType type(size_t input) const {
    return input < types.size() ? datatype_of(types[input]) : log::DataType::kUnknown;
  }
  std::string_view value(size_t input) const { return input < values.size() ? values[input] : std::string_view{}; }
};

using Work = std::optional<MatrixWork>;

// 0: a factor is negative, or the product does not fit.
int64_t product_of(std::initializer_list<int64_t> factors) {
  int64_t product = 1;
  for (const int64_t factor : factors)
    if (factor < 0 || __builtin_mul_overflow(product, factor, &product)) return 0;
  return product;
}

int64_t product_of(Shape::const_iterator first, Shape::const_iterator last) {
  int64_t product = 1;
  for (; first != last; ++first) product = product_of({product, *first});
  return product;
}

// `times` products of that size.
Work work_of(const Inputs& inputs, size_t a, size_t b, int64_t m, int64_t n, int64_t k, int64_t batch,
             int64_t times = 1) {
  const int64_t flops = product_of({2, m, n, k, batch, times});
  if (flops <= 0) return std::nullopt;
  return MatrixWork{m, n, k, batch, flops, inputs.type(a), inputs.type(b)};
}

// A[m, k] · B[k, n], from this input on.
template <size_t kFirst>
Work matrices(const Inputs& inputs) {
  const Shape *a = inputs.tensor(kFirst, 2), *b = inputs.tensor(kFirst + 1, 2);
  if (a == nullptr || b == nullptr || (*a)[1] != (*b)[0]) return std::nullopt;
  return work_of(inputs, kFirst, kFirst + 1, (*a)[0], (*b)[1], (*a)[1], 1);
}

// A[batch, m, k] · B[batch, k, n].
template <size_t kFirst>
Work batches(const Inputs& inputs) {
  const Shape *a = inputs.tensor(kFirst, 3), *b = inputs.tensor(kFirst + 1, 3);
  if (a == nullptr || b == nullptr || (*a)[2] != (*b)[1] || (*a)[0] != (*b)[0]) return std::nullopt;
  return work_of(inputs, kFirst, kFirst + 1, (*a)[1], (*b)[2], (*a)[2], (*a)[0]);
}

// Input[…, k] with weight[n, k].
Work linear(const Inputs& inputs) {
  const Shape* weight = inputs.tensor(1, 2);
  if (weight == nullptr || inputs.shapes[0].empty() || inputs.shapes[0].back() != (*weight)[1]) return std::nullopt;
  const Shape& input = inputs.shapes[0];
  return work_of(inputs, 0, 1, product_of(input.begin(), input.end() - 1), (*weight)[0], (*weight)[1], 1);
}

// True or False; nullopt: the trace does not say.
std::optional<bool> flag(std::string_view value) {
  if (value == "True" || value == "true") return true;
  if (value == "False" || value == "false") return false;
  return std::nullopt;
}

// ---- convolutions ----

// A parameter of a convolution for this dimension. One value stands for all.
std::optional<int64_t> of_dimension(const Shape& values, size_t dimension) {
  if (values.empty() || (values.size() > 1 && dimension >= values.size())) return std::nullopt;
  return values[values.size() > 1 ? dimension : 0];
}

// Positions of a forward convolution's output; 0: not known.
int64_t output_positions(const Inputs& inputs) {
  const Shape &input = inputs.shapes[0], &weight = inputs.shapes[1];
  const Shape stride = numbers_in(inputs.value(3)), padding = numbers_in(inputs.value(4)),
              dilation = numbers_in(inputs.value(5));
  int64_t positions = 1;
  for (size_t i = 2; i < input.size(); ++i) {
    const auto step = of_dimension(stride, i - 2), border = of_dimension(padding, i - 2),
               spread = of_dimension(dilation, i - 2);
    if (!step || !border || !spread || *step < 1 || *border < 0 || *spread < 1 || input[i] < 1 || weight[i] < 1)
      return 0;
    int64_t reach, room;
    if (__builtin_mul_overflow(*spread, weight[i] - 1, &reach) || __builtin_mul_overflow(*border, 2, &room) ||
        __builtin_add_overflow(room, input[i] - 1, &room) || __builtin_sub_overflow(room, reach, &room) || room < 0)
      return 0;
    positions = product_of({positions, room / *step + 1});
  }
  return positions;
}

// Everything but the shapes is an input from `parameters` on: stride, padding, dilation, transposed, output_padding,
// groups. `positions`: of the output, or of the input if the convolution is transposed. The weight [w0, w1, …] has w0
// channels on that side, w1 of a group on the other, and then the positions of the kernel.
Work convolution(const Inputs& inputs, size_t input, size_t weight, size_t parameters, int64_t positions,
                 int64_t times) {
  const Shape& of_weight = inputs.shapes[weight];
  const int64_t groups = integer(inputs.value(parameters + 5)).value_or(0);
  if (groups <= 0 || of_weight[0] % groups != 0) return std::nullopt;
  const int64_t kernel = product_of(of_weight.begin() + 2, of_weight.end());
  return work_of(inputs, 0, weight, product_of({inputs.shapes[input][0], positions}), of_weight[0] / groups,
                 product_of({of_weight[1], kernel}), groups, times);
}

bool are_of_convolution(const Inputs& inputs, size_t input, size_t weight) {
  if (weight >= inputs.shapes.size()) return false;
  const size_t dimensions = inputs.shapes[input].size();
  return dimensions >= 3 && dimensions == inputs.shapes[weight].size();
}

int64_t positions_of(const Shape& tensor) { return product_of(tensor.begin() + 2, tensor.end()); }

// Input, weight, bias, stride, …
Work convolution_forward(const Inputs& inputs) {
  const std::optional<bool> is_transposed = flag(inputs.value(6));
  if (!is_transposed || !are_of_convolution(inputs, 0, 1)) return std::nullopt;
  const int64_t positions = *is_transposed ? positions_of(inputs.shapes[0]) : output_positions(inputs);
  return convolution(inputs, 0, 1, 3, positions, 1);
}

// Gradient of the output, input, weight, bias_sizes, stride, …, groups, output_mask.
Work convolution_backward(const Inputs& inputs) {
  const std::optional<bool> is_transposed = flag(inputs.value(7));
  const std::string_view mask = inputs.value(10);
  if (!is_transposed || !are_of_convolution(inputs, 1, 2) || !are_of_convolution(inputs, 0, 2)) return std::nullopt;
  const std::vector<std::string_view> wanted = input_texts(mask);
  if (!mask.starts_with('[') || wanted.size() != 3) return std::nullopt;
  const auto is_wanted = [](std::string_view text) { return flag(text).value_or(text == "1"); };
  return convolution(inputs, 1, 2, 4, positions_of(inputs.shapes[*is_transposed ? 1 : 0]),
                     is_wanted(wanted[0]) + is_wanted(wanted[1]));
}

// ---- attention ----

// Queries, keys and values [sequences, heads, length, width], from this input on.
template <size_t kFirst, int64_t kOfKeys, int64_t kOfValues>
Work attention(const Inputs& inputs) {
  const Shape *queries = inputs.tensor(kFirst, 4), *keys = inputs.tensor(kFirst + 1, 4),
              *values = inputs.tensor(kFirst + 2, 4);
  if (queries == nullptr || keys == nullptr || values == nullptr) return std::nullopt;
  if ((*queries)[3] != (*keys)[3] || (*keys)[2] != (*values)[2]) return std::nullopt;
  int64_t width;
  if (__builtin_add_overflow(product_of({kOfKeys, (*keys)[3]}), product_of({kOfValues, (*values)[3]}), &width))
    return std::nullopt;
  return work_of(inputs, kFirst, kFirst + 1, (*queries)[2], (*keys)[2], width,
                 product_of({(*queries)[0], (*queries)[1]}));
}

constexpr auto kForward = attention<0, 1, 1>;
constexpr auto kBackward = attention<1, 3, 2>;

struct Operator {
  std::string_view name;  // behind "aten::"
  Work (*work)(const Inputs&);
  log::ProductForm form = log::ProductForm::kMatrices;
};

using Form = log::ProductForm;

constexpr Operator kOperators[] = {
    {"mm", matrices<0>},
    {"addmm", matrices<1>},
    {"bmm", batches<0>},
    {"baddbmm", batches<1>},
    {"addbmm", batches<1>},
    {"linear", linear},
    {"_addmm_activation", matrices<1>},
    {"_scaled_mm", matrices<0>},
    {"convolution", convolution_forward, Form::kConvolution},
    {"convolution_backward", convolution_backward, Form::kConvolutionData},
    {"_scaled_dot_product_flash_attention", kForward, Form::kAttention},
    {"_scaled_dot_product_flash_attention_backward", kBackward, Form::kAttentionBackward},
    {"_scaled_dot_product_efficient_attention", kForward, Form::kAttention},
    {"_scaled_dot_product_efficient_attention_backward", kBackward, Form::kAttentionBackward},
    {"_scaled_dot_product_cudnn_attention", kForward, Form::kAttention},
    {"_scaled_dot_product_cudnn_attention_backward", kBackward, Form::kAttentionBackward},
};

constexpr std::string_view kNamespace = "aten::";

const Operator* find_operator(std::string_view name) {
  if (!name.starts_with(kNamespace)) return nullptr;
  name.remove_prefix(kNamespace.size());
  const auto* const found = std::find_if(std::begin(kOperators), std::end(kOperators),
                                         [&](const Operator& known) { return known.name == name; });
  return found == std::end(kOperators) ? nullptr : found;
}

}  // namespace

bool may_multiply(std::string_view operator_name) { return find_operator(operator_name) != nullptr; }

std::optional<MatrixWork> matrix_work(std::string_view operator_name, const EventArgs& args) {
  const Operator* const known = find_operator(operator_name);
  if (known == nullptr || args.input_dims.empty()) return std::nullopt;
  Work work =
      known->work({input_shapes(args.input_dims), input_texts(args.input_types), input_texts(args.input_values)});
  if (work) work->form = known->form;
  return work;
}

}  // namespace tauprof::kineto
