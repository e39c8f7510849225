// The symbols that a loaded object defines and refers to, matched by the rules of the dynamic loader.
//
// A versioned reference (`cudaMalloc@libcudart.so.13`) matches a definition with that version, and one without any
// version. An unversioned reference matches a definition without a version, the object's oldest version, or its only
// one. dlsym() asks for the default version (`@@`) instead of the oldest.
#pragma once

#include <link.h>
#include <stddef.h>
#include <stdint.h>

namespace tauprof::capture {

struct SymbolReference {
  explicit SymbolReference(const char* its_name);

  const char* name;
  uint32_t gnu_hash;
  const char* version = nullptr;  // null: none
  bool is_exact = false;          // versioned, and a definition without a version does not match
  bool is_of_dlsym = false;
};

// Reads the object's own tables. The object must stay loaded meanwhile: with_loader_list().
class ObjectSymbols {
 public:
  explicit ObjectSymbols(const link_map* map);

  // The definition that the loader would bind the reference to; null: none in this object.
  const ElfW(Sym) * definition(const SymbolReference& reference) const;
  // Fills in the version with which the object refers to `reference.name`. False: it does not refer to it.
  bool read_reference(SymbolReference& reference) const;
  // The first version that the object needs of any library and that starts with `prefix`, or null.
  const char* needed_version(const char* prefix) const;
  // The first library that the object needs and whose name starts with `prefix`, or null.
  const char* needed_library(const char* prefix) const;
  // Calls visit(name) for each symbol that the object refers to and does not define, except some whose address a
  // program takes.
  template <class Visit>
  void each_undefined(Visit visit) const {
    for (size_t i = 1, end = undefined_end(); i < end; ++i)
      if (symbols_[i].st_shndx == SHN_UNDEF) visit(strings_ + symbols_[i].st_name);
  }

 private:
  template <class Visit>
      const ElfW(Sym) * first_named(const SymbolReference& wanted, Visit visit) const;
  template <class Visit>
      const ElfW(Sym) * first_in_gnu_table(const SymbolReference& wanted, Visit visit) const;
  template <class Visit>
      const ElfW(Sym) * first_in_sysv_table(const SymbolReference& wanted, Visit visit) const;
  template <class IsWanted>
  const char* first_needed_version(IsWanted is_wanted) const;
  const char* defined_version(unsigned index) const;
  bool matches_version(const ElfW(Sym) & symbol, const SymbolReference& reference) const;
  bool is_named(const ElfW(Sym) & symbol, const char* name) const;
  size_t undefined_end() const;
  unsigned version_index(const ElfW(Sym) & symbol) const { return versions_[&symbol - symbols_]; }

  const link_map* map_;
  const ElfW(Sym) * symbols_ = nullptr;
  const char* strings_ = nullptr;
  const ElfW(Half) * versions_ = nullptr;  // null: nothing has a version here
  const ElfW(Verneed) * needed_ = nullptr;
  const ElfW(Verdef) * defined_ = nullptr;
  const uint32_t* gnu_table_ = nullptr;
  const uint32_t* sysv_table_ = nullptr;
  const ElfW(Rela) * relocations_[2] = {};  // the PLT's, and all others
  size_t relocation_bytes_[2] = {};
  size_t needed_count_ = 0;
  size_t defined_count_ = 0;
};

}  // namespace tauprof::capture
