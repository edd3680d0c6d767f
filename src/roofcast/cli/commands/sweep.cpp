// `roofcast sweep MODELS --gpu GPUS`: the cross product of lists, filtered, ranked or streamed.
#include "roofcast/plan/sweep.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/cli/command.hpp"
#include "roofcast/cli/define.hpp"
#include "roofcast/cli/options.hpp"
#include "roofcast/report/build_sweep.hpp"
#include "roofcast/report/sweep_table.hpp"
#include "roofcast/units/format.hpp"

#include <algorithm>
#include <iterator>
#include <thread>

#include <fmt/format.h>

namespace roofcast {
namespace {

constexpr std::string_view kAxes = "Axes: lists a,b,c; counts also ranges 1..9, 1..9+2, 1..256*2";
constexpr std::string_view kRows = "Rows";
constexpr std::string_view kAll = "all";
constexpr std::int64_t kMaxTop = 1'000'000;
/// Configurations that --by alone sorts.
constexpr std::int64_t kMaxSorted = 100'000;
constexpr std::int64_t kMaxThreads = 1024;
/// Rows that a table for people shows.
constexpr std::int64_t kTableRows = 50;

class SweepCommand final : public Command {
 public:
  void define(CLI::App& app) override {
    positional(app, "MODEL", models_, {"MODEL", "models: names, aliases or card files; or all"});
    text_option(app, "--gpu", gpus_,
                {"GPU", "devices: names, aliases or profile files; or all", kAxes}, true);
    text_option(app, "--weights", weights_, {"FORMAT", "formats of the linear layers", kAxes});
    text_option(app, "--activations", activations_, {"FORMAT", "formats of activations", kAxes});
    text_option(app, "--kv", kv_, {"FORMAT", "formats of the KV cache", kAxes});
    text_option(app, "--batch", batches_, {"N", "sequences decoded together", kAxes});
    text_option(app, "--prompt", prompts_, {"N", "prompt tokens of each sequence", kAxes});
    text_option(app, "--output", outputs_, {"N", "output tokens of each sequence", kAxes});
    repeated_option(
        app, "--where", where_,
        {"CONDITION",
         "keep rows that meet it: 'tpot < 50 ms', fits, gpu=h100; columns as in the CSV", kRows});
    text_option(app, "--top", top_, {"N", "the N best rows by --by", kRows});
    text_option(app, "--by", by_,
                {"[-]COLUMN", "rank by it, the good end first; -COLUMN: the other end", kRows});
    text_option(app, "--pareto", pareto_,
                {"[-]COLUMN,[-]COLUMN", "the rows that none beats in both columns", kRows});
    text_option(app, "--shard", shard_, {"I/N", "part I of N equal parts", kRows});
    flag_option(app, "--count", count_, "print the number of configurations and stop", kRows);
    text_option(app, "--threads", threads_, {"N", "threads; default: one per core", kRows});
    text_option(app, "--embedding", settings_.embedding, {"FORMAT", "of the token table"});
    text_option(app, "--head", settings_.head, {"FORMAT", "of the output projection"});
    engine_.add(app);
  }

  Answer run(const CommandContext& context) override {
    const SweepSpace space = resolve_space(context.catalogue);
    const SweepPart part = resolve_part();
    const SweepRequest request = resolve_request(space, part);
    Report head = sweep_head(space, request, part);
    if (count_)
      return {count_report(std::move(head), request.range.size())};
    if (context.writer.streams())
      return stream(space, request, std::move(head), context);
    return show(space, request, std::move(head));
  }

 private:
  [[nodiscard]] SweepSpace resolve_space(const Catalogue& catalogue) const {
    SweepAxes axes;
    add_models(catalogue, axes);
    add_devices(catalogue, axes);
    axes.weights = parse_name_list("--weights", weights_);
    axes.activations = parse_name_list("--activations", activations_);
    axes.kv = parse_name_list("--kv", kv_);
    for (const std::string& name : parse_name_list("--runtime", engine_.runtime)) {
      axes.runtimes.push_back(&find_runtime(name));
    }
    axes.prompts = parse_count_list("--prompt", prompts_, 1, kMaxTokens);
    axes.outputs = parse_count_list("--output", outputs_, 1, kMaxTokens);
    axes.batches = parse_count_list("--batch", batches_, 1, kMaxSequences);
    SweepSettings settings = settings_;
    settings.level = engine_.level;
    settings.kv_block = engine_.resolve_kv_block();
    settings.memory_fraction = engine_.resolve_memory_fraction();
    return {std::move(axes), std::move(settings)};
  }

  void add_models(const Catalogue& catalogue, SweepAxes& axes) const {
    if (models_ == kAll) {
      axes.models = catalogue.all_models();
      return;
    }
    for (const std::string& name : parse_name_list("MODEL", models_)) {
      axes.models.push_back(catalogue.model(name));
      axes.model_labels.push_back(short_name(name, axes.models.back().card.name));
    }
  }

  void add_devices(const Catalogue& catalogue, SweepAxes& axes) const {
    if (gpus_ == kAll) {
      axes.devices = catalogue.all_hardware();
      return;
    }
    for (const std::string& name : parse_name_list("--gpu", gpus_)) {
      axes.devices.push_back(find_device(catalogue, name));
      axes.device_labels.push_back(short_name(name, axes.devices.back().name));
    }
  }

  [[nodiscard]] SweepPart resolve_part() const {
    if (shard_.empty())
      return {};
    const std::size_t slash = shard_.find('/');
    if (slash == std::string::npos) {
      throw UsageError(
          fmt::format("--shard: '{}' is not I/N; write for example --shard 2/8", shard_));
    }
    SweepPart part;
    const auto limit = static_cast<std::int64_t>(kMaxExact);
    part.count = parse_count_option("--shard", shard_.substr(slash + 1), 1, limit);
    part.number = parse_count_option("--shard", shard_.substr(0, slash), 1, part.count);
    return part;
  }

  [[nodiscard]] SweepRequest resolve_request(const SweepSpace& space, const SweepPart& part) const {
    SweepRequest request;
    for (const std::string& text : where_) {
      request.where.push_back(parse_condition(text, space.text_values()));
    }
    if (!top_.empty() && !pareto_.empty()) {
      throw UsageError("--top and --pareto ask for different rows; give one of them");
    }
    if (!top_.empty() && by_.empty())
      throw UsageError("--top needs --by, as in --top 10 --by tpot_seconds");
    if (!top_.empty()) {
      request.top = {parse_count_option("--top", top_, 1, kMaxTop), parse_ordering("--by", by_)};
    }
    if (!pareto_.empty()) {
      const std::vector<std::string> columns = parse_name_list("--pareto", pareto_);
      if (columns.size() != 2) {
        throw UsageError("--pareto: name two columns, as in --pareto total_bytes,tpot_seconds");
      }
      request.pareto = {parse_ordering("--pareto", columns[0]),
                        parse_ordering("--pareto", columns[1])};
    }
    request.range = space.shard(part.number, part.count);
    if (!by_.empty() && top_.empty())
      request.top = {sortable(request.range.size()), parse_ordering("--by", by_)};
    request.threads = resolve_threads();
    return request;
  }

  /// Rows that are kept to be sorted: all of a small sweep.
  [[nodiscard]] std::int64_t sortable(std::int64_t configurations) const {
    if (!pareto_.empty())
      throw UsageError("--by and --pareto ask for different rows; give one of them");
    if (configurations > kMaxSorted) {
      throw UsageError(fmt::format("--by: {} configurations are too many to sort; add --top N",
                                   format_count(configurations)));
    }
    return std::max<std::int64_t>(configurations, 1);
  }

  [[nodiscard]] std::size_t resolve_threads() const {
    if (threads_.empty())
      return std::max(1U, std::thread::hardware_concurrency());
    return static_cast<std::size_t>(parse_count_option("--threads", threads_, 1, kMaxThreads));
  }

  static Report count_report(Report head, std::int64_t count) {
    head.blocks.emplace_back(
        Record{.fields = {{.key = "part_configurations", .label = "to evaluate", .value = count}}});
    return head;
  }

  /// Counts what the notes at the end are about.
  static void note(const SweepRow& row, ShownRows& shown) {
    ++shown.count;
    if (row.fits == false)
      ++shown.too_large;
    if (row.profile_status == "announced")
      ++shown.announced;
    if (!row.native)
      ++shown.not_native;
  }

  static Answer stream(const SweepSpace& space, const SweepRequest& request, Report head,
                       const CommandContext& context) {
    const auto rows =
        context.writer.stream(std::move(head), sweep_grid(), context.out, context.write_options);
    ShownRows shown;
    const SweepSummary summary = sweep(space, request, [&](const SweepRow& row) {
      note(row, shown);
      rows->row(sweep_values(row));
    });
    Report tail = sweep_tail(summary, shown);
    rows->finish(tail);
    Answer answer;
    answer.streamed = true;
    if (!rows->prints_notes())
      answer.report.notes = std::move(tail.notes);
    return answer;
  }

  [[nodiscard]] Answer show(const SweepSpace& space, const SweepRequest& request,
                            Report head) const {
    const std::int64_t limit = !top_.empty() || request.pareto ? kMaxTop : kTableRows;
    std::vector<SweepRow> rows;
    ShownRows shown;
    const SweepSummary summary = sweep(space, request, [&](const SweepRow& row) {
      if (shown.count == limit) {
        ++shown.beyond;
        return;
      }
      note(row, shown);
      rows.push_back(row);
    });
    const std::string same = same_in_all(space, rows);
    if (!same.empty())
      head.subheading.push_back("all rows: " + same);
    head.blocks.emplace_back(sweep_table(space, request, rows));
    Report tail = sweep_tail(summary, shown);
    std::move(tail.blocks.begin(), tail.blocks.end(), std::back_inserter(head.blocks));
    head.notes = std::move(tail.notes);
    head.verdict = std::move(tail.verdict);
    return {std::move(head)};
  }

  std::string models_;
  std::string gpus_;
  std::string weights_ = "auto";
  std::string activations_ = "auto";
  std::string kv_ = "auto";
  std::string batches_ = "1";
  std::string prompts_ = "2048";
  std::string outputs_ = "256";
  std::vector<std::string> where_;
  std::string top_;
  std::string by_;
  std::string pareto_;
  std::string shard_;
  std::string threads_;
  bool count_ = false;
  SweepSettings settings_;
  EngineOptions engine_;
};

ROOFCAST_COMMAND("sweep", SweepCommand, 30,
                 "every combination of models, devices, formats and sizes",
                 "roofcast sweep llama-3.1-8b --gpu a100,h100 --weights auto,fp8 --batch 1..256*2 "
                 "--where fits --top 5 --by tokens_per_second");

}  // namespace
}  // namespace roofcast
