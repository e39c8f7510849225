// Whether a thread that is inside a system call is there for libtauprof.so.
//
// The call is the recorder's if the innermost frame outside the C library and the loader is in libtauprof.so: a real
// function that a hook called may make system calls, too, and these are not. Where every frame is in the C library (a
// thread that starts or ends), and where the tables do not lead on, the thread's name tells.
#pragma once

#include <sys/types.h>

#include <string>

namespace refuse {

bool is_call_of_recorder(pid_t thread);
std::string name_of(pid_t thread);

}  // namespace refuse
