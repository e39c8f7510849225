#include "classify/elementwise_kernel.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "classify/template_arguments.h"

namespace tauprof {
namespace {

using std::string_view;
using Between = ElementwiseKernel::Between;
using Arguments = std::vector<string_view>;

constexpr string_view kVectorized = "at::native::vectorized_elementwise_kernel<";
constexpr string_view kUnrolled = "at::native::unrolled_elementwise_kernel<";
constexpr string_view kStrided = "at::native::elementwise_kernel<";

constexpr Between kAnyType = {1, 16};
constexpr double kElementsOfAThread = 4;  // wherever a name and the rule of vectors of eight say nothing else
constexpr double kByTheRule = 8, kByTheRuleOfOneByte = 16;

Between operator+(Between a, Between b) { return {a.least + b.least, a.most + b.most}; }
Between operator*(Between a, double times) { return {a.least * times, a.most * times}; }

struct TypeSize {
  string_view name;
  double bytes;
};

constexpr TypeSize kTypeSizes[] = {
    {"bool", 1},
    {"char", 1},
    {"signed char", 1},
    {"unsigned char", 1},
    {"short", 2},
    {"unsigned short", 2},
    {"int", 4},
    {"unsigned int", 4},
    {"long", 8},
    {"unsigned long", 8},
    {"long long", 8},
    {"unsigned long long", 8},
    {"float", 4},
    {"double", 8},
    {"c10::Half", 2},
    {"c10::BFloat16", 2},
    {"c10::Float8_e4m3fn", 1},
    {"c10::Float8_e5m2", 1},
    {"c10::complex<float>", 8},
    {"c10::complex<double>", 16},
    {"c10::complex<c10::Half>", 4},
};

// 0: a type that is not known.
double size_of(string_view type) {
  const auto* const known =
      std::find_if(std::begin(kTypeSizes), std::end(kTypeSizes), [&](const TypeSize& one) { return one.name == type; });
  return known == std::end(kTypeSizes) ? 0 : known->bytes;
}

Between type(string_view name) {
  const double size = size_of(name);
  return size > 0 ? Between{size, size} : kAnyType;
}

// 0: no number.
int64_t number_in(string_view text) {
  int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// "std::array<char*, 3ul>", before PyTorch 2.5 "at::detail::Array<char*, 3>"; 0: something else.
int64_t tensors_of(string_view array) {
  for (const string_view word : {"array<", "Array<"})
    if (const Arguments arguments = template_arguments(array, word); arguments.size() == 2)
      return number_in(arguments[1]);
  return 0;
}

struct Function {
  std::vector<Between> inputs;
  Between result = kAnyType;
};

// Of "{lambda(float, c10::BFloat16)#1}", the innermost if one is defined in another; nvcc's own demangler writes
// "[lambda(float) (instance 1)]". The name does not say what it returns, but what is wider than its inputs is at most a
// complex number of them, or a number of eight bytes.
std::optional<Function> lambda_of(string_view name) {
  constexpr string_view kLambda = "lambda(";
  const size_t at = name.rfind(kLambda);
  if (at == name.npos) return std::nullopt;
  name.remove_prefix(at + kLambda.size());
  const size_t end = name.find(')');
  if (end == name.npos) return std::nullopt;
  Function function;
  double most = 8;
  std::string list(name.substr(0, end));
  if (list.empty()) return function;
  list += '>';
  for (const string_view input : template_arguments(list, "")) {
    function.inputs.push_back(type(input));
    most = std::max(most, 2 * function.inputs.back().most);
  }
  function.result.most = std::min(most, kAnyType.most);
  return function;
}

// A class template of PyTorch: which of its arguments are the types of its inputs and of its result.
struct Functor {
  string_view name;
  size_t input_count;
  size_t first_input;
  size_t result;
};

constexpr Functor kFunctors[] = {
    {"at::native::FillFunctor<", 0, 0, 0},
    {"at::native::CUDAFunctor_add<", 2, 0, 0},
    {"at::native::CUDAFunctorOnSelf_add<", 1, 0, 0},
    {"at::native::CUDAFunctorOnOther_add<", 1, 0, 0},
    {"at::native::BinaryFunctor<", 2, 0, 2},
    {"at::native::AUnaryFunctor<", 1, 1, 2},  // the first operand is a number
    {"at::native::BUnaryFunctor<", 1, 0, 2},
};

std::optional<Function> function_of(string_view name) {
  for (const Functor& functor : kFunctors) {
    if (!name.starts_with(functor.name)) continue;
    const Arguments types = template_arguments(name, functor.name);
    if (types.size() <= functor.result) return std::nullopt;
    Function function;
    for (size_t i = 0; i < functor.input_count; ++i)  // of a sum they have one type
      function.inputs.push_back(type(types[std::min(functor.first_input + i, functor.result)]));
    function.result = type(types[functor.result]);
    return function;
  }
  return lambda_of(name);
}

Between sum_of(const std::vector<Between>& sizes) {
  Between sum;
  for (const Between size : sizes) sum = sum + size;
  return sum;
}

std::optional<ElementwiseKernel> vectorized(const Arguments& arguments, bool by_the_rule) {
  // A fourth argument that is true: a thread has as many elements as make 128 bytes of input (compute capability 10.7).
  if (arguments.size() < 3 || (arguments.size() > 3 && arguments[3] != "false")) return std::nullopt;
  std::optional<Function> function = function_of(arguments[1]);
  if (!function || tensors_of(arguments[2]) != static_cast<int64_t>(function->inputs.size()) + 1) return std::nullopt;
  // A vector has at most 16 bytes of the result, and eight elements only of such that have two bytes.
  if (number_in(arguments[0]) == 8) function->result = {2, 2};
  const bool only_writes = function->inputs.empty();
  ElementwiseKernel kernel;
  kernel.bytes = sum_of(function->inputs) + function->result;
  kernel.of_thread.most = only_writes && function->result.least == 1 ? kByTheRuleOfOneByte : kByTheRule;
  kernel.of_thread.least = !by_the_rule                                ? kElementsOfAThread
                           : only_writes && function->result.most == 1 ? kByTheRuleOfOneByte
                                                                       : kByTheRule;
  return kernel;
}

// One whose tensors lie one element after the other, but too badly aligned for vectors, or that converts their types.
std::optional<ElementwiseKernel> unrolled(const Arguments& arguments) {
  constexpr size_t kWithElements = 7;  // arguments, the third being the elements of a thread
  if (arguments.size() + 1 < kWithElements || arguments.size() > kWithElements) return std::nullopt;
  const bool has_elements = arguments.size() == kWithElements;
  const int64_t elements = has_elements ? number_in(arguments[2]) : static_cast<int64_t>(kElementsOfAThread);
  const int64_t tensors = tensors_of(arguments[1]);
  if (elements <= 0 || tensors <= 0) return std::nullopt;
  ElementwiseKernel kernel;
  kernel.of_thread = {static_cast<double>(elements), static_cast<double>(elements)};
  kernel.bytes = kAnyType * static_cast<double>(tensors);
  const bool converts = arguments[arguments.size() - 2].find("LoadWithoutCast") == string_view::npos;
  const std::optional<Function> function = converts ? std::nullopt : function_of(arguments[0]);
  if (function && tensors == static_cast<int64_t>(function->inputs.size()) + 1)
    kernel.bytes = sum_of(function->inputs) + function->result;
  return kernel;
}

// One that computes where each element lies, so an input may have one value for many elements.
std::optional<ElementwiseKernel> strided(const Arguments& arguments) {
  constexpr int64_t kThreads = 128;
  if (arguments.size() != 3 || number_in(arguments[0]) != kThreads) return std::nullopt;
  const int64_t elements = number_in(arguments[1]);
  const Arguments of_function = template_arguments(arguments[2], "at::native::gpu_kernel_impl_nocast<");
  if (elements <= 0 || of_function.size() != 1) return std::nullopt;
  const std::optional<Function> function = function_of(of_function[0]);
  if (!function) return std::nullopt;
  ElementwiseKernel kernel;
  kernel.of_thread = {static_cast<double>(elements), static_cast<double>(elements)};
  kernel.bytes = {function->result.least, sum_of(function->inputs).most + function->result.most};
  return kernel;
}

}  // namespace

bool tells_elements_of_a_thread(string_view kernel_name) {
  const Arguments arguments = template_arguments(kernel_name, kVectorized);
  return !arguments.empty() && number_in(arguments[0]) == 8;
}

std::optional<ElementwiseKernel> elementwise_kernel_of(string_view kernel_name, bool by_that_rule) {
  if (kernel_name.find("elementwise_kernel<") == kernel_name.npos) return std::nullopt;
  if (const Arguments arguments = template_arguments(kernel_name, kVectorized); !arguments.empty())
    return vectorized(arguments, by_that_rule);
  if (const Arguments arguments = template_arguments(kernel_name, kUnrolled); !arguments.empty())
    return unrolled(arguments);
  return strided(template_arguments(kernel_name, kStrided));
}

}  // namespace tauprof
