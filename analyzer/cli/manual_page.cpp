#include <fmt/format.h>

#include <sstream>

#include "cli/command_texts.h"

namespace tauprof {
namespace {

// Text as roff prints it: hyphens that can be copied, and no line that is taken for a request.
std::string roff(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    const bool starts_line = result.empty() || result.back() == '\n';
    if (starts_line && (letter == '.' || letter == '\'')) result += "\\&";
    if (letter == '-')
      result += "\\-";
    else if (letter == '\\')
      result += "\\e";
    else
      result += letter;
  }
  return result;
}

std::string option_heading(const OptionDescription& option) {
  std::string heading;
  for (const std::string& name : option.names)
    heading += fmt::format("{}\\fB{}\\fR", heading.empty() ? "" : ", ", roff(name));
  if (option.takes_value && !option.is_positional) heading += fmt::format(" \\fI{}\\fR", roff(option.value));
  return heading;
}

std::string synopsis(const CommandDescription& command) {
  std::string line = fmt::format("\\fBtauprof {}\\fR [\\fIoptions\\fR]", roff(command.name));
  for (const OptionDescription& option : command.options)
    if (option.is_positional) line += fmt::format(" \\fI{}\\fR", roff(option.names[0]));
  return line;
}

std::string lines_as_they_are(const std::string& text) {
  std::string result = ".PP\n.nf\n";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) result += roff(line) + "\n";
  return result + ".fi\n";
}

constexpr char kEnd[] = R"(.SH EXIT STATUS
.TP
.B 0
done
.TP
.B 1
an output could not be written, or something else went wrong
.TP
.B 2
wrong usage
.TP
.B 3
nothing usable in the input; the message names the file and the reason
.TP
.B 4
.B check
found damage
.TP
.B 5
.B diff \-\-fail\-above
was exceeded, or
.B health
failed
.TP
.B 6
.B run \-\-audit\-params \-\-check
is not safe
.PP
.B tauprof run
otherwise exits with the status of its command.
.SH SEE ALSO
.BR ld.so (8)
)";

}  // namespace

std::string manual_page(const std::vector<CommandDescription>& commands, const std::string& version) {
  std::string page = fmt::format(".TH TAUPROF 1 \"\" \"{}\" \"User Commands\"\n", roff(version));
  page += ".SH NAME\ntauprof \\- where the time of a distributed GPU training run goes, and why\n.SH SYNOPSIS\n";
  for (const CommandDescription& command : commands) page += synopsis(command) + "\n.br\n";
  page +=
      ".SH DESCRIPTION\nRecords what the GPUs of an unmodified program do, on all its ranks, and analyses the logs "
      "together.\n.SH COMMANDS\n";
  for (const CommandDescription& command : commands) {
    page += fmt::format(".SS {}\n{}.\n", roff(command.name), roff(command.meaning));
    for (const OptionDescription& option : command.options)
      page += fmt::format(".TP\n{}\n{}\n", option_heading(option), roff(option.meaning));
    if (!command.footer.empty()) page += lines_as_they_are(command.footer);
  }
  return page + kEnd;
}

}  // namespace tauprof
