#pragma once

#include "roofcast/base/registry.hpp"
#include "roofcast/report/report.hpp"

#include <iosfwd>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace roofcast {

/// The answer could not be written: the disk is full, or the reader went away, which is no error of
/// ours.
class OutputError : public std::runtime_error {
 public:
  OutputError(bool reader_left, const std::string& reason)
      : std::runtime_error("the answer could not be written: " + reason),
        reader_left_(reader_left) {}
  [[nodiscard]] bool reader_left() const { return reader_left_; }

 private:
  bool reader_left_;
};

/// @throws OutputError  when `out` has failed; called after what was written to it
void require_written(const std::ostream& out);

struct WriteOptions {
  int width = 80;       ///< columns of the terminal
  bool colour = false;  ///< ANSI colours and weights
};

/// Rows written as they come, for answers that do not fit in memory.
class RowStream {
 public:
  virtual ~RowStream() = default;
  /// @throws OutputError  so that a long sweep stops when nobody reads it any more
  virtual void row(const std::vector<Value>& values) = 0;
  /// Ends the rows. `tail` brings what is known only now: blocks after the rows, notes, the
  /// verdict; formats that have no place for them (CSV) leave them out. Its command and heading are
  /// not looked at.
  virtual void finish(const Report& tail) = 0;
  /// Whether finish() prints the notes of its tail. Those that it has no place for belong among the
  /// messages.
  [[nodiscard]] virtual bool prints_notes() const { return true; }
};

/// One output format; one file in report/writers/. Must write to `out` alone.
class ReportWriter {
 public:
  virtual ~ReportWriter() = default;
  virtual void write(const Report& report, std::ostream& out,
                     const WriteOptions& options) const = 0;

  /// Whether stream() writes each row as it comes. A writer for people does not: it needs all rows
  /// to lay them out, and should be given no more than a person reads.
  [[nodiscard]] virtual bool streams() const { return false; }

  /// Begins `head` (command, heading, machine fields) and then takes the rows of `shape` one by
  /// one. The default keeps them and calls write() at the end; formats that can, write each row at
  /// once. The streams that it is given must outlive it.
  [[nodiscard]] virtual std::unique_ptr<RowStream> stream(Report head, Grid shape,
                                                          std::ostream& out,
                                                          const WriteOptions& options) const;
};

using ReportWriters = Registry<const ReportWriter*>;

}  // namespace roofcast

#define ROOFCAST_WRITER(format_name, Type)                \
  static const Type writer_instance_;                     \
  [[maybe_unused]] static const bool writer_registered_ = \
      ::roofcast::ReportWriters::instance().add(format_name, &writer_instance_)
