#include "import/nsys/database.h"

#include <sqlite3.h>

#include <algorithm>

namespace tauprof::nsys {
namespace {

constexpr int kLongestValue = 64 << 20;

std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char letter : name) text += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return text + "\"";
}

Status failure(sqlite3* database) { return Status::error(std::string("damaged: ") + sqlite3_errmsg(database)); }

}  // namespace

Database::~Database() { sqlite3_close(database_); }

Status Database::open(const std::string& path, std::unique_ptr<Database>& result, Part part) {
  std::unique_ptr<Database> database(new Database);
  if (sqlite3_open_v2(path.c_str(), &database->database_, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr) !=
      SQLITE_OK)
    return Status::error(std::string("cannot be opened: ") + sqlite3_errmsg(database->database_));
  sqlite3_db_config(database->database_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database->database_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_limit(database->database_, SQLITE_LIMIT_LENGTH, kLongestValue);
  if (Status status = database->read_schema(); !status.is_ok()) return status;
  if (part == kAll)
    if (Status status = database->read_texts(); !status.is_ok()) return status;
  result = std::move(database);
  return Status::ok();
}

// Views and virtual tables have no root page.
Status Database::read_schema() {
  constexpr char kTables[] = "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0";
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database_, kTables, -1, &statement, nullptr) != SQLITE_OK) return failure(database_);
  while (sqlite3_step(statement) == SQLITE_ROW)
    tables_[reinterpret_cast<const char*>(sqlite3_column_text(statement, 0))];
  sqlite3_finalize(statement);
  for (auto& [table, columns] : tables_) {
    // Generated columns do not count here: table_info leaves them out.
    const std::string sql = "PRAGMA table_info(" + quoted(table) + ")";
    if (sqlite3_prepare_v2(database_, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) return failure(database_);
    while (sqlite3_step(statement) == SQLITE_ROW)
      columns.insert(reinterpret_cast<const char*>(sqlite3_column_text(statement, 1)));
    sqlite3_finalize(statement);
  }
  return Status::ok();
}

Status Database::read_texts() {
  Rows rows(*this, "StringIds", {"id", "value"});
  while (rows.next()) texts_.try_emplace(rows.integer(0), rows.text(1));
  return rows.status();
}

bool Database::is_of_nsys() const {
  const auto is_one_of_its = [](const auto& table) {
    return table.first.starts_with("CUPTI_ACTIVITY_KIND_") || table.first.starts_with("TARGET_INFO_") ||
           table.first == "NVTX_EVENTS";
  };
  return has("StringIds") && std::any_of(tables_.begin(), tables_.end(), is_one_of_its);
}

bool Database::has(const std::string& table, const std::string& column) const {
  const auto found = tables_.find(table);
  return found != tables_.end() && found->second.count(column) != 0;
}

const std::string& Database::text(int64_t id) const {
  static const std::string kNone;
  const auto found = texts_.find(id);
  return found == texts_.end() ? kNone : found->second;
}

Rows::Rows(const Database& database, const std::string& table, std::initializer_list<const char*> columns)
    : database_(database.database_) {
  if (!database.has(table)) return;
  std::string sql;
  for (const char* const column : columns)
    sql += (sql.empty() ? "SELECT " : ", ") + (database.has(table, column) ? quoted(column) : std::string("NULL"));
  sql += " FROM " + quoted(table);
  if (sqlite3_prepare_v2(database_, sql.c_str(), -1, &statement_, nullptr) != SQLITE_OK) status_ = failure(database_);
}

Rows::~Rows() { sqlite3_finalize(statement_); }

bool Rows::next() {
  if (statement_ == nullptr) return false;
  const int outcome = sqlite3_step(statement_);
  if (outcome != SQLITE_ROW && outcome != SQLITE_DONE) status_ = failure(database_);
  return outcome == SQLITE_ROW;
}

bool Rows::is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }

int64_t Rows::integer(int column) const { return sqlite3_column_int64(statement_, column); }

std::string_view Rows::text(int column) const {
  const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  return text == nullptr ? std::string_view()
                         : std::string_view(text, static_cast<size_t>(sqlite3_column_bytes(statement_, column)));
}

}  // namespace tauprof::nsys
