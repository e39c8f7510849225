// The table of variables in docs/user-guide.md is that of the code. With TAUPROF_WRITE_DOCS=1 it is written.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "names/recorder_settings.h"

using namespace tauprof::capture;

namespace {

constexpr char kStart[] = "<!-- settings: written by the test SettingsGuide -->\n";
constexpr char kEnd[] = "<!-- end of settings -->\n";

// "`-o`, `--dir`"
std::string code_of(const char* names) {
  std::istringstream list(names == nullptr ? "" : names);
  std::string text;
  for (std::string name; std::getline(list, name, ',');) text += (text.empty() ? "`" : ", `") + name + "`";
  return text;
}

std::string code_of_usual(const char* usual) { return std::string("`") + usual + "`"; }

template <class Form>
std::string choices_of(const Form&) {
  return "";
}
template <size_t kCount>
std::string choices_of(const OneOf<kCount>& form) {
  return ": " + code_of(names_of(form.choices).text());
}
template <size_t kCount>
std::string choices_of(const SetOf<kCount>& form) {
  return ", a list of " + code_of(names_of(form.choices).text());
}

std::string table() {
  std::string text = "| `tauprof run` | variable | default | meaning |\n| --- | --- | --- | --- |\n";
  for_each_setting([&](auto, const auto& form, const SettingNames& names) {
    const std::string more = names.page == nullptr ? "" : std::string(" ([more](") + names.page + "))";
    text += "| " + code_of(names.option) + " | `" + names.variable + "` | " +
            (*names.usual == '\0' ? "none" : code_of_usual(names.usual)) + " | " + names.meaning + choices_of(form) +
            more + " |\n";
  });
  return text;
}

TEST(SettingsGuide, HasTheVariablesAsTheCodeHasThem) {
  const std::string path = std::string(TAUPROF_DOCS) + "/user-guide.md";
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const size_t start = text.find(kStart) + sizeof kStart - 1, end = text.find(kEnd);
  ASSERT_LT(start, end + 1);
  if (getenv("TAUPROF_WRITE_DOCS") != nullptr) {
    std::ofstream(path) << text.replace(start, end - start, table());
    return;
  }
  EXPECT_EQ(text.substr(start, end - start), table()) << "TAUPROF_WRITE_DOCS=1 ctest --preset release -R SettingsGuide";
}

}  // namespace
