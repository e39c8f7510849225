#include "capture/rows/masked_command.h"

#include <string.h>

namespace tauprof::capture {
namespace {

// Last parts of names, in lower case. An asterisk stands for any start: "hftoken", but not "tokenizer".
constexpr const char* kSecretWords[] = {
    "*token",      "*secret", "*secrets", "*password",    "*passwords",    "*passwd",    "*passphrase",
    "*pwd",        "pass",    "key",      "*apikey",      "*accesskey",    "*secretkey", "*privatekey",
    "*credential", "auth",    "bearer",   "*credentials", "authorization", "cookie",
};
// Words before the secret itself: "Authorization: Bearer …".
constexpr const char* kSchemes[] = {"bearer", "basic", "digest", "token"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_quote(char c) { return c == '"' || c == '\''; }
bool is_of_name(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '.'; }
char lower(char c) { return is_upper(c) ? static_cast<char>(c + ('a' - 'A')) : c; }

struct Span {
  const char* at;
  const char* end;

  size_t size() const { return static_cast<size_t>(end - at); }
  bool is_empty() const { return at == end; }
};

bool ends_with(const Span& text, const char* word) {
  const size_t size = strlen(word);
  if (text.size() < size) return false;
  for (size_t i = 0; i < size; ++i)
    if (lower(text.end[i - size]) != word[i]) return false;
  return true;
}

bool is_word(const Span& text, const char* word) { return text.size() == strlen(word) && ends_with(text, word); }

// "KEY" of "S3_KEY_2", "Token" of "accessToken".
Span last_part(Span name) {
  while (!name.is_empty() && !is_letter(name.end[-1])) --name.end;
  const char* start = name.end;
  while (start > name.at && is_letter(start[-1])) {
    --start;
    if (start > name.at && is_upper(*start) && is_letter(start[-1]) && !is_upper(start[-1])) break;
  }
  return {start, name.end};
}

// Copies a command line and masks on the way.
class MaskedCommand {
 public:
  MaskedCommand(char* text, size_t room) : start_(text), to_(text), end_(text + room) {}

  void add_argument(Span argument) {
    if (to_ != start_) put(' ');
    if (is_next_secret_ && !is_option(argument)) {
      is_next_secret_ = false;
      return mask(argument);
    }
    is_next_secret_ = false;
    argument_start_ = argument.at;
    while (!argument.is_empty()) argument.at = copy_some(argument);
  }
  size_t size() const { return static_cast<size_t>(to_ - start_); }

 private:
  void put(char c) {
    if (to_ < end_) *to_++ = c;
  }
  void copy(const char* from, const char* to) {
    for (; from < to; ++from) put(*from);
  }
  void mask(const Span& value) {
    for (int i = 0; i < 3 && !value.is_empty(); ++i) put('*');
  }
  // "-abc" may well be a value, "-a" and "--abc" are not.
  static bool is_option(const Span& argument) {
    return argument.size() >= 2 && *argument.at == '-' && (argument.at[1] == '-' || argument.size() == 2);
  }

  // Copies a name with what belongs to it, or a single character; returns where the rest starts.
  const char* copy_some(const Span& rest) {
    if (!is_of_name(*rest.at)) {
      put(*rest.at);
      return rest.at + 1;
    }
    Span name{rest.at, rest.at};
    while (name.end < rest.end && is_of_name(*name.end)) ++name.end;
    copy(name.at, name.end);
    const Span after{name.end, rest.end};
    if (after.size() >= 3 && memcmp(after.at, "://", 3) == 0) return copy_address(after);
    return is_secret_name(name.at, name.size()) ? copy_secret(name, after) : after.at;
  }

  // Of "://user:secret@host" what comes before the host. A name without a secret is masked, too: it may be a token.
  const char* copy_address(const Span& rest) {
    Span login{rest.at + 3, rest.at + 3};
    const char* at_sign = nullptr;
    for (; login.end < rest.end && !is_space(*login.end) && !is_quote(*login.end) && *login.end != '/'; ++login.end)
      if (*login.end == '@') at_sign = login.end;
    copy(rest.at, login.at);
    if (at_sign == nullptr) return login.at;
    const auto* const colon = static_cast<const char*>(memchr(login.at, ':', static_cast<size_t>(at_sign - login.at)));
    const char* const secret = colon != nullptr ? colon + 1 : login.at;
    copy(login.at, secret);
    mask({secret, at_sign});
    return at_sign;
  }

  // Masks the value after a secret name: "=value", ": value", or " value" after an option.
  const char* copy_secret(const Span& name, const Span& rest) {
    const char* at = rest.at;
    while (at < rest.end && is_quote(*at)) ++at;  // "name": in JSON
    const bool has_sign = at < rest.end && (*at == '=' || *at == ':');
    if (has_sign) ++at;
    const bool is_flag = *name.at == '-' || is_word(last_part(name), "bearer");
    if (!has_sign && (!is_flag || (at < rest.end && !is_space(*at)))) return rest.at;
    while (at < rest.end && is_space(*at)) ++at;
    if (at == rest.end) {
      is_next_secret_ = true;
      copy(rest.at, at);
      return at;
    }
    at = behind_scheme({at, rest.end});
    if (!has_sign && is_option({at, rest.end})) return rest.at;
    const Span value = value_at({at, rest.end}, has_sign && is_first(name));
    copy(rest.at, value.at);
    mask(value);
    return value.end;
  }

  bool is_first(const Span& name) const {
    const char* at = argument_start_;
    while (at < name.at && (*at == '+' || *at == '~')) ++at;
    return at == name.at;
  }

  static const char* behind_scheme(const Span& value) {
    const char* at = value.at;
    while (at < value.end && is_quote(*at)) ++at;
    const char* word_end = at;
    while (word_end < value.end && is_letter(*word_end)) ++word_end;
    const char* behind = word_end;
    while (behind < value.end && is_space(*behind)) ++behind;
    if (behind == word_end || behind == value.end) return value.at;
    for (const char* scheme : kSchemes)
      if (is_word({at, word_end}, scheme)) return behind;
    return value.at;
  }

  // To the end of the argument, if the value is all that the argument has after its name; else to the closing quote or
  // to the end of the word.
  static Span value_at(Span value, bool is_rest) {
    if (is_rest) return value;
    const char quote = is_quote(*value.at) ? *value.at++ : '\0';
    const char* end = value.at;
    while (end < value.end && (quote != '\0' ? *end != quote : !is_space(*end) && !is_quote(*end) && *end != '&'))
      ++end;
    return {value.at, end};
  }

  char* const start_;
  char* to_;
  char* const end_;
  const char* argument_start_ = nullptr;
  bool is_next_secret_ = false;
};

}  // namespace

bool is_secret_name(const char* name, size_t size) {
  const Span part = last_part({name, name + size});
  for (const char* word : kSecretWords)
    if (*word == '*' ? ends_with(part, word + 1) : is_word(part, word)) return true;
  return false;
}

size_t write_masked_command(const char* arguments, size_t size, char* text, size_t room) {
  MaskedCommand command(text, room);
  while (size > 0 && arguments[size - 1] == '\0') --size;
  for (const char *at = arguments, *const end = arguments + size; at < end;) {
    const auto* const zero = static_cast<const char*>(memchr(at, '\0', static_cast<size_t>(end - at)));
    const char* const argument_end = zero != nullptr ? zero : end;
    command.add_argument({at, argument_end});
    at = argument_end + 1;
  }
  return command.size();
}

}  // namespace tauprof::capture
