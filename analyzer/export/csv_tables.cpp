#include "export/csv_tables.h"

#include <fmt/format.h>

#include "export/run_tables.h"
#include "export/table.h"

namespace tauprof {
namespace {

void append_text(std::string& line, std::string_view text) {
  const std::string clean = table_text(text);
  if (!clean.empty() && clean.find_first_of(",\"\r\n") == std::string::npos) {
    line += clean;
    return;
  }
  line += '"';
  for (const char character : clean) line.append(character == '"' ? 2 : 1, character);
  line += '"';
}

void append_cell(std::string& line, const Cell& cell) {
  if (const auto* const number = std::get_if<int64_t>(&cell.value()))
    line += fmt::format_int(*number).c_str();
  else if (const auto* const real = std::get_if<double>(&cell.value()))
    fmt::format_to(std::back_inserter(line), "{}", *real);
  else if (const auto* const text = std::get_if<std::string_view>(&cell.value()))
    append_text(line, *text);
}

}  // namespace

Status CsvTables::open(const std::string& path) {
  for (const Table* const table : run_tables()) {
    OutputFile& file = files_[table];
    if (Status status = file.open(fmt::format("{}/{}.csv", path, table->name)); !status.is_ok()) return status;
    std::string names;
    for (const TableColumn& column : table->columns) names += (names.empty() ? "" : ",") + std::string(column.name);
    file.write(names + "\n");
  }
  return Status::ok();
}

void CsvTables::add(const Table& table, Row row) {
  line_.clear();
  for (const Cell& cell : row) {
    if (&cell != row.begin()) line_ += ',';
    append_cell(line_, cell);
  }
  line_ += '\n';
  files_.at(&table).write(line_);
}

Status CsvTables::status() const {
  for (const auto& [table, file] : files_)
    if (Status status = file.status(); !status.is_ok()) return status;
  return Status::ok();
}

Status CsvTables::close() {
  for (auto& [table, file] : files_)
    if (Status status = file.close(); !status.is_ok()) return status;
  return Status::ok();
}

}  // namespace tauprof
