#pragma once

#include "roofcast/cli/app.hpp"
#include "roofcast/cli/command.hpp"
#include "roofcast/cli/define.hpp"

#include <memory>
#include <string>
#include <vector>

namespace roofcast {

/// The options of every command.
struct OutputOptions {
  std::string format = "table";
  std::string file;
  std::string color = "auto";
  std::string width;

  void add(CLI::App& app);
  /// @throws UsageError
  [[nodiscard]] const ReportWriter& resolve_writer() const;
  /// @throws UsageError
  [[nodiscard]] WriteOptions resolve(const Environment& environment) const;
};

/// One command with everything that its command line may hold.
class CommandLine {
 public:
  CommandLine(const std::string& name, const CommandEntry& entry);
  ~CommandLine();

  /// Binds the values. @throws UsageError  anything that the definitions do not allow
  void parse(const std::vector<std::string>& arguments);

  [[nodiscard]] const std::string& program() const { return program_; }  ///< "roofcast estimate"
  [[nodiscard]] std::vector<DefinedOption> options() const;
  [[nodiscard]] Command& command() { return *command_; }
  [[nodiscard]] const OutputOptions& output() const { return output_; }

 private:
  std::string program_;
  OutputOptions output_;
  std::unique_ptr<Command> command_;
  std::unique_ptr<CLI::App> app_;
};

}  // namespace roofcast
