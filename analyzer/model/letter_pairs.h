// Which pairs of letters stand next to each other in a text: what tells of nearly every word of a long list, at the
// word's first or second pair, that the text does not have it. Case does not matter.
#pragma once

#include <bitset>
#include <string_view>

namespace tauprof {

class LetterPairs {
 public:
  explicit LetterPairs(std::string_view text) {
    for (size_t i = 1; i < text.size(); ++i) has_.set(place(text[i - 1], text[i]));
  }

  // False: the word is surely not in the text.
  bool may_have(std::string_view word) const {
    for (size_t i = 1; i < word.size(); ++i)
      if (!has_[place(word[i - 1], word[i])]) return false;
    return true;
  }

  // False: the text surely does not fit the pattern, in which `*` and `?` stand for other letters.
  bool may_fit(std::string_view pattern) const {
    for (size_t i = 1; i < pattern.size(); ++i)
      if (!is_open(pattern[i - 1]) && !is_open(pattern[i]) && !has_[place(pattern[i - 1], pattern[i])]) return false;
    return true;
  }

 private:
  static constexpr size_t kLetters = 32;  // the lower bits of a letter, which its case does not change
  static bool is_open(char letter) { return letter == '*' || letter == '?'; }
  static size_t place(char first, char second) {
    return static_cast<unsigned char>(first) % kLetters * kLetters + static_cast<unsigned char>(second) % kLetters;
  }

  std::bitset<kLetters * kLetters> has_;
};

}  // namespace tauprof
