#include "read/log_reader.h"

#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "read/decoded_block.h"
#include "read/file_header.h"
#include "read/file_window.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tauprof {
namespace {

constexpr uint16_t kLongestBlockHeader = 4096;
constexpr uint64_t kRecordNumberLimit = uint64_t{1} << 62;
// Rows that take no byte of payload, because all their values are constant: a header alone could claim millions of
// them. Real ones are rare, as no two events have all values in common.
constexpr uint64_t kMostIdenticalRows = 16'384, kIdenticalRowsPerByte = 8;  // of a file
constexpr const char* kUnreadable = "the file cannot be read there";
constexpr const char* kCutOff = "a block is cut off by the end of the file";

// How many columns of a kind this reader knows; 0: it does not know the kind.
uint16_t known_columns(uint16_t kind, const log::FileHeader& header) {
  if (kind >= log::kFirstTable)
    return (header.required_features & log::kFeatureTimelines) != 0 ? log::kMaxTableColumns : 0;
  switch (static_cast<log::RecordKind>(kind)) {
#define TAUPROF_RECORD(number, Type, name, role) \
  case log::RecordKind::k##Type:                 \
    return log::kColumnCount<log::Type>;
#define TAUPROF_COLUMN(name, form)
#define TAUPROF_RECORD_END()
#include "log/schema.def"
    default:
      return 0;
  }
}

bool has_sane_sizes(const log::BlockHeader& header) {
  return header.header_size >= sizeof header && header.header_size <= kLongestBlockHeader && header.records > 0 &&
         header.records <= log::kMaxBlockRecords && header.stored_size <= log::kMaxBlockBytes &&
         header.raw_size <= log::kMaxBlockBytes && header.first_record < kRecordNumberLimit;
}

bool is_recap(const log::BlockHeader& header) { return (header.flags & log::kBlockRecap) != 0; }
uint64_t size_of(const log::BlockHeader& header) { return uint64_t{header.header_size} + header.stored_size; }

}  // namespace

struct LogReader::State {
  FileWindow file;
  log::FileHeader header;
  LogLoss loss;
  bool keeps_unknown_kinds = false;

  bool next(RecordBlock& block);
  bool skip(uint64_t blocks);
  uint64_t offset() const { return offset_; }

 private:
  enum class Verdict { kGood, kUnknownKind, kDamaged };
  struct FreeDecompressor {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  const char* read_header(uint64_t at, log::BlockHeader& block);
  Verdict read_block(const log::BlockHeader& header, RecordBlock& block);
  const char* read_payload(const log::BlockHeader& header, DecodedBlock& decoded);
  bool has_backed_rows(const log::BlockHeader& header);
  const char* unpack(const log::BlockHeader& header, Bytes stored, DecodedBlock& decoded);
  void pass(const log::BlockHeader& header);
  void enter_damage(const char* what);
  void leave_damage();
  void skip_damaged_block(const log::BlockHeader& header);
  void seek_block(uint64_t from);
  void count(const log::BlockHeader& header);
  void finish();

  uint64_t offset_ = 0;         // the next block is expected here
  uint64_t records_ = 0;        // number of the next record, counting lost ones
  uint64_t identical_ = 0;      // rows so far that took no byte
  uint64_t promised_ = 0;       // records that the headers of damaged blocks announce
  bool has_end_ = false;        // an end record was read …
  bool ends_with_end_ = false;  // … and nothing after it
  bool is_damaged_ = false;     // inside a damaged region
  uint64_t damage_start_ = 0;   // of this region, or of the last
  uint64_t damage_end_ = 0;
  const char* damage_ = nullptr;
  std::unique_ptr<ZSTD_DCtx, FreeDecompressor> decompressor_{ZSTD_createDCtx()};

  friend class LogReader;
};

bool LogReader::State::next(RecordBlock& block) {
  if (block.decoded_ == nullptr) block.decoded_ = std::make_shared<DecodedBlock>();
  while (offset_ < file.file_bytes()) {
    log::BlockHeader header_of_block;
    if (const char* what = read_header(offset_, header_of_block)) {
      enter_damage(what);
      seek_block(offset_ + 1);
      continue;
    }
    const Verdict verdict = read_block(header_of_block, block);
    if (verdict == Verdict::kDamaged) {
      skip_damaged_block(header_of_block);
      continue;
    }
    pass(header_of_block);
    if (verdict == Verdict::kGood) return true;
  }
  finish();
  return false;
}

void LogReader::State::pass(const log::BlockHeader& header_of_block) {
  leave_damage();
  count(header_of_block);
  offset_ += size_of(header_of_block);
}

bool LogReader::State::skip(uint64_t blocks) {
  std::vector<log::BlockHeader> headers;
  uint64_t at = offset_;
  for (uint64_t i = 0; i < blocks; ++i) {
    log::BlockHeader header_of_block;
    if (read_header(at, header_of_block) != nullptr) return false;
    at += size_of(header_of_block);
    if (at > file.file_bytes()) return false;
    headers.push_back(header_of_block);
  }
  for (const log::BlockHeader& one : headers) pass(one);
  return true;
}

// Null if there is a sound block header at that offset, else what is wrong.
const char* LogReader::State::read_header(uint64_t at, log::BlockHeader& block) {
  const Bytes bytes = file.view(at, sizeof block);
  const size_t sync_bytes = std::min(bytes.size, sizeof log::kBlockSync);
  if (memcmp(bytes.data, log::kBlockSync, sync_bytes) != 0) return "no block starts where one should";
  if (bytes.size < sizeof block) return at + sizeof block > file.file_bytes() ? kCutOff : kUnreadable;
  memcpy(&block, bytes.data, sizeof block);
  if (block.header_checksum != XXH3_64bits(&block, offsetof(log::BlockHeader, header_checksum)))
    return "a block header is damaged";
  return has_sane_sizes(block) ? nullptr : "a block header makes no sense";
}

LogReader::State::Verdict LogReader::State::read_block(const log::BlockHeader& header_of_block, RecordBlock& block) {
  const uint16_t columns = known_columns(header_of_block.kind, header);
  const bool is_known = columns != 0;
  const char* what = has_backed_rows(header_of_block) ? read_payload(header_of_block, *block.decoded_)
                                                      : "a block has far more records than bytes";
  if (what == nullptr && !is_recap(header_of_block) && header_of_block.first_record < records_)
    what = "record numbers run backwards: a block is out of order";
  if (what != nullptr) {
    enter_damage(what);
    return Verdict::kDamaged;
  }
  if (is_known || keeps_unknown_kinds) {
    what = block.decoded_->decode(header_of_block, is_known ? columns : log::kMaxColumns);
    if (what != nullptr && is_known) {
      enter_damage(what);
      return Verdict::kDamaged;
    }
  }
  block.kind_ = static_cast<log::RecordKind>(header_of_block.kind);
  block.records_ = header_of_block.records;
  block.recap_ = is_recap(header_of_block);
  ends_with_end_ = block.kind_ == log::End::kKind;
  has_end_ = has_end_ || ends_with_end_;
  if (!is_known) ++loss.unknown_blocks;
  return is_known || (keeps_unknown_kinds && what == nullptr) ? Verdict::kGood : Verdict::kUnknownKind;
}

bool LogReader::State::has_backed_rows(const log::BlockHeader& header_of_block) {
  if (header_of_block.records <= header_of_block.raw_size) return true;
  identical_ += header_of_block.records - header_of_block.raw_size;
  return identical_ <= std::min(kMostIdenticalRows, kIdenticalRowsPerByte * file.file_bytes());
}

const char* LogReader::State::read_payload(const log::BlockHeader& header_of_block, DecodedBlock& decoded) {
  const uint64_t start = offset_ + header_of_block.header_size;
  const uint64_t file_bytes = file.file_bytes();
  if (start > file_bytes || header_of_block.stored_size > file_bytes - start) return kCutOff;
  const Bytes stored = file.view(start, header_of_block.stored_size);
  if (stored.size != header_of_block.stored_size) return kUnreadable;
  if (header_of_block.payload_checksum != XXH3_64bits(stored.data, stored.size))
    return "a block's content does not match its checksum";
  return unpack(header_of_block, stored, decoded);
}

const char* LogReader::State::unpack(const log::BlockHeader& header_of_block, Bytes stored, DecodedBlock& decoded) {
  const uint32_t raw_size = header_of_block.raw_size;
  switch (static_cast<log::Compression>(header_of_block.compression)) {
    case log::Compression::kNone:
      if (raw_size != stored.size) return "an uncompressed block has two sizes";
      if (raw_size > 0) memcpy(decoded.raw(raw_size), stored.data, raw_size);
      return nullptr;
    case log::Compression::kZstd: {
      const size_t size =
          ZSTD_decompressDCtx(decompressor_.get(), decoded.raw(raw_size), raw_size, stored.data, stored.size);
      return size == raw_size ? nullptr : "a block does not decompress";
    }
  }
  return "a block has a compression that this version of the log does not know";
}

void LogReader::State::enter_damage(const char* what) {
  if (is_damaged_) return;
  is_damaged_ = true;
  damage_start_ = offset_;
  damage_ = what;
}

void LogReader::State::leave_damage() {
  if (!is_damaged_) return;
  is_damaged_ = false;
  damage_end_ = offset_;
  const uint64_t bytes = offset_ - damage_start_;
  loss.regions.push_back({damage_start_, bytes, damage_});
  loss.lost_bytes += bytes;
}

// The block's header is sound, so its number of records is known. Its size is believed if the next block, or the end of
// the file, is where the size says.
void LogReader::State::skip_damaged_block(const log::BlockHeader& header_of_block) {
  const uint64_t records = is_recap(header_of_block) ? 0 : header_of_block.records;
  promised_ = std::max(promised_, header_of_block.first_record + records);
  const uint64_t end = offset_ + size_of(header_of_block);
  log::BlockHeader following;
  const bool is_whole = end == file.file_bytes() || (end < file.file_bytes() && !read_header(end, following));
  if (!is_whole) return seek_block(offset_ + 1);
  offset_ = end;
  leave_damage();
}

void LogReader::State::seek_block(uint64_t from) {
  log::BlockHeader found;
  for (offset_ = from; offset_ < file.file_bytes(); ++offset_) {
    offset_ = file.find(offset_, log::kBlockSync, sizeof log::kBlockSync);
    if (offset_ < file.file_bytes() && !read_header(offset_, found)) return;
  }
  offset_ = file.file_bytes();
}

void LogReader::State::count(const log::BlockHeader& header_of_block) {
  if (header_of_block.first_record > records_) {
    loss.lost_records += header_of_block.first_record - records_;
    records_ = header_of_block.first_record;
  }
  if (!is_recap(header_of_block)) records_ += header_of_block.records;
}

void LogReader::State::finish() {
  leave_damage();
  const bool ends_in_damage = damage_ != nullptr && damage_end_ == offset_;
  const bool is_cut_off = ends_in_damage && damage_ == kCutOff;
  if (promised_ > records_) {
    loss.lost_records += promised_ - records_;
    records_ = promised_;
  }
  loss.is_cut_short = !has_end_ || is_cut_off || (!ends_in_damage && !ends_with_end_);
}

LogReader::LogReader() : state_(std::make_unique<State>()) {}
LogReader::~LogReader() = default;

Status LogReader::open(const std::string& path, std::unique_ptr<LogReader>& reader) {
  std::unique_ptr<LogReader> opened(new LogReader);
  State& state = *opened->state_;
  if (Status status = state.file.open(path); !status.is_ok()) return status;
  const Bytes bytes = state.file.view(0, sizeof state.header);
  if (Status status = read_file_header(path, bytes, state.header); !status.is_ok()) return status;
  state.offset_ = state.header.header_size;
  reader = std::move(opened);
  return Status::ok();
}

const log::FileHeader& LogReader::header() const { return state_->header; }
uint64_t LogReader::file_bytes() const { return state_->file.file_bytes(); }
uint64_t LogReader::offset() const { return state_->offset(); }
void LogReader::go_to(uint64_t offset) { state_->offset_ = offset; }
bool LogReader::skip(uint64_t blocks) { return state_->skip(blocks); }
void LogReader::keep_unknown_kinds() { state_->keeps_unknown_kinds = true; }
bool LogReader::next(RecordBlock& block) { return state_->next(block); }
const LogLoss& LogReader::loss() const { return state_->loss; }

}  // namespace tauprof
