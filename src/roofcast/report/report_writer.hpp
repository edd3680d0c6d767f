#pragma once

#include <iosfwd>
#include <memory>
#include <string_view>
#include <vector>

#include "roofcast/base/registry.hpp"
#include "roofcast/report/report.hpp"

namespace roofcast {

struct WriteOptions {
  int width = 80;       ///< columns of the terminal
  bool colour = false;  ///< ANSI colours and weights
};

/// Rows written as they come, for answers that do not fit in memory.
class RowStream {
 public:
  virtual ~RowStream() = default;
  virtual void row(const std::vector<Value>& values) = 0;
  /// Ends the rows. `tail` brings what is known only now: blocks after the rows, notes, the verdict; formats
  /// that have no place for them (CSV) leave them out. Its command and heading are not looked at.
  virtual void finish(const Report& tail) = 0;
};

/// One output format; one file in report/writers/. Must write to `out` alone.
class ReportWriter {
 public:
  virtual ~ReportWriter() = default;
  virtual void write(const Report& report, std::ostream& out, const WriteOptions& options) const = 0;

  /// Begins `head` (command, heading, machine fields) and then takes the rows of `shape` one by one. The
  /// default keeps them and calls write() at the end; formats that can, write each row at once. The streams
  /// that it is given must outlive it.
  [[nodiscard]] virtual std::unique_ptr<RowStream> stream(Report head, Grid shape, std::ostream& out,
                                                          const WriteOptions& options) const;
};

using ReportWriters = Registry<const ReportWriter*>;

}  // namespace roofcast

#define ROOFCAST_WRITER(format_name, Type)                                   \
  static const Type writer_instance_;                                        \
  [[maybe_unused]] static const bool writer_registered_ =                    \
      ::roofcast::ReportWriters::instance().add(format_name, &writer_instance_)
