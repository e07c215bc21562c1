// A warp and a block of a device, in the places of `Alone` and `AloneSums`.
#pragma once

#include "sampler.h"

namespace tailrace {

/** 32 lanes that stay together. What one part wrote is seen by the next. */
struct Warp {
  int lane;

  __device__ Warp() : lane(static_cast<int>(threadIdx.x) % LANES) {}

  template <class F>
  __device__ void each(F f) const {
    __syncwarp();
    f(lane);
    __syncwarp();
  }

  template <class F>
  __device__ uint32_t ballot(F f) const {
    __syncwarp();
    return __ballot_sync(0xffffffffu, f(lane));
  }

  template <class F>
  __device__ void once(F f) const {
    __syncwarp();
    if (lane == 0) f();
    __syncwarp();
  }
};

constexpr int BLOCK = 256;

/** A block of 256 threads that adds up integers: the order does not matter, so the sums are those of one thread. */
struct BlockSums {
  uint64_t* cells;  // BLOCK / LANES + 1 of shared memory

  template <class F, class Join>
  __device__ uint64_t all(int from, int to, F f, Join join) const {
    uint64_t value = 0;
    for (int i = from + static_cast<int>(threadIdx.x); i < to; i += BLOCK) value = join(value, f(i));
    for (int offset = LANES / 2; offset > 0; offset /= 2) value = join(value, __shfl_xor_sync(0xffffffffu, value, offset));
    __syncthreads();
    if (threadIdx.x % LANES == 0) cells[threadIdx.x / LANES] = value;
    __syncthreads();
    value = 0;
    for (int i = 0; i < BLOCK / LANES; i++) value = join(value, cells[i]);
    return value;
  }

  template <class F>
  __device__ uint64_t sum(int from, int to, F f) const {
    return all(from, to, f, [](uint64_t a, uint64_t b) { return a + b; });
  }

  template <class F>
  __device__ uint64_t greatest(int from, int to, F f) const {
    return all(from, to, f, [](uint64_t a, uint64_t b) { return a > b ? a : b; });
  }
};

}  // namespace tailrace
