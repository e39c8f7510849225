// The forms in which continuous integration shows results: Markdown tables, and JUnit's XML.
#pragma once

#include <string>
#include <vector>

namespace tauprof {

// A cell has no line feeds and no markup of its own.
std::string markdown_text(const std::string& text);
std::string markdown_table(const std::vector<std::string>& heading, const std::vector<std::vector<std::string>>& rows);

enum class TestOutcome { kPassed, kFailed, kSkipped };

struct TestCase {
  std::string name;
  TestOutcome outcome;
  std::string message;  // the result in words, whatever the outcome
};

// One suite of test cases.
std::string junit_xml(const std::string& suite, const std::vector<TestCase>& cases);

}  // namespace tauprof
