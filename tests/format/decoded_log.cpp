#include "format/decoded_log.h"

#include <memory>

#include "read/record_names.h"

namespace tauprof {
namespace {

BlockInLog decode_block(const RecordBlock& block) {
  BlockInLog decoded{block.kind(), block.is_recap(), {}};
  for (uint32_t row = 0; row < block.records(); ++row) {
    DecodedRow values{block.kind(), {}, std::string(block.text(row))};
    for (uint16_t column = 0; column < column_count(block.kind()); ++column)
      values.values.push_back(block.column(column)[row]);
    decoded.rows.push_back(std::move(values));
  }
  return decoded;
}

}  // namespace

std::string describe(const DecodedRow& row) {
  std::string line(record_name(row.kind));
  for (uint16_t column = 0; column < row.values.size(); ++column)
    line += ' ' + std::string(column_name(row.kind, column)) + '=' + std::to_string(row.values[column]);
  if (row.kind == log::RecordKind::kString) line += " text=" + row.text;
  return line;
}

std::vector<DecodedRow> DecodedLog::rows() const {
  std::vector<DecodedRow> all;
  for (const BlockInLog& block : blocks)
    if (!block.is_recap) all.insert(all.end(), block.rows.begin(), block.rows.end());
  return all;
}

std::vector<DecodedRow> DecodedLog::rows_of(log::RecordKind kind) const {
  std::vector<DecodedRow> some;
  for (DecodedRow& row : rows())
    if (row.kind == kind) some.push_back(std::move(row));
  return some;
}

DecodedLog decode_log(const std::string& path) {
  DecodedLog decoded;
  std::unique_ptr<LogReader> reader;
  decoded.status = LogReader::open(path, reader);
  if (!decoded.status.is_ok()) return decoded;
  RecordBlock block;
  while (reader->next(block)) decoded.blocks.push_back(decode_block(block));
  decoded.loss = reader->loss();
  return decoded;
}

}  // namespace tauprof
