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

constexpr int BLOCK = 512;

/** A sum of 64 bits as two words: shared memory adds words at once, but 64 bits only by trying until no other thread was faster. */
struct Bin {
  uint32_t low, high;

  __device__ uint64_t value() const { return static_cast<uint64_t>(high) << 32 | low; }

  __device__ void add(uint64_t value) {
    uint32_t own = static_cast<uint32_t>(value);
    uint32_t before = atomicAdd(&low, own);
    uint32_t above = static_cast<uint32_t>(value >> 32) + (own > ~before ? 1 : 0);
    if (above != 0) atomicAdd(&high, above);
  }
};

/** Shared memory of a block that samples. */
struct BlockSpace {
  Bin bins[BINS];
  uint64_t greatest[BLOCK / LANES];
  float kept_logits[KEPT_MAX];
  int32_t kept_ids[KEPT_MAX];
  uint32_t kept;
};

/**
 * A block that goes over tokens, in the place of `AloneSums`. Only integers are added up: the order does not matter, so the sums are
 * those of one thread. All threads of the block take part in each call and get the same answer.
 */
struct BlockSums {
  static constexpr uint32_t ALL = 0xffffffffu;
  static constexpr int AHEAD = 8;  // loads of a thread that do not wait for one another

  BlockSpace& space;

  __device__ static int lane() { return static_cast<int>(threadIdx.x) % LANES; }

  /** Runs f(id, logit, inside) for all tokens, whole warps together; outside them id and logit are none. */
  template <class F>
  __device__ static void over(const Tokens& tokens, F f) {
    for (int64_t base = tokens.from; base < tokens.to; base += AHEAD * BLOCK) {
      int64_t first = base + static_cast<int>(threadIdx.x);
      float logit[AHEAD];
      for (int i = 0; i < AHEAD; i++) logit[i] = first + i * BLOCK < tokens.to ? tokens.logits[first + i * BLOCK] : 0.0f;
      for (int i = 0; i < AHEAD; i++) {
        if (base + i * BLOCK >= tokens.to) break;
        bool inside = first + i * BLOCK < tokens.to;
        f(inside ? tokens.id(static_cast<int>(first) + i * BLOCK) : NONE, logit[i], inside);
      }
    }
  }

  template <class F>
  __device__ uint64_t greatest(const Tokens& tokens, F f) const {
    uint64_t value = 0;
    over(tokens, [&](int id, float logit, bool inside) {
      uint64_t own = inside ? f(id, logit) : 0;
      value = own > value ? own : value;
    });
    for (int offset = LANES / 2; offset > 0; offset /= 2) {
      uint64_t other = __shfl_xor_sync(ALL, value, offset);
      value = other > value ? other : value;
    }
    __syncthreads();  // what was there has been read
    if (lane() == 0) space.greatest[threadIdx.x / LANES] = value;
    __syncthreads();
    for (int i = 0; i < BLOCK / LANES; i++) value = space.greatest[i] > value ? space.greatest[i] : value;
    return value;
  }

  template <class F>
  __device__ void tally(const Tokens& tokens, F f) const {
    __syncthreads();  // what was in the bins has been read
    for (int i = static_cast<int>(threadIdx.x); i < BINS; i += BLOCK) space.bins[i] = Bin{0, 0};
    __syncthreads();
    over(tokens, [&](int id, float logit, bool inside) { add(inside ? f(id, logit) : Share{NONE, 0}); });
    __syncthreads();
  }

  /** Adds the shares of a warp; those that go to one bin first to each other, since they would wait for one another. */
  __device__ void add(const Share& share) const {
    uint32_t adding = __ballot_sync(ALL, share.value != 0);
    if (adding == 0) return;
    int common = __shfl_sync(ALL, share.bin, lowest_bit(adding));
    if (__ballot_sync(ALL, share.value != 0 && share.bin != common) != 0) {
      if (share.value != 0) space.bins[share.bin].add(share.value);
      return;
    }
    uint32_t low = __reduce_add_sync(ALL, static_cast<uint32_t>(share.value & 0x3ffffffu));  // 32 of 26 bits fit
    uint32_t high = __reduce_add_sync(ALL, static_cast<uint32_t>(share.value >> 26));
    if (lane() == 0) space.bins[common].add((static_cast<uint64_t>(high) << 26) + low);
  }

  /** Every warp sums up by itself: 8 bins a lane, then the lanes. */
  template <class W>
  __device__ Reached reach(bool falling, W wanted_of) const {
    constexpr int EACH = BINS / LANES;
    auto place = [=](int i) { return falling ? BINS - 1 - i : i; };
    uint64_t own = 0;
    for (int i = 0; i < EACH; i++) own += space.bins[place(lane() * EACH + i)].value();
    uint64_t up_to = own;
    for (int offset = 1; offset < LANES; offset *= 2) {
      uint64_t other = __shfl_up_sync(ALL, up_to, offset);
      if (lane() >= offset) up_to += other;
    }
    uint64_t wanted = wanted_of(__shfl_sync(ALL, up_to, LANES - 1));
    uint32_t there = __ballot_sync(ALL, up_to >= wanted);
    int holder = there == 0 ? LANES - 1 : lowest_bit(there);
    uint64_t before = __shfl_sync(ALL, up_to - own, holder);
    for (int i = 0;; i++) {
      int bin = place(holder * EACH + i);
      uint64_t value = space.bins[bin].value();
      if (i == EACH - 1 || before + value >= wanted) return Reached{bin, before, wanted, value};
      before += value;
    }
  }

  template <class F>
  __device__ Tokens keep(const Tokens& tokens, F f) const {
    __syncthreads();  // a list before has been read
    if (threadIdx.x == 0) space.kept = 0;
    __syncthreads();
    over(tokens, [&](int id, float logit, bool inside) {
      bool keeps = inside && f(id, logit);
      uint32_t keeping = __ballot_sync(ALL, keeps);
      if (keeping == 0) return;
      uint32_t first = 0;
      if (lane() == lowest_bit(keeping)) first = atomicAdd(&space.kept, static_cast<uint32_t>(bits_set(keeping)));
      first = __shfl_sync(ALL, first, lowest_bit(keeping));
      uint32_t at = first + static_cast<uint32_t>(bits_set(keeping & ((1u << lane()) - 1)));
      if (keeps && at < KEPT_MAX) {
        space.kept_ids[at] = id;
        space.kept_logits[at] = logit;
      }
    });
    __syncthreads();
    uint32_t kept = space.kept;
    return kept > KEPT_MAX ? tokens : Tokens{space.kept_logits, space.kept_ids, 0, static_cast<int>(kept)};
  }
};

}  // namespace tailrace
