#include "import/collective_names.h"

#include <algorithm>
#include <string>

#include "model/lower_case.h"
#include "model/operation_words.h"

namespace tauprof::kineto {
namespace {

using log::DataType;
using log::Operation;

// "_allgather_base" → "allgatherbase": PyTorch is not consistent with underscores.
std::string letters_of(std::string_view name) {
  std::string letters = lower_case(name);
  std::erase(letters, '_');
  return letters;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

struct TypeName {
  std::string_view name;
  DataType type;
  int64_t bytes;
};

// First as c10::toString spells them; Bool is sent as bytes.
constexpr TypeName kTypeNames[] = {
    {"Float", DataType::kFloat32, 4},
    {"BFloat16", DataType::kBfloat16, 2},
    {"Half", DataType::kFloat16, 2},
    {"Double", DataType::kFloat64, 8},
    {"Int", DataType::kInt32, 4},
    {"Long", DataType::kInt64, 8},
    {"Byte", DataType::kUint8, 1},
    {"Char", DataType::kInt8, 1},
    {"Bool", DataType::kUint8, 1},
    {"Short", DataType::kInt16, 2},
    {"UInt32", DataType::kUint32, 4},
    {"UInt64", DataType::kUint64, 8},
    {"ComplexFloat", DataType::kComplex64, 8},
    {"ComplexDouble", DataType::kComplex128, 16},
    {"Float8_e4m3fn", DataType::kFloat8E4M3, 1},
    {"Float8_e5m2", DataType::kFloat8E5M2, 1},
    // As C++ spells them, among the types of an operator's inputs.
    {"float", DataType::kFloat32, 4},
    {"c10::BFloat16", DataType::kBfloat16, 2},
    {"c10::Half", DataType::kFloat16, 2},
    {"double", DataType::kFloat64, 8},
    {"int", DataType::kInt32, 4},
    {"long", DataType::kInt64, 8},
    {"long int", DataType::kInt64, 8},
    {"unsigned char", DataType::kUint8, 1},
    {"signed char", DataType::kInt8, 1},
    {"bool", DataType::kUint8, 1},
    {"short", DataType::kInt16, 2},
    {"short int", DataType::kInt16, 2},
    {"c10::complex<float>", DataType::kComplex64, 8},
    {"c10::complex<double>", DataType::kComplex128, 16},
    {"c10::Float8_e4m3fn", DataType::kFloat8E4M3, 1},
    {"c10::Float8_e5m2", DataType::kFloat8E5M2, 1},
};

}  // namespace

Operation operation_of(std::string_view collective_name) {
  return operation_in_name(letters_of(collective_name), NameSource::kCall);
}

DataType datatype_of(std::string_view torch_name) {
  for (const TypeName& known : kTypeNames)
    if (known.name == torch_name) return known.type;
  return DataType::kUnknown;
}

int64_t bytes_of(DataType type) {
  const auto known = std::find_if(std::begin(kTypeNames), std::end(kTypeNames),
                                  [type](const TypeName& name) { return name.type == type; });
  return known == std::end(kTypeNames) ? 0 : known->bytes;
}

bool may_carry_out(std::string_view kernel, Operation operation) {
  if (!kernel.starts_with("nccl")) return false;
  if (contains(kernel, "Generic")) return true;  // carries out all calls of a group
  switch (operation) {
    case Operation::kAllReduce:
    case Operation::kBarrier:
      return contains(kernel, "AllReduce");
    case Operation::kAllGather:
      return contains(kernel, "AllGather") || contains(kernel, "Broadcast");
    case Operation::kReduceScatter:
      return contains(kernel, "ReduceScatter") || contains(kernel, "Reduce");
    case Operation::kBroadcast:
      return contains(kernel, "Broadcast");
    case Operation::kReduce:
      return contains(kernel, "Reduce");
    case Operation::kUnknown:
      return false;
    default:
      return contains(kernel, "SendRecv");
  }
}

}  // namespace tauprof::kineto
