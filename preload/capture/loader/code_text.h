// Which texts the code of a loaded object refers to.
#pragma once

#include <link.h>
#include <stdint.h>

namespace tauprof::capture {

// True if the function that contains `address` takes the address of a text of the object that equals this one. The
// function's bounds come from the object's unwind table; without one, all its code counts. Reads memory of the object
// alone, which must stay loaded meanwhile.
bool function_refers_to(const dl_phdr_info& object, uint64_t address, const char* text);

}  // namespace tauprof::capture
