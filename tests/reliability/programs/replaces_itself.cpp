// Replaces itself by another program after it has used the device: replaces_itself main|thread COMMAND [ARGUMENT…].
// Prints how many calls it has made before.
#include <unistd.h>

#include <cstring>
#include <thread>

#include "counted_calls.h"

int main(int count, char** arguments) {
  if (count < 3) return 2;
  programs::use_device();
  programs::make_calls_slowly(40);
  programs::make_calls(500);
  programs::print_calls();
  const auto replace = [&] { execvp(arguments[2], arguments + 2); };
  if (std::strcmp(arguments[1], "thread") == 0) std::thread(replace).join();
  replace();
  return 3;
}
