// Name patterns of users: `*` matches any characters, `?` matches one.
#pragma once

#include <string_view>

namespace tauprof {

// Backtracks only to the newest star, which then matches one character more.
inline bool matches_glob(std::string_view glob, std::string_view text) {
  size_t at = 0, in_glob = 0, star = glob.npos, resume = 0;
  while (at < text.size()) {
    if (in_glob < glob.size() && glob[in_glob] == '*') {
      star = in_glob++;
      resume = at;
    } else if (in_glob < glob.size() && (glob[in_glob] == '?' || glob[in_glob] == text[at])) {
      ++in_glob, ++at;
    } else if (star != glob.npos) {
      in_glob = star + 1;
      at = ++resume;
    } else {
      return false;
    }
  }
  return glob.find_first_not_of('*', in_glob) == glob.npos;
}

}  // namespace tauprof
