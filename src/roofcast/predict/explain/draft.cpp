#include "roofcast/predict/explain/draft.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/units/format.hpp"
#include "roofcast/units/format_precise.hpp"

#include <utility>

namespace roofcast::explaining {

Subject::Subject(const Forecast& explained)
    : forecast(explained),
      request(explained.request),
      model(*explained.request.model),
      profile(*explained.request.profile),
      plan(explained.request.plan),
      workload(explained.request.workload),
      runtime(*explained.request.runtime) {}

std::string Subject::card_source() const {
  return "card " + model.card.name;
}

std::string Subject::profile_source() const {
  return "profile " + profile.name;
}

std::string Subject::runtime_source() const {
  return "runtime " + std::string(runtime.name);
}

Draft::Draft(int equation, std::string title, std::string formula) {
  draft_.equation = equation;
  draft_.title = std::move(title);
  draft_.formula = std::move(formula);
}

Draft& Draft::symbol(std::string name, std::string meaning, std::string value, std::string source) {
  draft_.symbols.push_back(
      {std::move(name), std::move(meaning), std::move(value), std::move(source)});
  return *this;
}

Draft& Draft::line(std::string text) {
  draft_.lines.push_back(std::move(text));
  return *this;
}

Explanation Draft::is(Bytes value) {
  return finish(format_precise(value), value / bytes(1.0));
}

Explanation Draft::is(Seconds value) {
  return finish(format_precise(value), value / seconds(1.0));
}

Explanation Draft::is(Flops value) {
  return finish(format_precise(value), value / flops(1.0));
}

Explanation Draft::is(BytesPerToken value) {
  return finish(format_precise(value), value * tokens(1.0) / bytes(1.0));
}

Explanation Draft::is(TokensPerSecond value) {
  return finish(format_precise(value), value * seconds(1.0) / tokens(1.0));
}

Explanation Draft::is(std::int64_t value) {
  return finish(format_count(value), static_cast<double>(value));
}

Explanation Draft::is(double value) {
  return finish(format_precise(value), value);
}

Explanation Draft::is_text(std::string text) {
  draft_.result = std::move(text);
  return std::move(draft_);
}

Explanation Draft::finish(std::string text, double value) {
  ROOFCAST_CHECK(!draft_.lines.empty());
  draft_.lines.back() += " = " + text;
  draft_.result = std::move(text);
  draft_.value = value;
  return std::move(draft_);
}

std::string sum(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts)
    text.append(text.empty() ? "" : " + ").append(part);
  return text;
}

}  // namespace roofcast::explaining
