#include "cli/terminal_style.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace tauprof {
namespace {

constexpr size_t kNarrowest = 60, kWidest = 400;

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

size_t width_of_terminal() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const unsigned long columns = std::strtoul(std::string(variable("COLUMNS")).c_str(), nullptr, 10);
  return columns > 0 ? columns : kUsualWidth;
}

}  // namespace

TextStyle style_of_stdout() {
  TextStyle style;
  if (isatty(STDOUT_FILENO) == 0) return style;
  style.width = std::clamp(width_of_terminal(), kNarrowest, kWidest);
  style.is_coloured = variable("NO_COLOR").empty() && variable("TERM") != "dumb";
  return style;
}

}  // namespace tauprof
