#include "timelines/host_timeline_writer.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "log/column_encoder.h"
#include "timelines/table_layout.h"
#include "timelines/table_writer.h"

namespace tauprof {
namespace {

constexpr uint32_t kMostRows = 16'384;  // of a block

[[noreturn]] void run_out_of_memory() { throw std::bad_alloc(); }

// Bytes of a number in the log's encoding.
uint64_t width(uint64_t value) { return value == 0 ? 1 : (70 - static_cast<unsigned>(__builtin_clzll(value))) / 7; }

log::Encoding shorter_encoding(const int64_t* values, uint32_t rows) {
  uint64_t plain = 0, delta = 0, before = 0;
  for (uint32_t row = 0; row < rows; ++row) {
    const auto value = static_cast<uint64_t>(values[row]);
    const uint64_t difference = value - before;
    plain += width(value);
    delta += width((difference << 1) ^ (0 - (difference >> 63)));
    before = value;
  }
  return delta < plain ? log::Encoding::kDelta : log::Encoding::kPlain;
}

std::unique_ptr<EncodedBlock> new_block(uint16_t kind, uint32_t rows) {
  auto block = std::make_unique<EncodedBlock>();
  block->header.kind = kind;
  block->header.records = rows;
  if (!block->bytes.assign_zeros(sizeof(log::BlockHeader))) run_out_of_memory();
  return block;
}

void add_column(EncodedBlock& block, size_t number, const int64_t* values) {
  const uint32_t rows = block.header.records;
  if (!log::encode_column(static_cast<uint16_t>(number), shorter_encoding(values, rows), values, rows, block.bytes,
                          block.header.columns))
    run_out_of_memory();
}

// Readers believe rows that have bytes: one of zeros for each, where all columns are constant.
void back_rows(EncodedBlock& block, size_t columns) {
  const uint32_t rows = block.header.records;
  if (block.bytes.size() - sizeof(log::BlockHeader) >= rows) return;
  const log::ColumnHeader header{static_cast<uint16_t>(columns), static_cast<uint8_t>(log::Encoding::kPlain), 0, rows};
  const std::vector<uint8_t> zeros(rows);
  if (!block.bytes.append(reinterpret_cast<const uint8_t*>(&header), sizeof header) ||
      !block.bytes.append(zeros.data(), rows))
    run_out_of_memory();
  ++block.header.columns;
}

void encode_tables(const TableLayout& layout, const TableWriter& rows, uint16_t first_kind,
                   std::vector<std::unique_ptr<EncodedBlock>>& blocks) {
  for (size_t table = 0; table < layout.tables.size(); ++table) {
    const TableWriter::Columns& columns = rows.columns_of(table);
    const size_t count = columns.front().size();
    for (size_t first = 0; first < count; first += kMostRows) {
      blocks.push_back(new_block(static_cast<uint16_t>(first_kind + table),
                                 static_cast<uint32_t>(std::min<size_t>(kMostRows, count - first))));
      for (size_t column = 0; column < columns.size(); ++column)
        add_column(*blocks.back(), column, columns[column].data() + first);
      back_rows(*blocks.back(), columns.size());
    }
  }
}

void encode_texts(const TextNumbers& texts, std::vector<std::unique_ptr<EncodedBlock>>& blocks) {
  for (size_t first = 0; first < texts.count(); first += kMostRows) {
    std::vector<int64_t> ids;
    std::vector<log::Text> bytes;
    for (size_t number = first + 1; number <= std::min<size_t>(first + kMostRows, texts.count()); ++number) {
      const std::string& text = texts.text(number);
      ids.push_back(static_cast<int64_t>(number));
      bytes.push_back({text.data(), static_cast<uint32_t>(std::min<size_t>(text.size(), log::kMaxTextBytes))});
    }
    const auto rows = static_cast<uint32_t>(ids.size());
    blocks.push_back(new_block(static_cast<uint16_t>(log::RecordKind::kString), rows));
    EncodedBlock& block = *blocks.back();
    add_column(block, 0, ids.data());
    if (!log::encode_texts(bytes.data(), rows, block.bytes, block.header.columns)) run_out_of_memory();
  }
}

template <class T>
std::vector<std::unique_ptr<EncodedBlock>> encode(const TableLayout& layout, uint16_t first_kind, T& value) {
  TextNumbers texts;
  TableWriter rows(layout, texts);
  rows.add(value);
  std::vector<std::unique_ptr<EncodedBlock>> blocks;
  encode_texts(texts, blocks);
  encode_tables(layout, rows, first_kind, blocks);
  return blocks;
}

}  // namespace

EncodedLog encode_log(LogFacts& facts, ReducedLog& log) {
  return {encode(facts_layout(), kFirstFactsTable, facts), encode(timelines_layout(), kFirstTimelineTable, log)};
}

Status HostTimelineWriter::create(const std::string& path, const std::string& host) {
  path_ = path;
  log::FileHeader header{};
  header.required_features = log::kFeatureTimelines;
  std::memcpy(header.host, host.data(), std::min(host.size(), sizeof header.host - 1));
  const int error = file_.create(path.c_str(), header);
  return error == 0 ? Status::ok() : Status::error(path + ": cannot be written: " + std::strerror(error));
}

Status HostTimelineWriter::add(EncodedLog& log) {
  const auto facts = static_cast<int64_t>(log.facts.size());
  const auto blocks = facts + static_cast<int64_t>(log.tables.size());
  if (Status status = write_row(log::RecordKind::kReducedLog, {layout_digest(), facts, blocks}); !status.is_ok())
    return status;
  for (auto* const part : {&log.facts, &log.tables})
    for (const std::unique_ptr<EncodedBlock>& block : *part)
      if (Status status = write(*block); !status.is_ok()) return status;
  return Status::ok();
}

Status HostTimelineWriter::finish() {
  if (Status status = write_row(log::RecordKind::kEnd, {1}); !status.is_ok()) return status;
  const int error = file_.close();
  return error == 0 ? Status::ok() : Status::error(path_ + ": cannot be written: " + std::strerror(error));
}

Status HostTimelineWriter::write(EncodedBlock& block) {
  block.header.first_record = records_;
  records_ += block.header.records;
  const int error = file_.write_block(block.header, block.bytes);
  return error == 0 ? Status::ok() : Status::error(path_ + ": cannot be written: " + std::strerror(error));
}

Status HostTimelineWriter::write_row(log::RecordKind kind, const std::vector<int64_t>& values) {
  const std::unique_ptr<EncodedBlock> block = new_block(static_cast<uint16_t>(kind), 1);
  for (size_t column = 0; column < values.size(); ++column) add_column(*block, column, &values[column]);
  return write(*block);
}

}  // namespace tauprof
