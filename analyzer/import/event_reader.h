// Parses the events of a batch: as one JSON array if possible, which is faster than starting simdjson for each event,
// and one by one from the first event that fails.
#pragma once

#include <simdjson.h>

#include <cstdint>

#include "import/batch.h"
#include "import/event_fields.h"

namespace tauprof::kineto {

class EventVisitor {
 public:
  virtual ~EventVisitor() = default;
  virtual void visit(const Event& event) = 0;
};

class EventReader {
 public:
  explicit EventReader(EventVisitor& visitor) : visitor_(visitor) {}

  // Visits the events of the batch in order and returns how many could not be parsed. Changes the text of the batch.
  uint64_t read(Batch& batch);

 private:
  using Object = simdjson::ondemand::object;

  size_t read_as_array(Batch& batch);
  bool read_one(Batch& batch, Slice slice);
  uint64_t salvage(Batch& batch, Slice slice);
  bool read_object(Object object);
  void reset();

  EventVisitor& visitor_;
  simdjson::ondemand::parser parser_;
  Event event_;  // large, so only the fields that were filled are reset for the next event
  bool has_args_ = false;
};

}  // namespace tauprof::kineto
