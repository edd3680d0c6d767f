#pragma once

#include "roofcast/cli/define.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace roofcast {

/// What a shell can offer after `roofcast NAME`.
struct CompletedCommand {
  std::string name;
  std::string summary;
  std::vector<DefinedOption> options;
};

/// Candidates for values of one type of option ("MODEL", "GPU", ...).
struct CompletedType {
  std::string type;
  std::vector<std::string> candidates;
};

struct CompletionData {
  std::vector<CompletedCommand> commands;
  std::vector<CompletedType> types;
};

/// Scripts to source: `source <(roofcast completion bash)`.
std::string bash_completion(const CompletionData& data);
std::string zsh_completion(const CompletionData& data);
std::string fish_completion(const CompletionData& data);

}  // namespace roofcast
