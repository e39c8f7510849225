#include <utility>

#include "export/collective_matches.h"
#include "export/formats.h"
#include "export/kineto_events.h"
#include "export/kineto_rank.h"

namespace tauprof {
namespace {

class KinetoWriter : public RunWriter {
 public:
  explicit KinetoWriter(std::string path) : path_(std::move(path)) {}

  Status start(const RunView& run) override {
    members_ = known_members(run);
    return Status::ok();
  }

  Status add_rank(const RunView& run, const RankView& rank) override {
    kineto_export::EventFile file;
    const std::string name = path_ + "/rank-" + std::to_string(rank.timeline.rank) + ".json.gz";
    if (Status status = file.open(name); !status.is_ok()) return status;
    kineto_export::RankTrace(run, rank, members_, file).write();
    return file.close();
  }

  Status finish(const RunView&) override { return Status::ok(); }

 private:
  std::string path_;
  kineto_export::Members members_;
};

}  // namespace

std::unique_ptr<RunWriter> kineto_writer(const std::string& path) { return std::make_unique<KinetoWriter>(path); }

}  // namespace tauprof
