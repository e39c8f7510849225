#include <optional>

#include "export/collective_matches.h"
#include "export/formats.h"
#include "export/located_events.h"
#include "export/output_file.h"
#include "export/perfetto_packets.h"
#include "export/perfetto_rank.h"

namespace tauprof {
namespace {

class PerfettoWriter : public RunWriter {
 public:
  explicit PerfettoWriter(std::string path) : path_(std::move(path)), packets_(file_) {}

  Status start(const RunView& run) override {
    matches_.emplace(run);
    origin_ = origin_of(run);
    return file_.open(path_);
  }

  Status add_rank(const RunView& run, const RankView& rank) override {
    perfetto::RankTracks(run, rank, *matches_, origin_, packets_).write();
    return file_.status();
  }

  Status finish(const RunView&) override { return file_.close(); }

 private:
  std::string path_;
  OutputFile file_;
  perfetto::PacketWriter packets_;
  std::optional<CollectiveMatches> matches_;
  Nanoseconds origin_ = 0;
};

}  // namespace

std::unique_ptr<RunWriter> perfetto_writer(const std::string& path) { return std::make_unique<PerfettoWriter>(path); }

}  // namespace tauprof
