#include "read/record_block.h"

#include "read/decoded_block.h"

namespace tauprof {

Column RecordBlock::column(uint16_t number) const { return decoded_->column(number); }
std::string_view RecordBlock::text(uint32_t row) const { return decoded_->text(row); }

}  // namespace tauprof
