#include <utility>

#include "export/csv_tables.h"
#include "export/formats.h"
#include "export/run_tables.h"
#include "export/sqlite_tables.h"

namespace tauprof {
namespace {

// `Tables` is a TableSink that is opened with a path, and gives its status so far and when it is closed.
template <class Tables>
class TablesWriter : public RunWriter {
 public:
  explicit TablesWriter(std::string path) : path_(std::move(path)) {}

  Status start(const RunView& run) override {
    if (Status status = tables_.open(path_); !status.is_ok()) return status;
    add_summary_rows(run, tables_);
    return tables_.status();
  }
  Status add_rank(const RunView&, const RankView& rank) override {
    add_event_rows(rank, tables_);
    return tables_.status();
  }
  Status finish(const RunView&) override { return tables_.close(); }

 private:
  std::string path_;
  Tables tables_;
};

}  // namespace

std::unique_ptr<RunWriter> sqlite_writer(const std::string& path) {
  return std::make_unique<TablesWriter<SqliteTables>>(path);
}

std::unique_ptr<RunWriter> csv_writer(const std::string& path) {
  return std::make_unique<TablesWriter<CsvTables>>(path);
}

}  // namespace tauprof
