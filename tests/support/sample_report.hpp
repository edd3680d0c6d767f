#pragma once

#include "roofcast/report/report.hpp"

namespace roofcast::test {

/// A made-up answer with every kind of block and value, for the tests of the writers. Its numbers
/// mean nothing.
Report sample_report();

}  // namespace roofcast::test
