// Messages on stderr, one line each, except that a terminal gets no line wider than it is. They name files and quote
// logs, so none of it reaches the terminal as it is.
#pragma once

#include <spdlog/details/null_mutex.h>
#include <spdlog/sinks/base_sink.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "cli/terminal_width.h"
#include "model/terminal_text.h"
#include "report/wrapped_text.h"

namespace tauprof {

class TerminalSink : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    constexpr std::string_view kProgram = "tauprof: ";
    std::string text(kProgram);
    text += terminal_text(std::string_view(message.payload.data(), message.payload.size()));
    text = isatty(STDERR_FILENO) != 0 ? wrapped(text, terminal_width(STDERR_FILENO), kProgram.size()) : text + "\n";
    fwrite(text.data(), 1, text.size(), stderr);
    fflush(stderr);
  }
  void flush_() override { fflush(stderr); }
};

}  // namespace tauprof
