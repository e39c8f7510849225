#include "export/sqlite_tables.h"

#include <sqlite3.h>

#include <cstring>

#include "export/run_tables.h"
#include "export/table.h"

namespace tauprof {
namespace {

const char* sql_type(ColumnType type) {
  switch (type) {
    case ColumnType::kKey:
      return "INTEGER PRIMARY KEY";
    case ColumnType::kInteger:
      return "INTEGER";
    case ColumnType::kReal:
      return "REAL";
    case ColumnType::kText:
      return "TEXT";
  }
  return "";
}

// "INSERT INTO t VALUES (?, ?)"
std::string insert_into(const Table& table) {
  std::string sql = "INSERT INTO " + std::string(table.name) + " VALUES (";
  for (size_t i = 0; i < table.columns.size(); ++i) sql += i > 0 ? ", ?" : "?";
  return sql + ")";
}

constexpr TableColumn kColumnColumns[] = {
    {"table_name", ColumnType::kText, ""}, {"column_name", ColumnType::kText, ""}, {"meaning", ColumnType::kText, ""}};
constexpr Table kColumns{"columns", "what the tables and their columns mean", kColumnColumns};

}  // namespace

SqliteTables::~SqliteTables() {
  for (const auto& [table, insert] : inserts_) sqlite3_finalize(insert);
  sqlite3_close(database_);
}

// The reason is SQLite's, with the system's where there is one.
void SqliteTables::fail() {
  if (!failure_.empty()) return;
  const int system = sqlite3_system_errno(database_);
  failure_ = path_ + ": cannot be written: " + sqlite3_errmsg(database_);
  if (system != 0) failure_ += std::string(" (") + strerror(system) + ")";
}

void SqliteTables::run(const std::string& sql) {
  if (failure_.empty() && sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

// An incomplete database is thrown away, so nothing has to survive a crash.
Status SqliteTables::open(const std::string& path) {
  path_ = path;
  if (sqlite3_open_v2(path.c_str(), &database_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                      nullptr) != SQLITE_OK)
    fail();
  run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; BEGIN");
  create(kColumns);
  for (const Table* const table : run_tables()) {
    create(*table);
    describe(*table);
  }
  return status();
}

void SqliteTables::create(const Table& table) {
  std::string columns;
  for (const TableColumn& column : table.columns)
    columns += (columns.empty() ? "" : ", ") + std::string(column.name) + " " + sql_type(column.type);
  run("CREATE TABLE " + std::string(table.name) + " (" + columns + ")");
  if (!failure_.empty()) return;
  if (sqlite3_prepare_v2(database_, insert_into(table).c_str(), -1, &inserts_[&table], nullptr) != SQLITE_OK) fail();
}

void SqliteTables::describe(const Table& table) {
  add(kColumns, {table.name, std::nullopt, table.meaning});
  for (const TableColumn& column : table.columns) add(kColumns, {table.name, column.name, column.meaning});
}

void SqliteTables::bind(sqlite3_stmt* statement, int position, const Cell& cell) {
  if (const auto* const number = std::get_if<int64_t>(&cell.value())) {
    sqlite3_bind_int64(statement, position, *number);
  } else if (const auto* const real = std::get_if<double>(&cell.value())) {
    sqlite3_bind_double(statement, position, *real);
  } else if (const auto* const text = std::get_if<std::string_view>(&cell.value())) {
    const std::string clean = table_text(*text);
    sqlite3_bind_text64(statement, position, clean.data(), clean.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  } else {
    sqlite3_bind_null(statement, position);
  }
}

void SqliteTables::add(const Table& table, Row row) {
  if (!failure_.empty()) return;
  sqlite3_stmt* const insert = inserts_.at(&table);
  int position = 0;
  for (const Cell& cell : row) bind(insert, ++position, cell);
  if (sqlite3_step(insert) != SQLITE_DONE) fail();
  sqlite3_reset(insert);
}

Status SqliteTables::close() {
  for (const std::string_view statement : sqlite_views()) run(std::string(statement));
  run("COMMIT");
  for (const auto& [table, insert] : inserts_) sqlite3_finalize(insert);
  inserts_.clear();
  if (sqlite3_close(database_) != SQLITE_OK) fail();
  database_ = nullptr;
  return status();
}

}  // namespace tauprof
