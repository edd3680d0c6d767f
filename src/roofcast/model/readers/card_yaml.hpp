#pragma once

#include "roofcast/input/document.hpp"
#include "roofcast/model/model_card.hpp"

namespace roofcast {

/// The card in a `roofcast/model/1` file.
/// @throws InputError  with every problem of the file; a card whose fields are right one by one but
///   whose tensors do not add up to its `parameters` is refused with both counts, module by module
ModelCard read_model_card(const Document& document);

}  // namespace roofcast
