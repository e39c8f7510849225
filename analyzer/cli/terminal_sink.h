// Messages on stderr, one line each. They name files and quote logs, so none of it reaches the terminal as it is.
#pragma once

#include <spdlog/details/null_mutex.h>
#include <spdlog/sinks/base_sink.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "model/terminal_text.h"

namespace tauprof {

class TerminalSink : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    const std::string line =
        "tauprof: " + terminal_text(std::string_view(message.payload.data(), message.payload.size())) + "\n";
    fwrite(line.data(), 1, line.size(), stderr);
    fflush(stderr);
  }
  void flush_() override { fflush(stderr); }
};

}  // namespace tauprof
