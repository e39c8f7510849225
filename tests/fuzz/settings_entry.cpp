// Feeds arbitrary lines NAME=VALUE to what the library reads from the environment: its own variables and the
// launchers'.
#include <stdlib.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "capture/settings/configuration.h"
#include "capture/settings/launcher.h"

extern "C" char** environ;

namespace {

template <size_t kSize>
void check_text(const char (&text)[kSize]) {
  if (memchr(text, 0, kSize) == nullptr) abort();
}

template <class Value>
void check_text(const Value&) {}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tauprof::capture;
  std::vector<std::string> lines(1);
  for (const char c : std::string_view(reinterpret_cast<const char*>(data), size))
    if (c == '\n')
      lines.emplace_back();
    else if (c != '\0')
      lines.back() += c;
  std::vector<char*> variables;
  for (std::string& line : lines) variables.push_back(line.data());
  variables.push_back(nullptr);
  char** const own = environ;
  environ = variables.data();
  Configuration configuration;
  is_enabled_by_environment(true);
  read_configuration(configuration);
  check_text(configuration.capture_range.name);
  for_each_setting([&](auto member, const auto&, const SettingNames&) { check_text(configuration.*member); });
  const Placement placement = read_placement();
  check_text(placement.run_id);
  for (const int64_t rank : {int64_t{0}, int64_t{7}, INT64_MAX}) rank_is_listed(configuration.ranks, rank);
  environ = own;
  return 0;
}
