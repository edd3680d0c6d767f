#pragma once

#include <iosfwd>
#include <memory>
#include <string_view>

#include "roofcast/base/registry.hpp"
#include "roofcast/report/report.hpp"

namespace roofcast {

struct WriteOptions {
  int width = 80;       ///< columns of the terminal
  bool colour = false;  ///< ANSI colours and weights
};

/// One output format; one file in report/writers/. Must write to `out` alone.
class ReportWriter {
 public:
  virtual ~ReportWriter() = default;
  virtual void write(const Report& report, std::ostream& out, const WriteOptions& options) const = 0;
};

using ReportWriters = Registry<const ReportWriter*>;

}  // namespace roofcast

#define ROOFCAST_WRITER(format_name, Type)                                   \
  static const Type writer_instance_;                                        \
  [[maybe_unused]] static const bool writer_registered_ =                    \
      ::roofcast::ReportWriters::instance().add(format_name, &writer_instance_)
