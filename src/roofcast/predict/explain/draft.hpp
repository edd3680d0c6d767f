#pragma once

#include "roofcast/predict/explain.hpp"
#include "roofcast/predict/forecast.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What the files of predict/explain/ share; nothing else includes it.
namespace roofcast::explaining {

/// The forecast to explain, and what it was asked with.
struct Subject {
  const Forecast& forecast;
  const ForecastRequest& request;
  const Model& model;
  const HardwareProfile& profile;
  const PrecisionPlan& plan;
  const Workload& workload;
  const Runtime& runtime;

  explicit Subject(const Forecast& explained);
  [[nodiscard]] std::string card_source() const;     ///< "card llama-2-7b"
  [[nodiscard]] std::string profile_source() const;  ///< "profile nvidia-h100-sxm5-80gb"
  [[nodiscard]] std::string runtime_source() const;  ///< "runtime vllm"
};

inline constexpr std::string_view kAsked = "the question";

/// One row of the list of quantities.
struct Entry {
  std::string_view quantity;
  Explanation (*explain)(const Subject& subject);
};

std::span<const Entry> parameter_entries();
std::span<const Entry> memory_entries();
std::span<const Entry> room_entries();
std::span<const Entry> prefill_entries();
std::span<const Entry> decode_entries();
std::span<const Entry> total_entries();

/// An explanation under construction: symbols and lines first, the result last.
class Draft {
 public:
  Draft(int equation, std::string title, std::string formula);

  Draft& symbol(std::string name, std::string meaning, std::string value, std::string source);
  Draft& line(std::string text);

  // The result, put behind the last line: "... = RESULT".
  Explanation is(Bytes value);
  Explanation is(Seconds value);
  Explanation is(Flops value);
  Explanation is(BytesPerToken value);
  Explanation is(TokensPerSecond value);
  Explanation is(std::int64_t value);
  Explanation is(double value);
  /// A result that is no number: the lines stand as they are.
  Explanation is_text(std::string text);

 private:
  Explanation finish(std::string text, double value);

  Explanation draft_;
};

/// "a + b + c".
std::string sum(const std::vector<std::string>& parts);

}  // namespace roofcast::explaining
