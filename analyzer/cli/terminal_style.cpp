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

// COLUMNS is what the user asks for, also where the text goes to a file.
size_t width_of_stdout() {
  const unsigned long columns = std::strtoul(std::string(variable("COLUMNS")).c_str(), nullptr, 10);
  if (columns > 0) return columns;
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsualWidth;
}

}  // namespace

TextStyle style_of_stdout() {
  TextStyle style;
  style.width = std::clamp(width_of_stdout(), kNarrowest, kWidest);
  style.is_coloured = isatty(STDOUT_FILENO) != 0 && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
  return style;
}

}  // namespace tauprof
