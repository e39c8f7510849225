// Observes the engine and makes the enabled records and callbacks.
//
// The record of an API call follows those of the work that the call submitted, because it is made when the call
// returns; the records of its external ids come right before it. With graph traces enabled, the nodes of graphs get no
// records of their own.
#pragma once

#include "simgpu/cupti/resource_watch.h"
#include "simgpu/engine/observer.h"

namespace simgpu::cupti {

struct Client;
struct Session;

class Recorder : public Observer {
 public:
  explicit Recorder(Session& session) : session_(session), resources_(session) {}

  void api_entered(const ApiRecord& call) override;
  void api_left(const ApiRecord& call) override;
  void span_submitted(std::uint64_t id, const SpanDescription& what) override;
  void span_finished(const Span& span) override;
  void synchronized(const SyncSpan& sync) override;
  bool collects() override;

  ResourceWatch& resources() { return resources_; }

 private:
  void call_back(const ApiRecord& call, CUpti_ApiCallbackSite site);
  bool wants_callback(CUpti_CallbackDomain domain, std::uint32_t cbid) const;
  void record_call(Client& client, const ApiRecord& call);
  void span_submitted(Client& client, std::uint64_t id, const SpanDescription& what);
  void stage_span(Client& client, std::uint64_t id, const SpanDescription& what);

  Session& session_;
  ResourceWatch resources_;
};

}  // namespace simgpu::cupti
