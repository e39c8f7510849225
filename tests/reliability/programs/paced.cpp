// Makes calls for a while, on main and on a thread at a time that starts and ends: paced ROUNDS. A round takes 10 ms.
#include <cstdlib>
#include <thread>

#include "counted_calls.h"

int main(int count, char** arguments) {
  const int rounds = count > 1 ? std::atoi(arguments[1]) : 20;
  programs::use_device();
  for (int i = 0; i < rounds; ++i) {
    std::thread thread([] { programs::make_calls(10); });
    programs::make_calls_slowly(1);
    thread.join();
  }
  cudaDeviceSynchronize();
  return programs::print_calls();
}
