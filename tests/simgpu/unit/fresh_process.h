// Runs a test's body in its own process, because the simulation reads the environment only once.
#pragma once

#include <functional>
#include <map>
#include <string>

using Environment = std::map<std::string, std::string>;

struct FreshProcess {
  int pid = 0;
  int status = -1;     // as waitpid gives it; 0: it ended in order and nothing failed
  std::string errors;  // its output on stderr
};

// Forks; the child sets `environment`, runs `body` (its expectations count) and exits. The parent must not have used
// the simulation.
FreshProcess run_fresh(const Environment& environment, const std::function<void()>& body);

// The same; expects that the process succeeds.
void expect_in_fresh_process(const Environment& environment, const std::function<void()>& body);
