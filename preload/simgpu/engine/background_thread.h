// Threads of the simulation and of the libraries in front of it, as the driver and CUPTI have them: the program's
// signal handlers never run there, and nobody waits for their end.
#pragma once

#include <pthread.h>

#include <csignal>
#include <thread>
#include <utility>

namespace simgpu {

template <typename Body>
void start_background_thread(Body body) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread(std::move(body)).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace simgpu
