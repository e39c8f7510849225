// tauprof completion and tauprof man: the command line described for shells and for man(1).
#include <memory>
#include <string>

#include "cli/command_texts.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/printed_report.h"

namespace tauprof {

void add_completion_command(CommandLine& line) {
  Command command = line.add("completion", "Print the script with which a shell completes tauprof's words");
  const auto shell = std::make_shared<std::string>();
  command.option("SHELL", *shell, "The shell: bash, zsh or fish").one_of({"bash", "zsh", "fish"}).required();
  command.footer(
      "Examples:\n"
      "  source <(tauprof completion bash)     # in ~/.bashrc\n"
      "  source <(tauprof completion zsh)      # in ~/.zshrc, after compinit\n"
      "  tauprof completion fish > ~/.config/fish/completions/tauprof.fish");
  command.run([shell, &line] {
    const auto complete = *shell == "bash" ? bash_completion : *shell == "zsh" ? zsh_completion : fish_completion;
    return print_report(complete(line.describe())) ? kDone : kFailed;
  });
}

void add_man_command(CommandLine& line, const char* version) {
  Command command = line.add("man", "Print the manual page");
  command.footer("Example: tauprof man | man -l -");
  command.run([version, &line] { return print_report(manual_page(line.describe(), version)) ? kDone : kFailed; });
}

}  // namespace tauprof
