#include "export/kineto_collectives.h"

#include <fmt/format.h>

#include "export/kineto_events.h"
#include "metrics/collectives/communicator_name.h"
#include "model/operation_names.h"

namespace tauprof::kineto_export {
namespace {

using log::DataType;
using log::Operation;

struct Elements {
  int64_t in = 0;
  int64_t out = 0;
};

// The log has what was passed to NCCL: the elements of one rank's part.
Elements elements_of(const CollectiveCall& collective, int64_t size) {
  const int64_t count = collective.count;
  switch (collective.operation) {
    case Operation::kAllGather:
    case Operation::kGather:
      return {count, count * size};
    case Operation::kReduceScatter:
    case Operation::kScatter:
      return {count * size, count};
    case Operation::kAllToAll:
      return {count * size, count * size};
    default:
      return {count, count};
  }
}

bool is_message(Operation operation) { return operation == Operation::kSend || operation == Operation::kReceive; }

}  // namespace

std::string_view torch_type(DataType type) {
  switch (type) {
    case DataType::kFloat32:
      return "Float";
    case DataType::kBfloat16:
      return "BFloat16";
    case DataType::kFloat16:
      return "Half";
    case DataType::kFloat64:
      return "Double";
    case DataType::kInt32:
      return "Int";
    case DataType::kInt64:
      return "Long";
    case DataType::kUint8:
      return "Byte";
    case DataType::kInt8:
      return "Char";
    case DataType::kInt16:
      return "Short";
    case DataType::kUint32:
      return "UInt32";
    case DataType::kUint64:
      return "UInt64";
    case DataType::kComplex64:
      return "ComplexFloat";
    case DataType::kComplex128:
      return "ComplexDouble";
    case DataType::kFloat8E4M3:
      return "Float8_e4m3fn";
    case DataType::kFloat8E5M2:
      return "Float8_e5m2";
    default:
      return {};
  }
}

std::string_view c_type(DataType type) {
  switch (type) {
    case DataType::kFloat32:
      return "float";
    case DataType::kBfloat16:
      return "c10::BFloat16";
    case DataType::kFloat16:
      return "c10::Half";
    case DataType::kFloat64:
      return "double";
    case DataType::kInt32:
      return "int";
    case DataType::kInt64:
      return "long int";
    case DataType::kUint8:
      return "unsigned char";
    case DataType::kInt8:
      return "signed char";
    case DataType::kInt16:
      return "short int";
    case DataType::kComplex64:
      return "c10::complex<float>";
    case DataType::kComplex128:
      return "c10::complex<double>";
    case DataType::kFloat8E4M3:
      return "c10::Float8_e4m3fn";
    case DataType::kFloat8E5M2:
      return "c10::Float8_e5m2";
    default:
      return {};
  }
}

std::string name_of(const Communicator& communicator) {
  if (communicator.name.empty() && communicator.identity == 0) return {};
  return communicator_name(communicator.name, communicator.identity);
}

std::string rank_list(const Communicator& communicator, const std::map<uint64_t, std::vector<int32_t>>& members) {
  std::string list;
  if (!communicator.members.empty()) {
    for (const char character : communicator.members) list += character == ',' ? ", " : std::string(1, character);
  } else if (const auto known = members.find(communicator.identity); known != members.end()) {
    list = fmt::format("{}", fmt::join(known->second, ", "));
  }
  // A log written by another tool may have anything here.
  if (list.find_first_not_of("0123456789, ") != std::string::npos) return {};
  return list.empty() ? list : "[" + list + "]";
}

std::string describe_collective(const CollectiveCall& collective, const Communicator& communicator,
                                const std::map<uint64_t, std::vector<int32_t>>& members) {
  const Operation operation = collective.operation;
  if (operation == Operation::kUnknown || operation == Operation::kSendReceive) return {};
  const int64_t size = communicator.size;
  const Elements elements = elements_of(collective, size);
  std::string text = fmt::format(R"(, "Collective name": "{}", "In msg nelems": {}, "Out msg nelems": {})",
                                 tauprof::name_of(operation), elements.in, elements.out);
  if (size > 0) text += fmt::format(R"(, "Group size": {})", size);
  if (const std::string_view type = torch_type(collective.datatype); !type.empty())
    text += fmt::format(R"(, "dtype": "{}")", type);
  if (const std::string name = name_of(communicator); !name.empty())
    text += fmt::format(R"(, "Process Group Name": {})", json_text(name));
  if (const std::string ranks = rank_list(communicator, members); !ranks.empty())
    text += fmt::format(R"(, "Process Group Ranks": "{}")", ranks);
  if (!is_message(operation) && collective.sequence > 0) text += fmt::format(R"(, "Seq": {})", collective.sequence);
  if (collective.peer >= 0)
    text += fmt::format(R"(, "{}": {})", operation == Operation::kSend ? "Dst Rank" : "Src Rank", collective.peer);
  return text;
}

}  // namespace tauprof::kineto_export
