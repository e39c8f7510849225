// errno is the program's: what the recorder does beside a call must not be seen in it.
#pragma once

#include <errno.h>

namespace tauprof::capture {

class KeptErrno {
 public:
  KeptErrno() : before_(errno) {}
  ~KeptErrno() { errno = before_; }
  KeptErrno(const KeptErrno&) = delete;
  KeptErrno& operator=(const KeptErrno&) = delete;

 private:
  const int before_;
};

}  // namespace tauprof::capture
