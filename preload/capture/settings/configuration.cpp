#include "capture/settings/configuration.h"

#include "capture/settings/variables.h"

namespace tauprof::capture {
namespace {

// Sets `target` if the variable has a value that is one.
template <class Target, class Form>
void read(const SettingNames& names, const Form& form, Target& target) {
  const char* const value = value_of(names.variable);
  if (value == nullptr || form.parse(value, target)) return;
  ShortText accepted;
  form.put_accepted(accepted);
  say(LogLevel::kError, Cause::kConfiguration, "%s=%s is not understood (accepted: %s); using the default",
      names.variable, value, accepted.text());
}

// The level decides which messages about bad values of other settings appear, so it is read first.
struct ReadLogLevel {
  Configuration& configuration;

  template <class Member, class Form>
  void operator()(Member, const Form&, const SettingNames&) const {}
  template <class Form>
  void operator()(LogLevel Configuration::*member, const Form& form, const SettingNames& names) const {
    read(names, form, configuration.*member);
    set_log_level(configuration.*member);
  }
};

struct ReadOthers {
  Configuration& configuration;

  template <class Member, class Form>
  void operator()(Member member, const Form& form, const SettingNames& names) const {
    read(names, form, configuration.*member);
  }
  template <class Form>
  void operator()(LogLevel Configuration::*, const Form&, const SettingNames&) const {}
};

}  // namespace

bool is_enabled_by_environment(bool is_preloaded) {
  const char* value = value_of("TAUPROF_ENABLE");
  return value == nullptr ? is_preloaded : strcmp(value, "0") != 0;
}

bool rank_is_listed(const char* list, int64_t rank) {
  if (*list == '\0') return true;
  return find_rank_range(list, [rank](int64_t first, int64_t last) { return first <= rank && rank <= last; }) == 1;
}

void read_configuration(Configuration& configuration) {
  for_each_setting(ReadLogLevel{configuration});
  for_each_setting(ReadOthers{configuration});
}

void say_who_reduces(const Configuration& configuration) {
  const char* const reduce = value_of("TAUPROF_REDUCE");
  if (reduce != nullptr && strcmp(reduce, "0") != 0)
    say(LogLevel::kWarn, Cause::kConfiguration,
        "TAUPROF_REDUCE is for `tauprof run`: logs stay as they are; reduce them with: tauprof reduce %s",
        configuration.directory);
}

}  // namespace tauprof::capture
