// Log rows made from single activity records of CUPTI, without the call that launched the work.
#pragma once

#include <stdint.h>

#include "capture/device/cupti_records.h"
#include "log/writer.h"

namespace tauprof::capture {

template <class Record>
const Record& record_as(const uint8_t* bytes) {
  return *reinterpret_cast<const Record*>(bytes);
}

// Whether a record of this kind is of a kernel, copy, memset or graph.
bool is_work(uint32_t kind);

// Makes a row of a kernel, copy, memset or graph, and gives CUPTI's id of the launch. False: the record is of another
// kind.
bool make_work_row(log::Writer& writer, const uint8_t* record, log::DeviceActivity& row, uint32_t& correlation);

log::DeviceActivity synchronization_row(log::Writer& writer, const cupti_records::Synchronization& record,
                                        uint32_t device);

}  // namespace tauprof::capture
