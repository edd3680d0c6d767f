#include "roofcast/model/parameter_count.hpp"

#include "roofcast/base/error.hpp"
#include "roofcast/model/exact.hpp"

namespace roofcast {
namespace {

using exact::Wide;
using exact::wide;

void append_tensors(const std::vector<Module>& modules, std::int64_t copies,
                    std::vector<WeightTensor>& tensors) {
  for (const Module& module : modules) {
    const auto vector = [&](std::int64_t length) {
      return WeightTensor{.name = module.name,
                          .columns = length,
                          .copies = copies,
                          .role = WeightRole::small,
                          .vector = true};
    };
    switch (module.kind) {
      case ModuleKind::embedding:
      case ModuleKind::positions:
      case ModuleKind::linear:
      case ModuleKind::head:
        if (module.weight) {
          tensors.push_back({.name = module.name,
                             .rows = module.rows,
                             .columns = module.columns,
                             .copies = copies,
                             .role = module.role});
        }
        if (module.bias)
          tensors.push_back(vector(module.rows));
        break;
      case ModuleKind::norm:
        if (module.weight)
          tensors.push_back(vector(module.columns));
        if (module.bias)
          tensors.push_back(vector(module.columns));
        break;
      case ModuleKind::rope_kv:
      case ModuleKind::attention:
      case ModuleKind::activation:
        break;
    }
  }
}

}  // namespace

std::vector<WeightTensor> weight_tensors(const Model& model) {
  std::vector<WeightTensor> tensors;
  append_tensors(model.before, 1, tensors);
  for (const LayerGroup& group : model.groups)
    append_tensors(group.modules, group.count, tensors);
  append_tensors(model.after, 1, tensors);
  return tensors;
}

ParameterCount count_parameters(const Model& model) {
  Wide total = 0;
  ParameterCount count;
  for (const WeightTensor& tensor : weight_tensors(model)) {
    total += wide(tensor.rows) * wide(tensor.columns) * wide(tensor.copies);
    if (tensor.role == WeightRole::embedding)
      count.embedding += tensor.parameters();
  }
  if (total >= static_cast<Wide>(kMaxExact)) {
    throw ConfigError("'" + model.card.name + "' would have 2^53 parameters or more");
  }
  count.total = static_cast<std::int64_t>(total);
  count.active = count.total;
  return count;
}

StorageBytes weight_bytes(const Model& model, const PrecisionPlan& plan) {
  StorageBytes sum;
  for (const WeightTensor& tensor : weight_tensors(model)) {
    const StorageBytes one = storage(plan.of(tensor.role), tensor.rows, tensor.columns);
    const auto copies = static_cast<double>(tensor.copies);
    sum.payload += copies * one.payload;
    sum.overhead += copies * one.overhead;
  }
  if (sum.total() > bytes(kMaxExact)) {
    throw ConfigError("the weights of '" + model.card.name + "' would pass 2^53 bytes");
  }
  return sum;
}

}  // namespace roofcast
