// Chance that depends on nothing but (seed, position): the same token whatever was drafted, whatever the batch.
#pragma once

#include "limits.h"

namespace tailrace {

/** Bijective mixing of 64 bits (the finalizer of SplitMix64). */
TAILRACE_FN uint64_t mix64(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

/** 64 random bits for the token at a position of a request's context. */
TAILRACE_FN uint64_t noise(uint64_t seed, int64_t position) {
  return mix64(mix64(seed + 0x9E3779B97F4A7C15ull) ^ mix64(static_cast<uint64_t>(position) + 0xD1B54A32D192ED03ull));
}

TAILRACE_FN uint64_t high_product(uint64_t a, uint64_t b) {
#if defined(__CUDA_ARCH__)
  return __umul64hi(a, b);
#else
  __extension__ typedef unsigned __int128 wide;
  return static_cast<uint64_t>((static_cast<wide>(a) * b) >> 64);
#endif
}

}  // namespace tailrace
