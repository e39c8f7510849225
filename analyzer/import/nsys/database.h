// A database that `nsys export --type sqlite` made. Which tables and columns it has depends on what was recorded and on
// the version of nsys, so one asks for both, and a column that is missing reads as nothing.
//
// It may come from anybody: it is only read, and only tables with rows of their own are, so that nothing in its schema
// runs.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "model/status.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tauprof::nsys {

class Database {
 public:
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  enum Part : uint8_t { kAll, kSchemaOnly };
  // The message does not name the file. With the schema alone, ids have no texts.
  static Status open(const std::string& path, std::unique_ptr<Database>& database, Part part = kAll);

  bool is_of_nsys() const;
  bool has(const std::string& table) const { return tables_.count(table) != 0; }
  bool has(const std::string& table, const std::string& column) const;

  // The text of an id in StringIds; empty: there is none.
  const std::string& text(int64_t id) const;

 private:
  friend class Rows;
  Database() = default;
  Status read_schema();
  Status read_texts();

  sqlite3* database_ = nullptr;
  std::map<std::string, std::set<std::string>> tables_;  // and their columns
  std::unordered_map<int64_t, std::string> texts_;
};

// The rows of a table, in its order. Columns are numbered as they are named here.
class Rows {
 public:
  Rows(const Database& database, const std::string& table, std::initializer_list<const char*> columns);
  ~Rows();
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  // False at the end and where the table is not there or damaged, which status() tells apart.
  bool next();
  const Status& status() const { return status_; }

  bool is_null(int column) const;
  int64_t integer(int column) const;  // 0: null
  std::string_view text(int column) const;

 private:
  sqlite3* database_;
  sqlite3_stmt* statement_ = nullptr;
  Status status_;
};

}  // namespace tauprof::nsys
