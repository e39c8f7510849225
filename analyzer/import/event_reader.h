// Parses the events of a batch: all of them as one JSON array where nothing speaks against it, which
// saves simdjson a start per event; one by one from the first that fails.
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

  // Visits the events of the batch in order and returns how many could not be parsed. Changes the
  // batch's text.
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
  Event event_;  // large: only what was filled is emptied for the next
  bool has_args_ = false;
};

}  // namespace tauprof::kineto
