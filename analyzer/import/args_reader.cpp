#include "import/args_reader.h"

#include <charconv>
#include <cmath>

#include "import/decimal.h"

namespace tauprof::kineto {
namespace {

void read_number(std::string_view token, MaybeNumber& number) {
  const std::optional<int64_t> value = nearest_integer(trimmed(token));
  number = {value.value_or(0), value.has_value()};
}

std::optional<double> finite_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
  return is_number ? std::optional(value) : std::nullopt;
}

// "[512, 1, 1]". Anything that is no number counts as 0.
void read_triple(const char* text, int64_t (&triple)[3]) {
  if (*text != '[') return;
  for (int64_t& value : triple) {
    ++text;
    while (*text == ' ' || *text == '\n' || *text == '\t' || *text == '\r') ++text;
    const char* end = text;
    while (*end >= '0' && *end <= '9') ++end;
    value = integer({text, static_cast<size_t>(end - text)}).value_or(0);
    while (*end == ' ' || *end == '\n' || *end == '\t' || *end == '\r') ++end;
    if (*end != ',') return;
    text = end;
  }
}

// A list, written as text or as JSON. It has an end, as the brackets of an event match.
std::string_view list_in(std::string_view token) {
  if (!token.starts_with('[')) return string_in(token);
  size_t size = 1;
  while (token.data()[size - 1] != ']') ++size;
  return {token.data(), size};
}

// A list of lists. Brackets in texts do not count.
std::string_view nested_list_in(std::string_view token) {
  if (!token.starts_with('[')) return string_in(token);
  const char* end = token.data();
  bool is_text = false;
  for (int depth = 0;; ++end) {
    if (*end == '\\' || *end == '}' || *end == '\0') return {};  // no list of shapes or types
    if (*end == '"') is_text = !is_text;
    if (is_text) continue;
    if (*end == '[') ++depth;
    if (*end == ']' && --depth == 0) break;
  }
  return {token.data(), static_cast<size_t>(end + 1 - token.data())};
}

void read_inputs(const char* key, std::string_view token, EventArgs& args) {
  if (is_key(key, "Input Dims"))
    args.input_dims = nested_list_in(token);
  else if (is_key(key, "Input type"))
    args.input_types = nested_list_in(token);
  else if (is_key(key, "Concrete Inputs"))
    args.input_values = nested_list_in(token);
}

// All arguments of a collective start with a capital letter.
void read_collective(const char* key, std::string_view token, CollectiveArgs& args) {
  switch (key[0]) {
    case 'C':
      if (is_key(key, "Collective name")) args.name = string_in(token);
      break;
    case 'I':
      if (is_key(key, "In msg nelems"))
        read_number(token, args.in_elements);
      else if (is_key(key, "In split size"))
        args.in_split = list_in(token);
      break;
    case 'O':
      if (is_key(key, "Out msg nelems"))
        read_number(token, args.out_elements);
      else if (is_key(key, "Out split size"))
        args.out_split = list_in(token);
      break;
    case 'G':
      if (is_key(key, "Group size")) read_number(token, args.group_size);
      break;
    case 'P':
      if (is_key(key, "Process Group Name"))
        args.group_name = string_in(token);
      else if (is_key(key, "Process Group Ranks"))
        args.group_ranks = list_in(token);
      break;
    case 'R':
      if (is_key(key, "Rank") || is_key(key, "Root Rank")) read_number(token, args.root);
      break;
    case 'S':
      if (is_key(key, "Seq"))
        read_number(token, args.sequence);
      else if (is_key(key, "Src Rank"))
        read_number(token, args.source_rank);
      break;
    default:
      break;
  }
}

void read_memory_event(const char* key, std::string_view token, EventArgs& args) {
  if (is_key(key, "Addr"))
    read_number(token, args.address);
  else if (is_key(key, "Bytes"))
    read_number(token, args.bytes);
  else if (is_key(key, "Total Allocated"))
    read_number(token, args.total_allocated);
  else if (is_key(key, "Device Id"))
    read_number(token, args.device_id);
  else if (is_key(key, "Device Type"))
    read_number(token, args.device_type);
}

void read_autograd(const char* key, std::string_view token, EventArgs& args) {
  if (is_key(key, "Sequence number"))
    read_number(token, args.autograd_sequence);
  else if (is_key(key, "Fwd thread id"))
    read_number(token, args.forward_thread);
}

void read_capital(const char* key, std::string_view token, EventArgs& args) {
  if (is_key(key, "External id")) return read_number(token, args.external_id);
  if (is_key(key, "Dst Rank")) return read_number(token, args.collective.destination_rank);
  if ((key[0] == 'I' && key[2] == 'p') || (key[0] == 'C' && key[3] == 'c')) read_inputs(key, token, args);
  read_collective(key, token, args.collective);
  if (key[0] == 'S' || key[0] == 'F') read_autograd(key, token, args);
  if (key[0] == 'A' || key[0] == 'B' || key[0] == 'T' || key[0] == 'D') read_memory_event(key, token, args);
}

void read_lower(const char* key, std::string_view token, EventArgs& args) {
  switch (key[0]) {
    case 'b':
      if (is_key(key, "bytes"))
        read_number(token, args.bytes);
      else if (is_key(key, "block"))
        read_triple(token.data(), args.block);
      break;
    case 'c':
      if (is_key(key, "correlation"))
        read_number(token, args.correlation);
      else if (is_key(key, "context"))
        read_number(token, args.context);
      break;
    case 'd':
      if (is_key(key, "device"))
        read_number(token, args.device);
      else if (is_key(key, "dtype"))
        args.collective.datatype = string_in(token);
      break;
    case 'g':
      if (is_key(key, "grid"))
        read_triple(token.data(), args.grid);
      else if (is_key(key, "graph id"))
        read_number(token, args.graph);
      else if (is_key(key, "graph node id"))
        read_number(token, args.graph_node);
      break;
    case 'm':
      if (is_key(key, "memory bandwidth (GB/s)")) args.bandwidth = finite_number(trimmed(token));
      break;
    case 'r':
      if (is_key(key, "registers per thread")) read_number(token, args.registers);
      break;
    case 's':
      if (is_key(key, "stream"))
        read_number(token, args.stream);
      else if (is_key(key, "shared memory"))
        read_number(token, args.shared_memory);
      break;
    default:
      break;
  }
}

void read_rare(const char* key, std::string_view token, EventArgs& args) {
  if (is_key(key, "name"))
    args.name = string_in(token);
  else if (is_key(key, "external id"))
    read_number(token, args.external_id);
  else if (is_key(key, "fromDevice"))
    read_number(token, args.from_device);
  else if (is_key(key, "inDevice"))
    read_number(token, args.in_device);
  else if (is_key(key, "inContext"))
    read_number(token, args.context);
  else if (is_key(key, "toDevice"))
    read_number(token, args.to_device);
}

}  // namespace

bool read_autograd_args(simdjson::ondemand::object object, EventArgs& args) {
  for (auto result : object) {
    simdjson::ondemand::field field;
    if (std::move(result).get(field) != simdjson::SUCCESS) return false;
    read_autograd(field.key().raw(), field.value().raw_json_token(), args);
  }
  return true;
}

bool read_args(simdjson::ondemand::object object, EventArgs& args) {
  for (auto result : object) {
    simdjson::ondemand::field field;
    if (std::move(result).get(field) != simdjson::SUCCESS) return false;
    const char* key = field.key().raw();
    const std::string_view token = field.value().raw_json_token();
    if (key[0] >= 'A' && key[0] <= 'Z')
      read_capital(key, token, args);
    else if (key[0] == 'n' || key[0] == 'e' || key[0] == 'f' || key[0] == 'i' || key[0] == 't')
      read_rare(key, token, args);
    else
      read_lower(key, token, args);
  }
  return true;
}

}  // namespace tauprof::kineto
