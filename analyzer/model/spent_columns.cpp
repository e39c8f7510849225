#include "model/spent_columns.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tauprof {
namespace {

constexpr size_t kHost = kLedgerRowCount, kCopied = kHost + kHostRowCount, kWork = kCopied + 1;

// Whether a whole number says the same, up to the last bit.
bool is_whole(double value) {
  constexpr double kExact = 1ll << std::numeric_limits<double>::digits;
  return std::abs(value) <= kExact &&
         std::bit_cast<int64_t>(static_cast<double>(static_cast<int64_t>(value))) == std::bit_cast<int64_t>(value);
}

}  // namespace

SpentColumns::Row SpentColumns::row_of(const SpentBefore& spent) {
  Row row{};
  std::copy(spent.device.rows.begin(), spent.device.rows.end(), row.begin());
  std::copy(spent.host.rows.begin(), spent.host.rows.end(), row.begin() + kHost);
  row[kCopied] = static_cast<int64_t>(spent.device.copied_bytes);
  for (size_t i = 0; i < kWorkMeasures.size(); ++i)
    row[kWork + i] = std::bit_cast<int64_t>(spent.device.work.*kWorkMeasures[i]);
  return row;
}

SpentColumns::SpentColumns(const std::vector<SpentBefore>& by_collective) : size_(by_collective.size()) {
  std::array<std::vector<int64_t>, kFields> values;
  for (const SpentBefore& spent : by_collective) {
    const Row row = row_of(spent);
    for (size_t field = 0; field < kFields; ++field) values[field].push_back(row[field]);
  }
  for (size_t field = 0; field < kFields; ++field) {
    std::vector<int64_t>& of_it = values[field];
    if (std::all_of(of_it.begin(), of_it.end(), [](int64_t value) { return value == 0; })) continue;
    const bool is_real = field >= kWork && !std::all_of(of_it.begin(), of_it.end(), [](int64_t value) {
                           return is_whole(std::bit_cast<double>(value));
                         });
    if (field >= kWork && !is_real)
      for (int64_t& value : of_it) value = static_cast<int64_t>(std::bit_cast<double>(value));
    columns_.push_back({field, is_real, std::move(of_it)});
    shorten(columns_.back());
  }
}

void SpentColumns::shorten(Column& column) {
  std::vector<int64_t> bases;
  std::vector<uint32_t> more;
  more.reserve(column.bases.size());
  for (size_t first = 0; first < column.bases.size(); first += kBlock) {
    const auto begin = column.bases.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begin + static_cast<std::ptrdiff_t>(std::min(kBlock, column.bases.size() - first));
    const auto [least, most] = std::minmax_element(begin, end);
    if (static_cast<uint64_t>(*most) - static_cast<uint64_t>(*least) > UINT32_MAX) return;
    bases.push_back(*least);
    for (auto value = begin; value != end; ++value)
      more.push_back(static_cast<uint32_t>(static_cast<uint64_t>(*value) - static_cast<uint64_t>(*least)));
  }
  bases.shrink_to_fit();
  column.bases = std::move(bases);
  column.more = std::move(more);
}

SpentBefore SpentColumns::operator[](size_t collective) const {
  SpentBefore spent;
  if (collective < size_)
    for (const Column& column : columns_) set(spent, column.field, column[collective], column.real(collective));
  return spent;
}

SpentBefore SpentColumns::between(size_t from, size_t to) const {
  SpentBefore spent;
  if (from < size_ && to < size_)
    for (const Column& column : columns_)
      set(spent, column.field, column.is_real ? 0 : column[to] - column[from], column.real(to) - column.real(from));
  return spent;
}

void SpentColumns::set(SpentBefore& spent, size_t field, int64_t value, double real) {
  if (field < kHost)
    spent.device.rows[field] = value;
  else if (field < kCopied)
    spent.host.rows[field - kHost] = value;
  else if (field == kCopied)
    spent.device.copied_bytes = static_cast<uint64_t>(value);
  else
    spent.device.work.*kWorkMeasures[field - kWork] = real;
}

}  // namespace tauprof
