// The machine's devices that this process sees. CUDA_VISIBLE_DEVICES lists indices or prefixes of UUIDs. The list ends
// at the first entry that names no device or repeats one.
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "simgpu/engine/config.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/settings/random_bits.h"

namespace simgpu {
namespace {

std::string uuid_text(int physical) {
  std::string text = "GPU-";
  const auto uuid = device_uuid(physical);
  for (std::size_t i = 0; i < uuid.size(); ++i) {
    constexpr char kDigits[] = "0123456789abcdef";
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += kDigits[uuid[i] >> 4];
    text += kDigits[uuid[i] & 15];
  }
  return text;
}

// -1: `entry` names no device.
int named_device(std::string_view entry, int devices) {
  if (entry.starts_with("GPU-") && entry.size() > 4) {
    for (int physical = 0; physical < devices; ++physical)
      if (uuid_text(physical).starts_with(entry)) return physical;
    return -1;
  }
  int index = -1;
  const auto [end, error] = std::from_chars(entry.data(), entry.data() + entry.size(), index);
  const bool is_index = error == std::errc() && end == entry.data() + entry.size();
  return is_index && index < devices ? index : -1;
}

std::vector<int> listed_devices(std::string_view list, int devices) {
  std::vector<int> visible;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    std::string_view entry = list.substr(0, comma);
    while (!entry.empty() && entry.front() == ' ') entry.remove_prefix(1);
    while (!entry.empty() && entry.back() == ' ') entry.remove_suffix(1);
    const int device = named_device(entry, devices);
    if (device < 0 || std::count(visible.begin(), visible.end(), device) > 0) break;
    visible.push_back(device);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return visible;
}

const std::vector<int>& visible_devices() {
  static const std::vector<int>& visible = *[] {
    const int devices = config().devices;
    if (const char* list = std::getenv("CUDA_VISIBLE_DEVICES")) return new std::vector(listed_devices(list, devices));
    auto* all = new std::vector<int>;
    for (int device = 0; device < devices; ++device) all->push_back(device);
    return all;
  }();
  return visible;
}

}  // namespace

int device_count() { return static_cast<int>(visible_devices().size()); }

int physical_device(int device) {
  const auto& visible = visible_devices();
  return device >= 0 && device < static_cast<int>(visible.size()) ? visible[static_cast<std::size_t>(device)] : device;
}

std::array<unsigned char, 16> device_uuid(int physical) {
  std::array<unsigned char, 16> uuid{};
  for (std::uint64_t half = 0; half < 2; ++half) {
    const std::uint64_t bits = mixed_bits(0x75756964, 2 * static_cast<std::uint64_t>(physical) + half);
    std::memcpy(uuid.data() + 8 * half, &bits, sizeof bits);
  }
  uuid[6] = static_cast<unsigned char>((uuid[6] & 0x0f) | 0x40);  // RFC 4122: random
  uuid[8] = static_cast<unsigned char>((uuid[8] & 0x3f) | 0x80);
  return uuid;
}

}  // namespace simgpu
