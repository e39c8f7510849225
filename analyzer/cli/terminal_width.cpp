#include "cli/terminal_width.h"

#include <sys/ioctl.h>

#include <algorithm>
#include <cstdlib>

#include "report/text_style.h"

namespace tauprof {
namespace {

constexpr size_t kNarrowest = 60, kWidest = 400;

size_t asked_or_found(int file) {
  const char* const asked = std::getenv("COLUMNS");
  const unsigned long columns = asked == nullptr ? 0 : std::strtoul(asked, nullptr, 10);
  if (columns > 0) return columns;
  winsize size{};
  return ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsualWidth;
}

}  // namespace

size_t terminal_width(int file) { return std::clamp(asked_or_found(file), kNarrowest, kWidest); }

}  // namespace tauprof
