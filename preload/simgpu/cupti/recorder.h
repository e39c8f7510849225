// What CUPTI sees of the engine: makes records and callbacks of it, as far as they are enabled.
//
// A record of an API call stands in the buffer behind those of the work that it submitted, because it is made when the
// call returns; the records of its external ids stand right before it. Once graph traces are enabled, the nodes of
// graphs get no records of their own.
#pragma once

#include "simgpu/cupti/resource_watch.h"
#include "simgpu/engine/observer.h"

namespace simgpu::cupti {

class Session;

class Recorder : public Observer {
 public:
  explicit Recorder(Session& session) : session_(session), resources_(session) {}

  void api_entered(const ApiRecord& call) override;
  void api_left(const ApiRecord& call) override;
  void span_submitted(std::uint64_t id, const SpanDescription& what) override;
  void span_finished(const Span& span) override;
  void synchronized(const SyncSpan& sync) override;

  ResourceWatch& resources() { return resources_; }

 private:
  void call_back(const ApiRecord& call, CUpti_ApiCallbackSite site);
  void record_call(const ApiRecord& call);
  void stage_span(std::uint64_t id, const SpanDescription& what);

  Session& session_;
  ResourceWatch resources_;
};

}  // namespace simgpu::cupti
