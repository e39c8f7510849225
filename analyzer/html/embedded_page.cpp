#include "html/page_parts.h"
#include "page_hash.inc"

// The assembler reads the file. TAUPROF_PAGE is its path.
asm(".pushsection .rodata\n"
    ".global tauprof_page_start\n"
    ".global tauprof_page_end\n"
    "tauprof_page_start:\n"
    ".incbin \"" TAUPROF_PAGE
    "\"\n"
    "tauprof_page_end:\n"
    ".asciz \"" TAUPROF_PAGE_HASH
    "\"\n"
    ".popsection\n");

extern "C" {
extern const char tauprof_page_start[];
extern const char tauprof_page_end[];
}

namespace tauprof {

std::string_view embedded_page() {
  return {tauprof_page_start, static_cast<size_t>(tauprof_page_end - tauprof_page_start)};
}

}  // namespace tauprof
