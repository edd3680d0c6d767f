#include "roofcast/base/error.hpp"
#include "roofcast/model/readers/card_yaml.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

// Any bytes at all give a card or an InputError.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    roofcast::read_model_card(roofcast::parse_document("f.yaml", std::string(data, data + size)));
  } catch (const roofcast::InputError&) {  // the right answer to almost all of them
  }
  return 0;
}
