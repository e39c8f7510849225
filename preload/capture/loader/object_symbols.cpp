#include "capture/loader/object_symbols.h"

#include <string.h>

namespace tauprof::capture {
namespace {

constexpr unsigned kIndexBits = 0x7FFF, kHiddenBit = 0x8000;

uint32_t gnu_hash_of(const char* name) {
  uint32_t hash = 5381;
  for (; *name != '\0'; ++name) hash = hash * 33 + static_cast<unsigned char>(*name);
  return hash;
}

uint32_t sysv_hash_of(const char* name) {
  uint32_t hash = 0;
  for (; *name != '\0'; ++name) {
    hash = (hash << 4) + static_cast<unsigned char>(*name);
    hash = (hash ^ (hash >> 24 & 0xF0)) & 0x0FFFFFFF;
  }
  return hash;
}

// The loader binds calls to such symbols: functions and the like that other objects may see.
bool can_be_bound(const ElfW(Sym) & symbol) {
  const unsigned type = symbol.st_info & 0xF, binding = symbol.st_info >> 4, visibility = symbol.st_other & 3;
  if (symbol.st_shndx == SHN_UNDEF || (symbol.st_value == 0 && symbol.st_shndx != SHN_ABS)) return false;
  if (visibility == STV_HIDDEN || visibility == STV_INTERNAL) return false;
  if (binding != STB_GLOBAL && binding != STB_WEAK && binding != STB_GNU_UNIQUE) return false;
  return type == STT_NOTYPE || type == STT_OBJECT || type == STT_FUNC || type == STT_COMMON || type == STT_GNU_IFUNC;
}

}  // namespace

SymbolReference::SymbolReference(const char* its_name) : name(its_name), gnu_hash(gnu_hash_of(its_name)) {}

// The loader has relocated some of the dynamic section's addresses in place.
ObjectSymbols::ObjectSymbols(const link_map* map) : map_(map) {
  for (const ElfW(Dyn)* entry = map->l_ld; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
    const uintptr_t value = entry->d_un.d_ptr;
    const auto* const address = reinterpret_cast<const void*>(value < map->l_addr ? value + map->l_addr : value);
    if (entry->d_tag == DT_SYMTAB) symbols_ = static_cast<const ElfW(Sym)*>(address);
    if (entry->d_tag == DT_STRTAB) strings_ = static_cast<const char*>(address);
    if (entry->d_tag == DT_VERSYM) versions_ = static_cast<const ElfW(Half)*>(address);
    if (entry->d_tag == DT_VERNEED) needed_ = static_cast<const ElfW(Verneed)*>(address);
    if (entry->d_tag == DT_VERNEEDNUM) needed_count_ = value;
    if (entry->d_tag == DT_VERDEF) defined_ = static_cast<const ElfW(Verdef)*>(address);
    if (entry->d_tag == DT_VERDEFNUM) defined_count_ = value;
    if (entry->d_tag == DT_GNU_HASH) gnu_table_ = static_cast<const uint32_t*>(address);
    if (entry->d_tag == DT_HASH) sysv_table_ = static_cast<const uint32_t*>(address);
    if (entry->d_tag == DT_JMPREL) relocations_[0] = static_cast<const ElfW(Rela)*>(address);
    if (entry->d_tag == DT_PLTRELSZ) relocation_bytes_[0] = value;
    if (entry->d_tag == DT_RELA) relocations_[1] = static_cast<const ElfW(Rela)*>(address);
    if (entry->d_tag == DT_RELASZ) relocation_bytes_[1] = value;
  }
  if (needed_ == nullptr) needed_count_ = 0;
  if (defined_ == nullptr) defined_count_ = 0;
  if (needed_count_ + defined_count_ == 0) versions_ = nullptr;
  if (strings_ == nullptr || symbols_ == nullptr) gnu_table_ = sysv_table_ = nullptr;
}

bool ObjectSymbols::is_named(const ElfW(Sym) & symbol, const char* name) const {
  return strcmp(strings_ + symbol.st_name, name) == 0;
}

// Header: buckets, first symbol, words of the Bloom filter, shift. A chain ends with an odd hash.
template <class Visit>
    const ElfW(Sym) * ObjectSymbols::first_in_gnu_table(const SymbolReference& wanted, Visit visit) const {
  const uint32_t bucket_count = gnu_table_[0], first = gnu_table_[1], words = gnu_table_[2], shift = gnu_table_[3];
  if (bucket_count == 0 || words == 0) return nullptr;
  const auto* const filter = reinterpret_cast<const ElfW(Addr)*>(gnu_table_ + 4);
  constexpr unsigned kBits = 8 * sizeof(ElfW(Addr));
  const ElfW(Addr) word = filter[wanted.gnu_hash / kBits % words];
  if ((word >> wanted.gnu_hash % kBits & word >> (wanted.gnu_hash >> shift) % kBits & 1) == 0) return nullptr;
  const auto* const buckets = reinterpret_cast<const uint32_t*>(filter + words);
  const uint32_t* const hashes = buckets + bucket_count;
  uint32_t at = buckets[wanted.gnu_hash % bucket_count];
  if (at < first) return nullptr;
  for (;; ++at) {
    const uint32_t hash = hashes[at - first];
    if ((hash | 1) == (wanted.gnu_hash | 1) && is_named(symbols_[at], wanted.name) && visit(symbols_[at]))
      return &symbols_[at];
    if (hash & 1) return nullptr;
  }
}

template <class Visit>
    const ElfW(Sym) * ObjectSymbols::first_in_sysv_table(const SymbolReference& wanted, Visit visit) const {
  const uint32_t bucket_count = sysv_table_[0];
  if (bucket_count == 0) return nullptr;
  const uint32_t *const buckets = sysv_table_ + 2, *const next = buckets + bucket_count;
  for (uint32_t at = buckets[sysv_hash_of(wanted.name) % bucket_count]; at != STN_UNDEF; at = next[at])
    if (is_named(symbols_[at], wanted.name) && visit(symbols_[at])) return &symbols_[at];
  return nullptr;
}

template <class Visit>
    const ElfW(Sym) * ObjectSymbols::first_named(const SymbolReference& wanted, Visit visit) const {
  if (gnu_table_ != nullptr) return first_in_gnu_table(wanted, visit);
  return sysv_table_ != nullptr ? first_in_sysv_table(wanted, visit) : nullptr;
}

bool ObjectSymbols::matches_version(const ElfW(Sym) & symbol, const SymbolReference& reference) const {
  const unsigned index = version_index(symbol);
  const char* const version = defined_version(index & kIndexBits);
  if (version != nullptr && strcmp(version, reference.version) == 0) return true;
  return version == nullptr && !reference.is_exact && (index & kHiddenBit) == 0;
}

const ElfW(Sym) * ObjectSymbols::definition(const SymbolReference& reference) const {
  const unsigned first_version = reference.is_of_dlsym ? 2 : 3;  // from here on, versions are not taken at once
  const ElfW(Sym)* versioned = nullptr;
  unsigned versioned_count = 0;
  const ElfW(Sym)* const found = first_named(reference, [&](const ElfW(Sym) & symbol) {
    if (!can_be_bound(symbol)) return false;
    if (versions_ == nullptr) return true;
    if (reference.version != nullptr) return matches_version(symbol, reference);
    const unsigned index = version_index(symbol);
    if ((index & kIndexBits) < first_version) return true;
    if ((index & kHiddenBit) == 0 && versioned_count++ == 0) versioned = &symbol;
    return false;
  });
  return found == nullptr && versioned_count == 1 ? versioned : found;
}

// The hash table says where the symbols start that it covers; the undefined ones come before. Where it covers none, it
// says nothing, and the relocations know the last one.
size_t ObjectSymbols::undefined_end() const {
  if (gnu_table_ == nullptr) return sysv_table_ != nullptr ? sysv_table_[1] : 0;
  size_t end = gnu_table_[1];
  if (end > 1) return end;
  for (int i = 0; i < 2; ++i)
    for (size_t j = 0; j < relocation_bytes_[i] / sizeof(ElfW(Rela)); ++j) {
      const size_t symbol = relocations_[i][j].r_info >> 32;
      if (symbol >= end) end = symbol + 1;
    }
  return end;
}

bool ObjectSymbols::read_reference(SymbolReference& reference) const {
  if (gnu_table_ == nullptr && sysv_table_ == nullptr) return false;
  const auto is_undefined = [](const ElfW(Sym) & symbol) { return symbol.st_shndx == SHN_UNDEF; };
  // A function whose address the program takes is in the table, even though the program does not define it.
  const ElfW(Sym)* found = first_named(reference, is_undefined);
  for (size_t i = 1, end = undefined_end(); i < end && found == nullptr; ++i)
    if (is_undefined(symbols_[i]) && is_named(symbols_[i], reference.name)) found = &symbols_[i];
  if (found == nullptr) return false;
  if (versions_ == nullptr) return true;
  const unsigned index = version_index(*found) & kIndexBits;
  reference.version = first_needed_version([&](const ElfW(Vernaux) & version) {
    if ((version.vna_other & kIndexBits) != index) return false;
    reference.is_exact = version.vna_other & kHiddenBit;
    return true;
  });
  return true;
}

template <class IsWanted>
const char* ObjectSymbols::first_needed_version(IsWanted is_wanted) const {
  const auto* file_at = reinterpret_cast<const char*>(needed_);
  for (size_t i = 0; i < needed_count_; ++i) {
    const auto* const file = reinterpret_cast<const ElfW(Verneed)*>(file_at);
    const char* version_at = file_at + file->vn_aux;
    for (unsigned j = 0; j < file->vn_cnt; ++j) {
      const auto* const version = reinterpret_cast<const ElfW(Vernaux)*>(version_at);
      if (is_wanted(*version)) return strings_ + version->vna_name;
      version_at += version->vna_next;
    }
    file_at += file->vn_next;
  }
  return nullptr;
}

const char* ObjectSymbols::needed_version(const char* prefix) const {
  return first_needed_version(
      [&](const ElfW(Vernaux) & version) { return strncmp(strings_ + version.vna_name, prefix, strlen(prefix)) == 0; });
}

const char* ObjectSymbols::needed_library(const char* prefix) const {
  for (const ElfW(Dyn)* entry = map_->l_ld; strings_ != nullptr && entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_NEEDED && strncmp(strings_ + entry->d_un.d_val, prefix, strlen(prefix)) == 0)
      return strings_ + entry->d_un.d_val;
  return nullptr;
}

// Null also for the version that stands for the object itself.
const char* ObjectSymbols::defined_version(unsigned index) const {
  const auto* at = reinterpret_cast<const char*>(defined_);
  for (size_t i = 0; i < defined_count_; ++i) {
    const auto* const version = reinterpret_cast<const ElfW(Verdef)*>(at);
    if ((version->vd_ndx & kIndexBits) == index && (version->vd_flags & VER_FLG_BASE) == 0)
      return strings_ + reinterpret_cast<const ElfW(Verdaux)*>(at + version->vd_aux)->vda_name;
    at += version->vd_next;
  }
  return nullptr;
}

}  // namespace tauprof::capture
