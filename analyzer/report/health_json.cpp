#include "report/json_documents.h"
#include "report/json_sections.h"

namespace tauprof {

Fields<HealthCheck> fields_of(const HealthCheck*) {
  return {"HealthCheck",
          "A check of the run",
          {
              {"id", &HealthCheck::id, "which, of the table above"},
              {"outcome", &HealthCheck::outcome, "how it came out"},
              {"found", &HealthCheck::found, "the number, or why it is not known"},
              {"limit", &HealthCheck::limit, "its good range"},
              {"ranks", &HealthCheck::ranks, "for which it fails; empty: it does not, or for none in particular"},
          }};
}

struct Checklist {
  const std::string& run;
  const std::vector<HealthCheck>& checks;
};

Fields<Checklist> fields_of(const Checklist*) {
  return {"Checklist",
          "A run's checks",
          {
              {"schema", [](const Checklist&) { return "tauprof.health/1"; }, "`tauprof.health/1`"},
              {"run", [](const Checklist& c) { return c.run; }, "its id"},
              {"checks", [](const Checklist& c) { return c.checks; }, "always the same, in the same order"},
          }};
}

std::string health_json(const std::vector<HealthCheck>& checks, const std::string& run) {
  return document_of(Checklist{run, checks});
}

std::string health_schema() { return schema_of<Checklist>("tauprof health"); }

}  // namespace tauprof
