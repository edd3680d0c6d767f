#include "support/sample_report.hpp"

namespace roofcast::test {
namespace {

Record headline() {
  return {.fields = {{.key = "ttft_seconds",
                      .label = "TTFT",
                      .value = seconds(0.118),
                      .note = "105 ms to 132 ms"},
                     {.key = "tpot_seconds",
                      .label = "TPOT",
                      .value = seconds(0.0081),
                      .note = "7.61 ms to 8.66 ms"},
                     {.key = "tokens_per_second",
                      .label = "throughput",
                      .value = tokens(123.4) / seconds(1.0)}},
          .headline = true};
}

Record ledger() {
  constexpr double kGib = 1024.0 * 1024 * 1024;
  return {.key = "memory",
          .title = "Memory",
          .fields = {
              {.key = "weights_bytes",
               .label = "weights",
               .value = Capacity{bytes(12.5 * kGib)},
               .share = 0.5},
              {.key = "kv_cache_bytes",
               .label = "KV cache",
               .value = Capacity{bytes(0.25 * kGib)},
               .note = "2,304 tokens in blocks of 16",
               .share = 0.01},
              {.key = "state_bytes", .label = "", .value = Capacity{bytes(0.0)}},
              {.key = "runtime_bytes",
               .label = "runtime",
               .value = Capacity{bytes(0.001 * kGib)},
               .share = 0.00004},
              {.key = "usable_bytes", .label = "usable", .value = Capacity{bytes(25.0 * kGib)}},
              {.key = "fits", .label = "fits", .value = true},
              {.key = "max_batch",
               .label = "largest batch",
               .value = std::int64_t{1234},
               .note = "at 2,304 tokens each"},
              {.key = "max_context", .label = "longest context", .value = {}, .note = "unknown"}}};
}

Record phase(const std::string& key, const std::string& title, double scale) {
  Record record{.key = key,
                .title = title,
                .fields = {{.key = "seconds", .label = "predicted", .value = seconds(0.1 * scale)},
                           {.key = "limited_by",
                            .label = "limited by",
                            .value = std::string("compute"),
                            .note = "83 %"},
                           {.key = "mfu", .label = "MFU", .value = Share{0.75 * scale}},
                           {.key = "flop", .label = "work", .value = flops(27.6e12 * scale)}},
                .group = "Time"};
  if (key == "decode")
    record.fields.push_back({.key = "steps", .label = "steps", .value = std::int64_t{255}});
  return record;
}

Grid rows() {
  return {.key = "rows",
          .title = "Rows, with \"quotes\", commas | pipes",
          .columns = {{.key = "name", .label = "name", .left = true},
                      {.key = "batch", .label = "batch"},
                      {.key = "seconds", .label = "predicted time"},
                      {.key = "memory.bytes", .label = "memory"},
                      {.key = "memory.share", .label = "share"},
                      {.key = "hidden", .label = ""},
                      {.key = "remark", .label = "remark", .left = true, .wide_only = true}},
          .rows = {{std::string("plain"), std::int64_t{1}, seconds(0.00701),
                    Capacity{bytes(2147483648.0)}, Share{0.034}, 4.5, std::string("as published")},
                   {std::string("with \"quotes\", commas"), std::int64_t{1024}, seconds(1.25),
                    Capacity{bytes(536870912.0)}, Share{0.83}, 0.1, std::string("a | b")},
                   {std::string("nothing known"), std::int64_t{16}, Value{}, Value{}, Value{},
                    Value{}, Value{}}}};
}

}  // namespace

Report sample_report() {
  return {
      .command = "sample",
      .heading = "a-model, fp16, on a-device",
      .subheading = {"batch 1 · prompt 2,048 · output 256"},
      .blocks = {Record{.key = "model",
                        .fields = {{.key = "name", .value = std::string("a-model")},
                                   {.key = "parameters.total", .value = std::int64_t{6738415616}}},
                        .machine_only = true},
                 headline(), ledger(), phase("prefill", "prefill", 1.0),
                 phase("decode", "decode step", 0.01),
                 Record{.title = "Sources",
                        .fields = {{.key = "source",
                                    .label = "datasheet",
                                    .value = std::string(
                                        "A publisher, A datasheet with a long title that takes "
                                        "more than one line of a narrow terminal, page 3")}}},
                 rows(),
                 Text{.key = "lines",
                      .title = "Formula",
                      .lines = {"T = max(W / P, B / R)",
                                "  = max(27.6 TFLOP / 312 TFLOP/s, 13.2 GB / 2,039 GB/s)",
                                "  = 88.5 ms"}}},
      .notes = {{"does_not_fit",
                 "needs 31.4 GiB of 25 GiB; --weights int8 would bring it to 24.9 GiB, or take a "
                 "device with more memory"},
                {"", "The band holds 80 of 100 measurements."}},
      .verdict = "Fits; decode is limited by memory (83 %)."};
}

}  // namespace roofcast::test
