// Prints the JSON schema of reports, for the build.
#include <cstdio>

#include "report/json_report.h"

int main() {
  const std::string schema = tauprof::report_schema();
  return std::fwrite(schema.data(), 1, schema.size(), stdout) == schema.size() && std::fflush(stdout) == 0 ? 0 : 1;
}
