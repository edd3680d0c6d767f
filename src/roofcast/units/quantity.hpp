#pragma once

#include <cstdint>

#include <boost/units/base_dimension.hpp>
#include <boost/units/base_unit.hpp>
#include <boost/units/base_units/si/second.hpp>
#include <boost/units/cmath.hpp>
#include <boost/units/make_system.hpp>
#include <boost/units/quantity.hpp>

/// The quantities of roofcast. Everything outside units/ uses the aliases at the end of this file
/// and never names boost::units. Counts of things that shape a tensor (layers, heads, sequences)
/// are std::int64_t; a quantity is what a rate can be formed from.
namespace roofcast::units {

namespace bu = boost::units;

// Ordinals are unique within the program; Boost uses the negative ones.
struct DataDimension : bu::base_dimension<DataDimension, 1> {};
struct WorkDimension : bu::base_dimension<WorkDimension, 2> {};
struct TokenDimension : bu::base_dimension<TokenDimension, 3> {};
struct EnergyDimension : bu::base_dimension<EnergyDimension, 4> {};

struct ByteUnit : bu::base_unit<ByteUnit, DataDimension::dimension_type, 1> {};
struct FlopUnit : bu::base_unit<FlopUnit, WorkDimension::dimension_type, 2> {};
struct TokenUnit : bu::base_unit<TokenUnit, TokenDimension::dimension_type, 3> {};
struct JouleUnit : bu::base_unit<JouleUnit, EnergyDimension::dimension_type, 4> {};

using System =
    bu::make_system<ByteUnit, FlopUnit, TokenUnit, JouleUnit, bu::si::second_base_unit>::type;

using byte_unit = bu::unit<DataDimension::dimension_type, System>;
using flop_unit = bu::unit<WorkDimension::dimension_type, System>;
using token_unit = bu::unit<TokenDimension::dimension_type, System>;
using joule_unit = bu::unit<EnergyDimension::dimension_type, System>;
using second_unit = bu::unit<bu::time_dimension, System>;

template <class Numerator, class Denominator>
using Per = typename bu::divide_typeof_helper<Numerator, Denominator>::type;

}  // namespace roofcast::units

namespace roofcast {

using Bytes = boost::units::quantity<units::byte_unit>;
using Flops = boost::units::quantity<units::flop_unit>;
using Tokens = boost::units::quantity<units::token_unit>;
using Seconds = boost::units::quantity<units::second_unit>;
using Joules = boost::units::quantity<units::joule_unit>;
using BytesPerSecond = boost::units::quantity<units::Per<units::byte_unit, units::second_unit>>;
using FlopsPerSecond = boost::units::quantity<units::Per<units::flop_unit, units::second_unit>>;
using FlopsPerByte = boost::units::quantity<units::Per<units::flop_unit, units::byte_unit>>;
using FlopsPerToken = boost::units::quantity<units::Per<units::flop_unit, units::token_unit>>;
using BytesPerToken = boost::units::quantity<units::Per<units::byte_unit, units::token_unit>>;
using TokensPerSecond = boost::units::quantity<units::Per<units::token_unit, units::second_unit>>;
using Watts = boost::units::quantity<units::Per<units::joule_unit, units::second_unit>>;
using Hertz = boost::units::quantity<units::Per<
    boost::units::unit<boost::units::dimensionless_type, units::System>, units::second_unit>>;

/// `count` bytes [B]. Exact up to 2^53, the range that every size in roofcast is checked against.
constexpr Bytes bytes(double count) {
  return Bytes::from_value(count);
}
constexpr Bytes bytes(std::int64_t count) {
  return bytes(static_cast<double>(count));
}
/// `count` floating-point operations [FLOP]; one multiply-add is 2.
constexpr Flops flops(double count) {
  return Flops::from_value(count);
}
/// `count` tokens [token].
constexpr Tokens tokens(double count) {
  return Tokens::from_value(count);
}
constexpr Tokens tokens(std::int64_t count) {
  return tokens(static_cast<double>(count));
}
/// `count` seconds [s].
constexpr Seconds seconds(double count) {
  return Seconds::from_value(count);
}

}  // namespace roofcast
