#include "capture/framework/settings.h"

#include <stdio.h>

#include "capture/rows/log_text.h"
#include "capture/rows/text_table.h"

namespace tauprof::capture {

Settings settings;

void Settings::set(uint32_t name, uint32_t value) {
  uint32_t i = 0;
  while (i < count_ && entries_[i].name != name) ++i;
  if (i == kMost) return;
  entries_[i].name = name;
  __atomic_store_n(&entries_[i].value, value, __ATOMIC_RELEASE);
  if (i == count_) __atomic_store_n(&count_, count_ + 1, __ATOMIC_RELEASE);
}

void Settings::write_new(log::Writer& writer) {
  const uint32_t count = __atomic_load_n(&count_, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < count; ++i) {
    Entry& entry = entries_[i];
    const uint32_t value = __atomic_load_n(&entry.value, __ATOMIC_ACQUIRE);
    const TextTable::Text *name = text_table.text(entry.name), *text = text_table.text(value);
    if (value == entry.written || name == nullptr || text == nullptr) continue;
    entry.written = value;
    char attribute[64];
    const int size = snprintf(attribute, sizeof attribute, "setting.%.*s", static_cast<int>(name->size), name->bytes);
    if (size < 0 || static_cast<size_t>(size) >= sizeof attribute) continue;
    const int64_t attribute_id = intern(writer, attribute);
    writer.append(log::Attribute{attribute_id, writer.intern(text->bytes, text->size)});
  }
}

}  // namespace tauprof::capture
