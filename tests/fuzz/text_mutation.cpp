#include "fuzz/text_mutation.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace tauprof {
namespace {

constexpr std::string_view kNumbers[] = {"0",
                                         "-1",
                                         "1",
                                         "100000000",
                                         "2147483648",
                                         "4294967295",
                                         "9223372036854775807",
                                         "-9223372036854775808",
                                         "18446744073709551616",
                                         "1e308",
                                         "1e-308",
                                         "NaN",
                                         "1e999",
                                         "0.000000000000000000001",
                                         "1048575",
                                         "99999999999999999999999999"};
constexpr std::string_view kTexts[] = {"\x1b[2J", "\xFF", "\xE2\x80\xAE", "\\u0000", "\"", "{", "[", ",",
                                       ":",       "*",    "\n",           "\r",      "=",  "]", "}"};

class TextMutation : private RandomChoice {
 public:
  TextMutation(std::string& text, Random& random, size_t most) : RandomChoice(random), text_(text), most_(most) {}

  void change() {
    if (text_.empty()) text_ = "0";
    switch (below(8)) {
      case 0:
      case 1:
      case 2:
        return change_number();
      case 3:
        text_[below(text_.size())] = static_cast<char>(random_());
        return;
      case 4:
        text_.insert(below(text_.size()), pick(kTexts));
        return;
      case 5:
        text_.erase(below(text_.size()), below(64));
        return;
      case 6:
        return repeat(1 + below(3));
      default:
        constexpr size_t kTimes[] = {10, 100, 1000, 20'000};
        return repeat(kTimes[below(std::size(kTimes))]);
    }
  }

 private:
  void change_number() {
    const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
    const auto first =
        std::find_if(text_.begin() + static_cast<std::ptrdiff_t>(below(text_.size())), text_.end(), is_digit);
    const auto last = std::find_if_not(first, text_.end(), is_digit);
    text_.replace(first, last, pick(kNumbers));
  }

  // Repeats a part, often a whole line or an object.
  void repeat(size_t times) {
    const size_t start = below(text_.size());
    size_t end = start + 1 + below(200);
    if (const size_t line = text_.find('\n', start); line != text_.npos && below(2) == 0) end = line + 1;
    const std::string part = text_.substr(start, end - start);
    times = std::min(times, (most_ - std::min(most_, text_.size())) / std::max<size_t>(part.size(), 1));
    std::string repeated;
    for (size_t i = 0; i < times; ++i) repeated += part;
    text_.insert(start, repeated);
  }

  std::string& text_;
  const size_t most_;
};

}  // namespace

std::string mutated_text(std::string text, Random& random, size_t most_bytes) {
  for (uint64_t changes = 1 + random() % 6; changes > 0; --changes) TextMutation(text, random, most_bytes).change();
  if (text.size() > most_bytes) text.resize(most_bytes);
  return text;
}

}  // namespace tauprof
