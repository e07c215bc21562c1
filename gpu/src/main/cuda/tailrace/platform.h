// What differs between g++ and nvcc, and nothing else.
//
// The core is written for one warp: its parts run by 32 lanes that stay together. `Warp` (warp.cuh) is such a warp on a device,
// `Alone` is one thread that plays the lanes one after the other. Between the parts everything stands in memory that the
// lanes share, so both give the same bits. Arithmetic: build with -ffp-contract=off, --fmad=false.
#pragma once

#include <cstdint>

#if defined(__CUDACC__)
#define TAILRACE_FN __device__ inline
#else
#define TAILRACE_FN inline
#endif

namespace tailrace {

constexpr int LANES = 32;

TAILRACE_FN int least(int a, int b) { return a < b ? a : b; }
TAILRACE_FN int most(int a, int b) { return a > b ? a : b; }

TAILRACE_FN int bits_set(uint32_t mask) {
#if defined(__CUDA_ARCH__)
  return __popc(mask);
#else
  return __builtin_popcount(mask);
#endif
}

TAILRACE_FN int lowest_bit(uint32_t mask) {
#if defined(__CUDA_ARCH__)
  return __ffs(static_cast<int>(mask)) - 1;
#else
  return __builtin_ctz(mask);
#endif
}

/** One thread in the place of a warp. */
struct Alone {
  /** Runs f(lane) for each lane; what the lanes wrote is seen by all afterwards. */
  template <class F>
  void each(F f) const {
    for (int lane = 0; lane < LANES; lane++) f(lane);
  }

  /** Bit l is f(l). */
  template <class F>
  uint32_t ballot(F f) const {
    uint32_t mask = 0;
    for (int lane = 0; lane < LANES; lane++) mask |= (f(lane) ? 1u : 0u) << lane;
    return mask;
  }

  /** Runs f once; what it wrote is seen by all afterwards. */
  template <class F>
  void once(F f) const {
    f();
  }
};

}  // namespace tailrace
