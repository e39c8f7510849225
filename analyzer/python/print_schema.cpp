// Prints the JSON schema of a kind of document, for the build.
#include <cstdio>
#include <string>
#include <string_view>

#include "diff/diff_forms.h"
#include "report/json_documents.h"

namespace {

struct Document {
  std::string_view name;
  std::string (*schema)();
};

constexpr Document kDocuments[] = {{"report", tauprof::report_schema},
                                   {"brief", tauprof::brief_schema},
                                   {"diff", tauprof::diff_schema},
                                   {"health", tauprof::health_schema},
                                   {"whatif", tauprof::whatif_schema}};

}  // namespace

int main(int count, char** words) {
  for (const Document& document : kDocuments) {
    if (count != 2 || words[1] != document.name) continue;
    const std::string schema = document.schema();
    return std::fwrite(schema.data(), 1, schema.size(), stdout) == schema.size() && std::fflush(stdout) == 0 ? 0 : 1;
  }
  return 2;
}
