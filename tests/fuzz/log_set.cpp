#include "fuzz/log_set.h"

#include <algorithm>
#include <memory>

#include "fuzz/memory_file.h"
#include "read/log_reader.h"
#include "read/record_names.h"

namespace tauprof {
namespace {

RowBlock rows_of_block(const RecordBlock& block) {
  RowBlock rows{static_cast<uint16_t>(block.kind()), block.is_recap(), block.records(), {}, {}};
  for (uint16_t column = 0; column < column_count(block.kind()); ++column) {
    const Column values = block.column(column);
    std::vector<int64_t>& copy = rows.columns.emplace_back();
    for (uint32_t row = 0; row < block.records(); ++row) copy.push_back(values[row]);
  }
  if (block.kind() == log::RecordKind::kString)
    for (uint32_t row = 0; row < block.records(); ++row) rows.texts.emplace_back(block.text(row));
  return rows;
}

ForgedColumn delta_column(uint16_t number, const std::vector<int64_t>& values) {
  ForgedColumn column{number, static_cast<uint8_t>(log::Encoding::kDelta), {}};
  uint64_t previous = 0;
  for (const int64_t value : values) {
    const uint64_t difference = static_cast<uint64_t>(value) - previous;
    append_leb128(column.bytes, (difference << 1) ^ (0 - (difference >> 63)));
    previous = static_cast<uint64_t>(value);
  }
  return column;
}

ForgedColumn shortest_column(uint16_t number, const std::vector<int64_t>& values) {
  if (!values.empty() && std::all_of(values.begin(), values.end(), [&](int64_t v) { return v == values.front(); }))
    return constant_column(number, values.front());
  ForgedColumn plain = plain_column(number, values), delta = delta_column(number, values);
  return delta.bytes.size() < plain.bytes.size() ? delta : plain;
}

ForgedColumn text_column(const std::vector<std::string>& texts) {
  ForgedColumn column{log::kTextColumn, static_cast<uint8_t>(log::Encoding::kText), {}};
  for (const std::string& text : texts) append_leb128(column.bytes, text.size());
  for (const std::string& text : texts) append_bytes(column.bytes, text.data(), text.size());
  return column;
}

}  // namespace

std::vector<ByteVector> split_logs(const ByteVector& bytes) {
  std::vector<ByteVector> logs;
  auto start = bytes.begin();
  while (start != bytes.end()) {
    auto end = std::search(start + 1, bytes.end(), std::begin(log::kFileMagic), std::end(log::kFileMagic));
    logs.emplace_back(start, end);
    start = end;
  }
  return logs;
}

RowLog rows_of_log(const ByteVector& bytes) {
  RowLog rows;
  const MemoryFile file(bytes);
  std::unique_ptr<LogReader> reader;
  if (!LogReader::open(file.path(), reader).is_ok()) return {forge_header(), {}};
  rows.header = reader->header();
  RecordBlock block;
  while (reader->next(block)) rows.blocks.push_back(rows_of_block(block));
  return rows;
}

LogSet rows_of_logs(const ByteVector& bytes) {
  LogSet logs;
  for (const ByteVector& log : split_logs(bytes)) logs.push_back(rows_of_log(log));
  return logs;
}

ByteVector sealed_log(const RowLog& log) {
  std::vector<ByteVector> blocks;
  uint64_t records = 0;
  for (const RowBlock& rows : log.blocks) {
    if (rows.records == 0) continue;
    std::vector<ForgedColumn> columns;
    for (uint16_t column = 0; column < rows.columns.size(); ++column)
      columns.push_back(shortest_column(column, rows.columns[column]));
    if (!rows.texts.empty()) columns.push_back(text_column(rows.texts));
    ForgedBlock block(rows.kind, rows.records, records, columns);
    if (rows.is_recap)
      block.header.flags |= log::kBlockRecap;
    else
      records += rows.records;
    blocks.push_back(block.sealed());
  }
  log::FileHeader header = log.header;
  header.header_size = sizeof header;
  return forge_log(header, blocks);
}

ByteVector sealed_logs(const LogSet& logs) {
  ByteVector all;
  for (const RowLog& log : logs) {
    const ByteVector bytes = sealed_log(log);
    append_bytes(all, bytes.data(), bytes.size());
  }
  return all;
}

}  // namespace tauprof
