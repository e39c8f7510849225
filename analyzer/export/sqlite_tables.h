// Tables as a SQLite database, with views over them, and what its columns mean in the table `columns`.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "export/table.h"
#include "model/status.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tauprof {

class SqliteTables : public TableSink {
 public:
  SqliteTables() = default;
  ~SqliteTables() override;
  SqliteTables(const SqliteTables&) = delete;
  SqliteTables& operator=(const SqliteTables&) = delete;

  // The file must be there and empty.
  Status open(const std::string& path);
  void add(const Table& table, Row row) override;
  Status status() const { return failure_.empty() ? Status::ok() : Status::error(failure_); }
  Status close();

 private:
  void run(const std::string& sql);
  void create(const Table& table);
  void describe(const Table& table);
  void bind(sqlite3_stmt* statement, int position, const Cell& cell);
  void fail();

  std::string path_;
  sqlite3* database_ = nullptr;
  std::map<const Table*, sqlite3_stmt*> inserts_;
  std::string failure_;  // the first
};

// Views that answer the questions of the user guide from the tables of a run, and the indices that they need.
// SQL statements, in their order.
std::span<const std::string_view> sqlite_views();

}  // namespace tauprof
