#include "cli/nearest_word.h"

#include <algorithm>
#include <cstddef>

namespace tauprof {
namespace {

// Optimal string alignment: Levenshtein's distance with exchanges of neighbours.
size_t edits_between(const std::string& a, const std::string& b) {
  std::vector<std::vector<size_t>> edits(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) edits[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) edits[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i)
    for (size_t j = 1; j <= b.size(); ++j) {
      edits[i][j] = std::min({edits[i - 1][j] + 1, edits[i][j - 1] + 1, edits[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
    }
  return edits[a.size()][b.size()];
}

}  // namespace

std::string nearest_word(const std::string& misspelt, const std::vector<std::string>& words) {
  constexpr size_t kLongest = 64;
  if (misspelt.size() > kLongest) return {};
  std::string nearest;
  size_t fewest = std::max<size_t>(1, misspelt.size() / 3) + 1;
  for (const std::string& word : words) {
    const size_t edits = edits_between(misspelt, word);
    if (edits >= fewest) continue;
    fewest = edits;
    nearest = word;
  }
  return nearest;
}

}  // namespace tauprof
