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

/**
 * A block of 256 threads that goes over a row of logits, in the place of `AloneSums`. Only integers are added up: the order does not
 * matter, so the sums are those of one thread. All threads of the block take part in each call and get the same answer.
 */
struct BlockSums {
  static constexpr uint32_t ALL = 0xffffffffu;
  static constexpr int AHEAD = 4;  // loads of a thread that do not wait for one another

  uint64_t* bins;  // BINS of shared memory

  /** Runs f(id, logit, inside) for a range, whole warps together; outside the range the logit is none. */
  template <class F>
  __device__ static void over(const float* row, int from, int to, F f) {
    for (int64_t base = from; base < to; base += AHEAD * BLOCK) {
      int64_t first = base + static_cast<int>(threadIdx.x);
      float logit[AHEAD];
      for (int i = 0; i < AHEAD; i++) logit[i] = first + i * BLOCK < to ? row[first + i * BLOCK] : 0.0f;
      for (int i = 0; i < AHEAD; i++) f(static_cast<int>(first) + i * BLOCK, logit[i], first + i * BLOCK < to);
    }
  }

  template <class F>
  __device__ uint64_t greatest(const float* row, int from, int to, F f) const {
    uint64_t value = 0;
    over(row, from, to, [&](int id, float logit, bool inside) {
      uint64_t own = inside ? f(id, logit) : 0;
      value = own > value ? own : value;
    });
    for (int offset = LANES / 2; offset > 0; offset /= 2) {
      uint64_t other = __shfl_xor_sync(ALL, value, offset);
      value = other > value ? other : value;
    }
    __syncthreads();  // what was in the bins has been read
    if (threadIdx.x % LANES == 0) bins[threadIdx.x / LANES] = value;
    __syncthreads();
    for (int i = 0; i < BLOCK / LANES; i++) value = bins[i] > value ? bins[i] : value;
    return value;
  }

  template <class F>
  __device__ void tally(const float* row, int from, int to, F f) const {
    __syncthreads();  // what was in the bins has been read
    for (int i = static_cast<int>(threadIdx.x); i < BINS; i += BLOCK) bins[i] = 0;
    __syncthreads();
    over(row, from, to, [&](int id, float logit, bool inside) { add(inside ? f(id, logit) : Share{NONE, 0}); });
    __syncthreads();
  }

  /** Adds the shares of a warp: those of one bin first to each other, since a row's tokens crowd in few bins. */
  __device__ void add(const Share& share) const {
    int bin = share.value == 0 ? NONE : share.bin;
    if (__ballot_sync(ALL, bin != NONE) == 0) return;
    uint32_t peers = __match_any_sync(ALL, bin);
    uint32_t low = __reduce_add_sync(peers, static_cast<uint32_t>(share.value & 0x3ffffffu));  // 32 of 26 bits fit
    uint32_t high = __reduce_add_sync(peers, static_cast<uint32_t>(share.value >> 26));
    bool first = lowest_bit(peers) == static_cast<int>(threadIdx.x) % LANES;
    if (bin != NONE && first) {
      atomicAdd(reinterpret_cast<unsigned long long*>(bins + bin), (static_cast<unsigned long long>(high) << 26) + low);
    }
  }

  /** Every warp sums up by itself: 8 bins a lane, then the lanes. */
  template <class W>
  __device__ Reached reach(bool falling, W wanted_of) const {
    constexpr int EACH = BINS / LANES;
    int lane = static_cast<int>(threadIdx.x) % LANES;
    auto place = [=](int i) { return falling ? BINS - 1 - i : i; };
    uint64_t own = 0;
    for (int i = 0; i < EACH; i++) own += bins[place(lane * EACH + i)];
    uint64_t up_to = own;
    for (int offset = 1; offset < LANES; offset *= 2) {
      uint64_t other = __shfl_up_sync(ALL, up_to, offset);
      if (lane >= offset) up_to += other;
    }
    uint64_t wanted = wanted_of(__shfl_sync(ALL, up_to, LANES - 1));
    uint32_t there = __ballot_sync(ALL, up_to >= wanted);
    int holder = there == 0 ? LANES - 1 : lowest_bit(there);
    uint64_t before = __shfl_sync(ALL, up_to - own, holder);
    for (int i = 0;; i++) {
      int bin = place(holder * EACH + i);
      if (i == EACH - 1 || before + bins[bin] >= wanted) return Reached{bin, before, wanted, bins[bin]};
      before += bins[bin];
    }
  }
};

}  // namespace tailrace
