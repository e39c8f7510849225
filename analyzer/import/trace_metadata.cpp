#include "import/trace_metadata.h"

#include <simdjson.h>

#include "import/args_reader.h"
#include "import/decimal.h"
#include "import/json_text.h"

namespace tauprof::kineto {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr size_t kMaxGroupRanks = 1u << 20;

int64_t number_of(std::string_view token) { return nearest_integer(trimmed(token)).value_or(0); }
std::string text_of(std::string_view token) { return unescape(string_in(token)); }

// Calls visit(key, value) for each member of an object.
template <class Visit>
void for_each_member(ondemand::value& value, const Visit& visit) {
  ondemand::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) return;
  for (auto result : object) {
    ondemand::field field;
    if (std::move(result).get(field) != simdjson::SUCCESS) return;
    visit(field.key().raw(), field.value());
  }
}

template <class Visit>
void for_each_element(ondemand::value& value, const Visit& visit) {
  ondemand::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS) return;
  for (auto result : array) {
    ondemand::value element;
    if (std::move(result).get(element) != simdjson::SUCCESS) return;
    visit(element);
  }
}

void read_group(ondemand::value& value, TraceMetadata& metadata) {
  std::string name;
  std::vector<int64_t> ranks;
  for_each_member(value, [&](const char* key, ondemand::value& member) {
    if (is_key(key, "pg_name"))
      name = text_of(member.raw_json_token());
    else if (is_key(key, "ranks"))
      for_each_element(member, [&](ondemand::value& rank) {
        if (ranks.size() < kMaxGroupRanks) ranks.push_back(integer(trimmed(rank.raw_json_token())).value_or(-1));
      });
  });
  if (!name.empty() && !ranks.empty()) metadata.groups[name] = std::move(ranks);
}

void read_distributed(ondemand::value& value, TraceMetadata& metadata) {
  for_each_member(value, [&](const char* key, ondemand::value& member) {
    const std::string_view token = member.raw_json_token();
    if (is_key(key, "rank"))
      metadata.rank = integer(trimmed(token)).value_or(-1);
    else if (is_key(key, "world_size"))
      metadata.world_size = number_of(token);
    else if (is_key(key, "backend"))
      metadata.backend = text_of(token);
    else if (is_key(key, "nccl_version"))
      metadata.nccl_version = text_of(token);
    else if (is_key(key, "pg_config"))
      for_each_element(member, [&](ondemand::value& group) { read_group(group, metadata); });
  });
}

void read_device(ondemand::value& value, TraceMetadata& metadata) {
  int64_t id = -1;
  DeviceProperties device;
  for_each_member(value, [&](const char* key, ondemand::value& member) {
    const std::string_view token = member.raw_json_token();
    if (is_key(key, "id"))
      id = integer(trimmed(token)).value_or(-1);
    else if (is_key(key, "name"))
      device.name = text_of(token);
    else if (is_key(key, "numSms"))
      device.sm_count = number_of(token);
    else if (is_key(key, "totalGlobalMem"))
      device.memory_bytes = number_of(token);
    else if (is_key(key, "computeMajor"))
      device.compute_major = number_of(token);
    else if (is_key(key, "computeMinor"))
      device.compute_minor = number_of(token);
  });
  if (id >= 0) metadata.devices[id] = std::move(device);
}

}  // namespace

void TraceMetadata::read(std::string_view key, std::string_view value) {
  if (key == "baseTimeNanoseconds") base_time_ns = number_of(value);
  if (key == "traceName") trace_name = text_of(value);
  const bool is_distributed = key == "distributedInfo", is_devices = key == "deviceProperties";
  if (!is_distributed && !is_devices) return;
  // In an array of one, because simdjson treats a root value differently.
  const simdjson::padded_string text(std::string("[").append(value).append("]"));
  ondemand::parser parser;
  ondemand::document document;
  ondemand::array root;
  if (parser.iterate(text).get(document) != simdjson::SUCCESS || document.get_array().get(root) != simdjson::SUCCESS)
    return;
  for (auto result : root) {
    ondemand::value member;
    if (std::move(result).get(member) != simdjson::SUCCESS) return;
    if (is_distributed)
      read_distributed(member, *this);
    else
      for_each_element(member, [this](ondemand::value& device) { read_device(device, *this); });
  }
}

}  // namespace tauprof::kineto
