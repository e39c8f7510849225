#include "fresh_process.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace {

constexpr const char* kOwnVariables[] = {"SIMGPU_OPTIONS",       "SIMGPU_TRUTH", "CUDA_VISIBLE_DEVICES", "RANK",
                                         "OMPI_COMM_WORLD_RANK", "PMI_RANK",     "SLURM_PROCID"};

[[noreturn]] void run_child(const Environment& environment, const std::function<void()>& body, int errors) {
  dup2(errors, STDERR_FILENO);
  for (const char* variable : kOwnVariables) unsetenv(variable);
  for (const auto& [variable, value] : environment) setenv(variable.c_str(), value.c_str(), 1);
  body();
  std::exit(testing::Test::HasFailure() ? 1 : 0);
}

}  // namespace

FreshProcess run_fresh(const Environment& environment, const std::function<void()>& body) {
  std::fflush(nullptr);
  int ends[2];
  if (pipe(ends) != 0) return {};
  FreshProcess child;
  child.pid = fork();
  if (child.pid == 0) run_child(environment, body, ends[1]);
  close(ends[1]);
  char part[4096];
  for (ssize_t got = 0; (got = read(ends[0], part, sizeof part)) > 0;)
    child.errors.append(part, static_cast<std::size_t>(got));
  close(ends[0]);
  waitpid(child.pid, &child.status, 0);
  return child;
}

void expect_in_fresh_process(const Environment& environment, const std::function<void()>& body) {
  const FreshProcess child = run_fresh(environment, body);
  EXPECT_EQ(child.status, 0) << child.errors;
}
