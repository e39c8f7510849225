// The page without its data, as the build puts it together (assemble_page.cmake). The data goes where @report@ and then
// @timeline@ first stand.
#pragma once

#include <string_view>

namespace tauprof {

std::string_view embedded_page();

}  // namespace tauprof
