#include "export/perfetto_packets.h"

#include <algorithm>
#include <protozero/pbf_writer.hpp>

#include "model/terminal_text.h"

namespace tauprof::perfetto {
namespace {

using protozero::pbf_writer;

// Numbers of the fields, by message.
namespace trace {
constexpr uint32_t kPacket = 1;
}
namespace packet {
constexpr uint32_t kTimestamp = 8, kSequenceId = 10, kTrackEvent = 11, kInternedData = 12, kSequenceFlags = 13,
                   kTrackDescriptor = 60;
constexpr uint32_t kStateCleared = 1, kNeedsState = 2;  // of kSequenceFlags
}  // namespace packet
namespace event {
constexpr uint32_t kCategoryIids = 3, kDebugAnnotations = 4, kType = 9, kNameIid = 10, kTrackUuid = 11, kName = 23,
                   kCounterValue = 30, kFlowIds = 47;
constexpr uint32_t kSliceBegin = 1, kSliceEnd = 2, kInstant = 3, kCounter = 4;  // of kType
}  // namespace event
namespace annotation {
constexpr uint32_t kNameIid = 1, kIntValue = 4, kStringIid = 17;
}
namespace interned {
constexpr uint32_t kCategories = 1, kEventNames = 2, kAnnotationNames = 3, kAnnotationTexts = 29;
constexpr uint32_t kIid = 1, kText = 2;  // of each entry
}  // namespace interned
namespace descriptor {
constexpr uint32_t kUuid = 1, kName = 2, kProcess = 3, kParentUuid = 5, kCounter = 8, kChildOrdering = 11,
                   kSiblingRank = 12;
constexpr uint32_t kPid = 1, kProcessName = 6;  // of kProcess
constexpr uint32_t kUnit = 3;                   // of kCounter
constexpr int32_t kExplicit = 3;                // of kChildOrdering
}  // namespace descriptor

}  // namespace

Iid PacketWriter::Interned::find_or_add(std::string_view text, bool& is_new) {
  const auto found = std::find(texts.begin(), texts.end(), text);
  is_new = found == texts.end();
  const auto index = static_cast<size_t>(found - texts.begin());
  if (is_new) texts.emplace_back(text);
  return index + 1;
}

void PacketWriter::start_sequence(uint32_t number) {
  sequence_ = number;
  is_first_ = true;
  known_names_.clear();
  categories_ = annotation_names_ = annotation_texts_ = Interned();
}

// Ends packet_, to which the caller has added what it is about.
void PacketWriter::write_packet() {
  pbf_writer writer(packet_);
  writer.add_uint32(packet::kSequenceId, sequence_);
  writer.add_uint32(packet::kSequenceFlags,
                    is_first_ ? packet::kStateCleared | packet::kNeedsState : packet::kNeedsState);
  if (!interned_.empty()) writer.add_message(packet::kInternedData, interned_);
  is_first_ = false;
  part_.clear();
  pbf_writer(part_).add_message(trace::kPacket, packet_);
  file_.write(part_);
  packet_.clear();
  interned_.clear();
}

Iid PacketWriter::intern(Interned& table, std::string_view text, uint32_t field) {
  bool is_new = false;
  const Iid iid = table.find_or_add(text, is_new);
  if (!is_new) return iid;
  entry_.clear();
  pbf_writer entry(entry_);
  entry.add_uint64(interned::kIid, iid);
  entry.add_string(interned::kText, std::string(text));
  pbf_writer(interned_).add_message(field, entry_);
  return iid;
}

Iid PacketWriter::intern_name(const Slice& slice) {
  if (known_names_.size() <= slice.name_key) known_names_.resize(slice.name_key + 1);
  if (known_names_[slice.name_key]) return slice.name_key;
  known_names_[slice.name_key] = true;
  entry_.clear();
  pbf_writer entry(entry_);
  entry.add_uint64(interned::kIid, slice.name_key);
  entry.add_string(interned::kText, valid_utf8(slice.name));
  pbf_writer(interned_).add_message(interned::kEventNames, entry_);
  return slice.name_key;
}

void PacketWriter::add_event(const Slice& slice, uint64_t type) {
  event_.clear();
  pbf_writer writer(event_);
  writer.add_uint64(event::kType, type);
  writer.add_uint64(event::kTrackUuid, slice.track);
  if (slice.name_key != 0)
    writer.add_uint64(event::kNameIid, intern_name(slice));
  else
    writer.add_string(event::kName, valid_utf8(slice.name));
  if (!slice.category.empty())
    writer.add_uint64(event::kCategoryIids, intern(categories_, slice.category, interned::kCategories));
  if (slice.annotations)
    for (const Annotation& one : *slice.annotations) {
      const Iid name = intern(annotation_names_, one.name, interned::kAnnotationNames);
      const Iid text = one.text.empty() ? 0 : intern(annotation_texts_, one.text, interned::kAnnotationTexts);
      pbf_writer annotation_writer(writer, event::kDebugAnnotations);
      annotation_writer.add_uint64(annotation::kNameIid, name);
      if (text != 0)
        annotation_writer.add_uint64(annotation::kStringIid, text);
      else
        annotation_writer.add_int64(annotation::kIntValue, one.number);
    }
  if (slice.flows)
    for (const uint64_t flow : *slice.flows) writer.add_fixed64(event::kFlowIds, flow);
  pbf_writer packet_writer(packet_);
  packet_writer.add_uint64(packet::kTimestamp, static_cast<uint64_t>(slice.time));
  packet_writer.add_message(packet::kTrackEvent, event_);
  write_packet();
}

void PacketWriter::begin(const Slice& slice) { add_event(slice, event::kSliceBegin); }
void PacketWriter::instant(const Slice& slice) { add_event(slice, event::kInstant); }

void PacketWriter::end(uint64_t track, Nanoseconds time) {
  pbf_writer writer(packet_);
  writer.add_uint64(packet::kTimestamp, static_cast<uint64_t>(time));
  {
    pbf_writer event_writer(writer, packet::kTrackEvent);
    event_writer.add_uint64(event::kType, event::kSliceEnd);
    event_writer.add_uint64(event::kTrackUuid, track);
  }
  write_packet();
}

void PacketWriter::count(uint64_t track, Nanoseconds time, int64_t value) {
  pbf_writer writer(packet_);
  writer.add_uint64(packet::kTimestamp, static_cast<uint64_t>(time));
  {
    pbf_writer event_writer(writer, packet::kTrackEvent);
    event_writer.add_uint64(event::kType, event::kCounter);
    event_writer.add_uint64(event::kTrackUuid, track);
    event_writer.add_int64(event::kCounterValue, value);
  }
  write_packet();
}

// `kind`: the message that says what it is besides a track, for the field `field`; 0: nothing.
void PacketWriter::add_descriptor(uint64_t track, uint64_t parent, std::string_view name, const std::string& kind,
                                  uint32_t field) {
  event_.clear();
  pbf_writer writer(event_);
  writer.add_uint64(descriptor::kUuid, track);
  if (parent != 0) writer.add_uint64(descriptor::kParentUuid, parent);
  if (!name.empty()) writer.add_string(descriptor::kName, valid_utf8(name));
  writer.add_int32(descriptor::kChildOrdering, descriptor::kExplicit);
  writer.add_int32(descriptor::kSiblingRank, rank_of_track_++);
  if (field != 0) writer.add_message(field, kind);
  pbf_writer(packet_).add_message(packet::kTrackDescriptor, event_);
  write_packet();
}

void PacketWriter::add_process(uint64_t track, int32_t pid, std::string_view name) {
  std::string process;
  pbf_writer writer(process);
  writer.add_int32(descriptor::kPid, pid);
  writer.add_string(descriptor::kProcessName, valid_utf8(name));
  add_descriptor(track, 0, {}, process, descriptor::kProcess);
}

void PacketWriter::add_track(uint64_t track, uint64_t parent, std::string_view name) {
  add_descriptor(track, parent, name, {}, 0);
}

void PacketWriter::add_counter(uint64_t track, uint64_t parent, std::string_view name, CounterUnit unit) {
  std::string counter;
  pbf_writer(counter).add_uint64(descriptor::kUnit, static_cast<uint64_t>(unit));
  add_descriptor(track, parent, name, counter, descriptor::kCounter);
}

}  // namespace tauprof::perfetto
