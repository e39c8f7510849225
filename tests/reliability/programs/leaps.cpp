// Leaves hooked calls other than by their return, and goes on making calls: leaps WAY. Prints how many it has made.
//
//   longjmp    siglongjmp out of a host callback
//   signal     siglongjmp from a signal handler that interrupts a hooked call
//   exception  a C++ exception leaves a host callback, and is caught outside of the call
//   fibre      a fibre is left within a host callback; the thread goes on on its first stack, and makes calls there
//   fibres     likewise, and calls go on on a third stack, at lower addresses or higher ones
//   return     as fibre, but the fibre is resumed in the end, and its call returns
//   deep       as longjmp, 500 times, each time from a deeper stack
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include <map>
#include <stdexcept>
#include <string>

#include "counted_calls.h"

namespace {

constexpr size_t kStack = 256 << 10;
sigjmp_buf landing;
ucontext_t thread_context, fibre_context, other_context;

void jump(void*) { siglongjmp(landing, 1); }
void jump_from_signal(int) { siglongjmp(landing, 1); }
void leave_fibre(void*) { swapcontext(&fibre_context, &thread_context); }

void by_longjmp() {
  if (sigsetjmp(landing, 1) == 0) cudaLaunchHostFunc(nullptr, jump, nullptr);
}

void by_signal() {
  struct sigaction action {};
  action.sa_handler = jump_from_signal;
  sigaction(SIGALRM, &action, nullptr);
  // The handler runs within the callback, whatever the timing.
  for (int i = 0; i < 20; ++i)
    if (sigsetjmp(landing, 1) == 0)
      cudaLaunchHostFunc(
          nullptr, [](void*) { raise(SIGALRM); }, nullptr);
}

void by_exception() {
  for (int i = 0; i < 3; ++i) {
    try {
      cudaLaunchHostFunc(
          nullptr, [](void*) { throw std::runtime_error("a callback failed"); }, nullptr);
      std::printf("nothing was thrown\n");
    } catch (const std::exception& error) {
      std::printf("%s\n", error.what());
    }
  }
}

void prepare(ucontext_t& fibre, void (*run)(), char* stack) {
  getcontext(&fibre);
  fibre.uc_stack.ss_sp = stack;
  fibre.uc_stack.ss_size = kStack;
  fibre.uc_link = &thread_context;
  makecontext(&fibre, run, 0);
}

void run_fibre() {
  programs::make_calls(100);
  cudaLaunchHostFunc(nullptr, leave_fibre, nullptr);
  programs::make_calls(100);
}

void run_other() { programs::make_calls(200); }

// The stacks of fibres: two neighbours, so that one is above the other.
char* stacks() {
  static char* const memory =
      static_cast<char*>(mmap(nullptr, 2 * kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  return memory;
}

void enter_fibre(bool is_upper) {
  prepare(fibre_context, run_fibre, stacks() + (is_upper ? kStack : 0));
  swapcontext(&thread_context, &fibre_context);
}

void by_fibres() {
  for (const bool is_upper : {false, true}) {
    enter_fibre(is_upper);
    prepare(other_context, run_other, stacks() + (is_upper ? 0 : kStack));
    swapcontext(&thread_context, &other_context);
  }
}

void by_returning_fibre() {
  enter_fibre(false);
  programs::make_calls(200);
  swapcontext(&thread_context, &fibre_context);
}

void by_deeper_jumps(int depth) {
  volatile char room[512];
  room[0] = static_cast<char>(depth);
  by_longjmp();
  programs::make_calls(1);
  if (depth > 0) by_deeper_jumps(depth - 1);
  room[1] = room[0];
}

const std::map<std::string, void (*)()> kWays = {{"longjmp", by_longjmp},
                                                 {"signal", by_signal},
                                                 {"exception", by_exception},
                                                 {"fibre", [] { enter_fibre(false); }},
                                                 {"fibres", by_fibres},
                                                 {"return", by_returning_fibre},
                                                 {"deep", [] { by_deeper_jumps(500); }}};

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return 2;
  programs::use_device();
  programs::make_calls(100);
  kWays.at(arguments[1])();
  programs::make_calls(1000);
  usleep(150'000);
  programs::make_calls(1000);
  cudaDeviceSynchronize();
  return programs::print_calls();
}
