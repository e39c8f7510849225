// A program of root's that acts for a moment, again and again, as somebody who may not write the log: changes_user
// MILLISECONDS. Each time it stays that user for so long.
#include <unistd.h>

#include <cstdlib>

#include "counted_calls.h"

int main(int count, char** arguments) {
  if (count < 2) return 2;
  constexpr uid_t kNobody = 65534;
  programs::use_device();
  programs::make_calls_slowly(20);
  for (int i = 0; i < 3; ++i) {
    if (setegid(kNobody) != 0 || seteuid(kNobody) != 0) return 3;
    programs::make_calls(10);
    usleep(static_cast<useconds_t>(std::atoi(arguments[1]) * 1000));
    if (seteuid(0) != 0 || setegid(0) != 0) return 3;
    programs::make_calls_slowly(30);
  }
  return programs::print_calls();
}
