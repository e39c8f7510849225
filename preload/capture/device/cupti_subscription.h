// A subscription of our own beside those of other clients. From CUDA 13.3 with driver r610 several clients with
// subscribers get records at the same time, if the first of them allows it. Each then has its own kinds and buffers,
// and from 13.4 its own clock, without which our times could not be told from the program's.
//
// CUPTI refuses clients of the functions without a subscriber as long as there is one with, and the other way round.
// So the recorder subscribes only where another client has done so, and leaves when that one does.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/device/cupti_library.h"

namespace tauprof::capture {

class CuptiSubscription {
 public:
  // Functions that CUPTI calls. The last argument belongs to CUPTI and has facts that we do not need.
  using Requested = void(CUPTIAPI*)(uint8_t** buffer, size_t* size, size_t* most_records, const void*);
  using Completed = void(CUPTIAPI*)(uint8_t* buffer, size_t size, size_t valid, const void*);

  // False: this CUPTI lacks a function. There is one object per process, because the functions that it binds carry no
  // context. `cupti` outlives it.
  bool load(const CuptiLibrary& cupti);
  // Subscribes, unless CUPTI refuses a part of it.
  CUptiResult open(Requested requested, Completed completed, CUpti_TimestampCallbackFunc clock);
  void close();
  // Until CUPTI has let us go.
  bool is_open() const { return __atomic_load_n(&is_open_, __ATOMIC_ACQUIRE); }

  // The functions of CUPTI, those that have a subscriber with ours.
  const CuptiLibrary& bound() const { return bound_; }
  // Whether graphs are traced as a whole: the first subscriber decides that for all.
  bool has_whole_graphs() const { return has_whole_graphs_; }
  // Whether no other subscriber has enabled anything, once we have disabled ours. Only then may a flush be forced,
  // because it takes the unfinished work of all.
  bool is_alone() const;

  // The part of CUpti_SubscriberParams that CUDA 13.2 appended: whether the subscriber allows others.
  static bool allows_others(const void* parameters);

 private:
  using Handle = CUpti_SubscriberHandle;
  struct Parameters {
    size_t size;
    const char* name;
    char* old_name;
    size_t old_name_size;
    uint8_t allows_others;
    uint8_t padding[7];
  };
  struct Functions {
    CUptiResult(CUPTIAPI* subscribe)(Handle*, CUpti_CallbackFunc, void*, Parameters*);
    CUptiResult(CUPTIAPI* register_callbacks)(Handle, Requested, Completed);
    CUptiResult(CUPTIAPI* enable)(Handle, CUpti_ActivityKind, void*);
    CUptiResult(CUPTIAPI* disable)(Handle, CUpti_ActivityKind, void*);
    CUptiResult(CUPTIAPI* enable_runtime)(Handle, CUpti_CallbackId, uint8_t);
    CUptiResult(CUPTIAPI* enable_driver)(Handle, CUpti_CallbackId, uint8_t);
    CUptiResult(CUPTIAPI* next_record)(Handle, uint8_t*, size_t, CUpti_Activity**);
    CUptiResult(CUPTIAPI* count_dropped)(Handle, CUcontext, uint32_t, size_t*);
    CUptiResult(CUPTIAPI* get_attribute)(Handle, CUpti_ActivityAttribute, size_t*, void*);
    CUptiResult(CUPTIAPI* set_attribute)(Handle, CUpti_ActivityAttribute, size_t*, void*);
    CUptiResult(CUPTIAPI* enabled_kinds)(Handle, CUpti_ActivityKind*, uint32_t*, uint32_t*);
  };
  CUptiResult configure(Requested requested, Completed completed, CUpti_TimestampCallbackFunc clock);
  void bind();

  const CuptiLibrary* cupti_ = nullptr;
  CuptiLibrary bound_;
  Functions functions_ = {};
  Handle subscriber_ = nullptr;
  bool is_open_ = false;
  bool has_whole_graphs_ = false;
};

}  // namespace tauprof::capture
