#include "model/demangled_name.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace tauprof {

std::string demangled_name(std::string name) {
  if (name.rfind("_Z", 0) != 0) return name;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 && text ? std::string(text.get()) : name;
}

}  // namespace tauprof
