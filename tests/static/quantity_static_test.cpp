#include "roofcast/units/quantity.hpp"

#include <concepts>
#include <cstdint>
#include <type_traits>

// What quantities allow and what they must not, decided by the compiler: this file passes by
// compiling. Explicit conversion, assignment and += between kinds are not asked about here: Boost
// leaves them unconstrained, so the traits say yes although they do not compile.
// tests/compile_fail/ has them.

namespace roofcast {
namespace {

template <class A, class B>
concept can_add = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept can_subtract = requires(A a, B b) {
  a - b;
};
template <class A, class B>
concept can_order = requires(A a, B b) {
  a < b;
};
template <class A, class B>
concept can_equal = requires(A a, B b) {
  a == b;
};
template <class A, class B>
concept can_multiply = requires(A a, B b) {
  a* b;
};
template <class A, class B>
concept can_accumulate = requires(A a, B b) {
  a += b;
};

template <class A, class B>
using Product = decltype(A{} * B{});
template <class A, class B>
using Quotient = decltype(A{} / B{});

// The concepts themselves can say yes and no.
static_assert(can_add<double, double> && !can_add<double, void*>);
static_assert(can_order<int, double> && !can_order<int, void*>);

// A quantity adds to its own kind alone.
static_assert(can_add<Bytes, Bytes> && can_subtract<Bytes, Bytes> && can_accumulate<Bytes&, Bytes>);
static_assert(!can_add<Bytes, Seconds> && !can_subtract<Bytes, Seconds>);
static_assert(!can_add<Bytes, Flops> && !can_add<Flops, Bytes>);
static_assert(!can_add<Bytes, Tokens> && !can_add<BytesPerToken, Bytes>);
static_assert(!can_add<BytesPerSecond, FlopsPerSecond>);
static_assert(!can_add<Bytes, double> && !can_add<double, Bytes> && !can_add<Bytes, std::int64_t>);
static_assert(!can_accumulate<Seconds&, double>);

// It compares with its own kind alone.
static_assert(can_order<Seconds, Seconds> && can_equal<Seconds, Seconds>);
static_assert(!can_order<Bytes, Flops> && !can_equal<Bytes, Flops>);
static_assert(!can_order<Seconds, double> && !can_equal<Seconds, double> &&
              !can_order<double, Seconds>);
static_assert(!can_order<Hertz, TokensPerSecond>);
static_assert(!can_order<Watts, FlopsPerSecond>);

// Numbers become quantities only through the functions that name the unit, and never the other way.
static_assert(!std::convertible_to<double, Bytes> && !std::convertible_to<int, Bytes>);
static_assert(!std::convertible_to<double, Seconds> &&
              !std::convertible_to<double, BytesPerSecond>);
static_assert(!std::convertible_to<Bytes, double> && !std::convertible_to<Seconds, double>);
static_assert(!std::convertible_to<Bytes, bool>);
static_assert(!std::convertible_to<Bytes, Flops> && !std::convertible_to<Flops, Bytes>);
static_assert(!std::convertible_to<BytesPerSecond, Bytes>);
static_assert(!std::is_assignable_v<Bytes&, double>);

// Scaling takes a double; an int would divide as integers elsewhere in the library, so it is
// refused.
static_assert(can_multiply<double, Bytes> && can_multiply<Bytes, double>);
static_assert(!can_multiply<int, Bytes> && !can_multiply<std::int64_t, Bytes>);

// The algebra of the roofline.
static_assert(std::same_as<Quotient<Bytes, BytesPerSecond>, Seconds>);
static_assert(std::same_as<Quotient<Flops, FlopsPerSecond>, Seconds>);
static_assert(std::same_as<Quotient<Flops, Bytes>, FlopsPerByte>);
static_assert(std::same_as<Quotient<FlopsPerSecond, BytesPerSecond>, FlopsPerByte>);
static_assert(std::same_as<Product<BytesPerSecond, Seconds>, Bytes>);
static_assert(std::same_as<Product<BytesPerToken, Tokens>, Bytes>);
static_assert(std::same_as<Product<FlopsPerToken, Tokens>, Flops>);
static_assert(std::same_as<Quotient<Tokens, Seconds>, TokensPerSecond>);
static_assert(std::same_as<Product<Watts, Seconds>, Joules>);

// A ratio of equals is a number.
static_assert(std::convertible_to<Quotient<Bytes, Bytes>, double>);
static_assert(std::convertible_to<Quotient<Seconds, Seconds>, double>);
static_assert(std::convertible_to<Product<Hertz, Seconds>, double>);
static_assert(!std::convertible_to<Quotient<Bytes, Seconds>, double>);

// They cost nothing and work at compile time. 2,039 GB in a second at 2,039 GB/s.
static_assert(sizeof(Bytes) == sizeof(double) && sizeof(FlopsPerByte) == sizeof(double));
static_assert(Bytes{} == bytes(0.0));
static_assert(bytes(std::int64_t{1} << 53) == bytes(9'007'199'254'740'992.0));
static_assert(bytes(2039e9) / BytesPerSecond::from_value(2039e9) == seconds(1.0));
static_assert(tokens(std::int64_t{2}) * BytesPerToken::from_value(524'288.0) == bytes(1'048'576.0));
static_assert(bytes(1.0) < bytes(2.0) && !(bytes(2.0) < bytes(2.0)));

}  // namespace
}  // namespace roofcast
