#pragma once

#include "roofcast/predict/forecast.hpp"

#include <cstdint>

namespace roofcast {

/// Where a larger batch stops paying.
struct Knee {
  std::int64_t batch = 1;
  bool at_limit = false;  ///< the limit comes first: up to it, every larger batch still pays
};

/// The batch in [1, limit] with the most power, throughput over latency: (batch / TPOT) / TPOT. The
/// smaller of two equal ones.
///
/// Kleinrock, "Power and deterministic rules of thumb for probabilistic problems in computer
/// communications" (ICC 1979), and Jain and Ramakrishnan, "Congestion avoidance in computer
/// networks with a connectionless network layer" (DEC-TR-506, 1988) call the point of maximum power
/// the knee. With TPOT = T(b), power b / T^2 rises while T > 2 b T'. A step that reads the weights
/// in time w and takes k per sequence, T = w + k b, has its knee at b = w / k: the sequences then
/// take as long as the weights, TPOT is twice what it was without them and the throughput half of
/// the 1 / k that no batch exceeds. From there on, doubling the batch brings at most 4/3 of the
/// throughput for 3/2 of the TPOT.
///
/// T is convex in b (sums and p-norms of terms that are constant or linear in b are), so T - 2 b T'
/// falls strictly and there is one maximum, which bisection finds.
///
/// @param request  output >= 2: without a decode step there is no TPOT
/// @param limit    >= 1: the largest batch that fits
Knee find_knee(const ForecastRequest& request, std::int64_t limit);

}  // namespace roofcast
