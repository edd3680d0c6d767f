#include "roofcast/report/report_writer.hpp"

#include <cerrno>
#include <ostream>
#include <system_error>
#include <utility>

namespace roofcast {
namespace {

/// Keeps the rows until the end.
class CollectedRows final : public RowStream {
 public:
  CollectedRows(const ReportWriter& writer, Report head, Grid shape, std::ostream& out,
                const WriteOptions& options)
      : writer_(writer),
        head_(std::move(head)),
        grid_(std::move(shape)),
        out_(out),
        options_(options) {}

  void row(const std::vector<Value>& values) override { grid_.rows.push_back(values); }

  void finish(const Report& tail) override {
    head_.blocks.emplace_back(std::move(grid_));
    head_.blocks.insert(head_.blocks.end(), tail.blocks.begin(), tail.blocks.end());
    head_.notes.insert(head_.notes.end(), tail.notes.begin(), tail.notes.end());
    if (tail.verdict)
      head_.verdict = tail.verdict;
    writer_.write(head_, out_, options_);
    require_written(out_);
  }

 private:
  const ReportWriter& writer_;
  Report head_;
  Grid grid_;
  std::ostream& out_;
  WriteOptions options_;
};

}  // namespace

void require_written(const std::ostream& out) {
  if (out)
    return;
  const int reason = errno;  // of the write that failed, where the system gave one
  throw OutputError(reason == EPIPE, reason != 0 ? std::generic_category().message(reason)
                                                 : "not everything could be written");
}

std::unique_ptr<RowStream> ReportWriter::stream(Report head, Grid shape, std::ostream& out,
                                                const WriteOptions& options) const {
  return std::make_unique<CollectedRows>(*this, std::move(head), std::move(shape), out, options);
}

}  // namespace roofcast
