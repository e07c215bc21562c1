// Chooses a token from one row of logits: the likeliest, or by chance after temperature, top-k and top-p.
//
// Every token gets an integer weight, exp((logit - highest) / temperature) times 2^40, from additions and multiplications in a fixed
// order. Sums of integers do not depend on their order, so any number of threads gives the same token as one does. Weights below
// 2^-40 of the highest are zero. Where two tokens stand equal at a limit, the one with the lower id stays.
//
// A team adds and takes maxima over a range: `sum(from, to, f)` and `greatest(from, to, f)` of uint64 (see `AloneSums`, and
// block.cuh on a device). Cost: top-k and top-p take 32 sums over the row each, the draw one sum and a halving search.
#pragma once

#include <cstring>

#include "noise.h"

namespace tailrace {

struct Sampling {
  float temperature;  // 0: the likeliest token
  float top_p;        // 1: all
  int32_t top_k;      // 0: all
  int32_t reserved;
  uint64_t seed;
};
static_assert(sizeof(Sampling) == 24, "");

/** One thread in the place of a block. */
struct AloneSums {
  template <class F>
  uint64_t sum(int from, int to, F f) const {
    uint64_t sum = 0;
    for (int i = from; i < to; i++) sum += f(i);
    return sum;
  }

  template <class F>
  uint64_t greatest(int from, int to, F f) const {
    uint64_t greatest = 0;
    for (int i = from; i < to; i++) greatest = f(i) > greatest ? f(i) : greatest;
    return greatest;
  }
};

/** A float's bits so that greater floats have greater keys; 0 is no number's key. Both zeros are one. */
TAILRACE_FN uint32_t key_of(float value) {
  if (value != value) return 0;
  uint32_t bits = 0;
  if (value != 0) memcpy(&bits, &value, sizeof bits);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

/** 2^x for x in [-40, 0] times 2^40, as an integer. */
TAILRACE_FN uint64_t power_weight(float x) {
  if (!(x > -40.0f)) return 0;
  int whole = static_cast<int>(x);  // towards zero: x - whole is in (-1, 0]
  float f = x - static_cast<float>(whole);
  float sum = 1.53533e-4f;  // Taylor of 2^f around zero, degree 6
  sum = sum * f + 1.33336e-3f;
  sum = sum * f + 9.61813e-3f;
  sum = sum * f + 5.5504109e-2f;
  sum = sum * f + 2.40226507e-1f;
  sum = sum * f + 6.93147181e-1f;
  sum = sum * f + 1.0f;
  uint64_t scaled = static_cast<uint64_t>(sum * 1073741824.0f) << 10;
  return scaled >> -whole;
}

TAILRACE_FN uint64_t weight_of(float logit, float highest, float steepness) { return power_weight((logit - highest) * steepness); }

/** Which tokens may be drawn: those of a key above `key`, and those at it with an id below `ids_end`. */
struct Cut {
  uint32_t key;
  int32_t ids_end;

  TAILRACE_FN bool takes(uint32_t token_key, int id) const { return token_key > key || (token_key == key && id < ids_end); }
};

/**
 * The smallest cut, from the likeliest down, whose measure reaches `wanted`: tokens are added by falling key, then rising id. `f(id)`
 * is a token's measure. The measure of all must reach it.
 */
template <class Sums, class F>
TAILRACE_FN Cut cut_at(const Sums& sums, const float* logits, int vocabulary, uint64_t wanted, F f) {
  uint32_t key = 0;
  for (int bit = 31; bit >= 0; bit--) {
    uint32_t higher = key | 1u << bit;
    uint64_t above = sums.sum(0, vocabulary, [&](int id) { return key_of(logits[id]) >= higher ? f(id) : uint64_t{0}; });
    if (above >= wanted) key = higher;
  }
  uint64_t above = sums.sum(0, vocabulary, [&](int id) { return key_of(logits[id]) > key ? f(id) : uint64_t{0}; });
  int low = 0, high = vocabulary;  // ids at the key: the fewest that reach it
  uint64_t before = above;
  while (low < high) {
    int middle = low + (high - low) / 2;
    uint64_t part = sums.sum(low, middle + 1, [&](int id) { return key_of(logits[id]) == key ? f(id) : uint64_t{0}; });
    if (before + part >= wanted) {
      high = middle;
    } else {
      before += part;
      low = middle + 1;
    }
  }
  return Cut{key, low + 1};
}

/** The id with the greatest logit, the lowest among equals; NONE if some logit is no number. */
template <class Sums>
TAILRACE_FN int likeliest(const Sums& sums, const float* logits, int vocabulary) {
  uint64_t bad = sums.sum(0, vocabulary, [&](int id) { return uint64_t{key_of(logits[id]) == 0}; });
  uint64_t best = sums.greatest(0, vocabulary, [&](int id) {
    return static_cast<uint64_t>(key_of(logits[id])) << 32 | (0xffffffffu - static_cast<uint32_t>(id));
  });
  return bad != 0 || vocabulary <= 0 ? NONE : static_cast<int>(0xffffffffu - static_cast<uint32_t>(best));
}

/** The token at a position of the context, from its row of logits; NONE if some logit is no number. */
template <class Sums>
TAILRACE_FN int sample(const Sums& sums, const float* logits, int vocabulary, const Sampling& sampling, int64_t position) {
  int best = likeliest(sums, logits, vocabulary);
  if (best == NONE || !(sampling.temperature > 0)) return best;
  float highest = logits[best];
  float steepness = 1.44269504f / sampling.temperature;
  Cut cut{0, 0};
  if (sampling.top_k > 0 && sampling.top_k < vocabulary) {
    cut = cut_at(sums, logits, vocabulary, static_cast<uint64_t>(sampling.top_k), [](int) { return uint64_t{1}; });
  }
  auto weight = [&](int id) {
    return cut.takes(key_of(logits[id]), id) ? weight_of(logits[id], highest, steepness) : uint64_t{0};
  };
  uint64_t total = sums.sum(0, vocabulary, weight);
  if (sampling.top_p < 1) {
    float share = sampling.top_p > 0 ? sampling.top_p : 0;
    uint64_t wanted = high_product(total, static_cast<uint64_t>(share * 16777216.0f) << 40);
    cut = cut_at(sums, logits, vocabulary, wanted > 0 ? wanted : 1, weight);
    total = sums.sum(0, vocabulary, weight);
  }
  uint64_t drawn = high_product(noise(sampling.seed, position), total);
  int low = 0, high = vocabulary - 1;
  while (low < high) {  // the first id whose running sum passes what was drawn
    int middle = low + (high - low) / 2;
    uint64_t part = sums.sum(low, middle + 1, weight);
    if (drawn < part) {
      high = middle;
    } else {
      drawn -= part;
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace tailrace
