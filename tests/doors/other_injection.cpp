// Another tool's library for injection: it says that the driver has called it.
#include <unistd.h>

extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  constexpr char kText[] = "injected\n";
  return write(2, kText, sizeof kText - 1) > 0;
}
