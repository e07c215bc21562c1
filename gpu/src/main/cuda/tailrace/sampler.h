// Chooses a token from one row of logits: the likeliest, or by chance after temperature, top-k and top-p.
//
// Every token gets an integer weight, exp((logit - highest) / temperature) times 2^40, from additions and multiplications in a fixed
// order. Sums of integers do not depend on their order, so any number of threads gives the same token as one does. Weights below
// 2^-40 of the highest are zero. Where two tokens stand equal at a limit, the one with the lower id stays.
//
// A team goes over tokens: `greatest` takes a maximum, `tally` sorts what they add into 256 bins, `reach` finds the bin at which the
// bins' running sum reaches what is wanted, `keep` lists some of them (see `AloneSums`, and `BlockSums` in warp.cuh on a device).
//
// Cost in passes over the row: the likeliest token 1; the first of top-k and top-p 2, since what it leaves is listed and later passes go
// over the list; the draw 1 where nothing was listed. Where more is left than a list holds, a limit takes 3 passes; where tokens
// crowd at it, 7 (radix select), and 1 more if they stand equal.
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

constexpr int BINS = 256;
constexpr int KEPT_MAX = 1024;

/** Some tokens with their logits: a range of a row, where a token's place is its id, or a list. */
struct Tokens {
  const float* logits;
  const int32_t* ids;  // null: a row
  int from, to;

  TAILRACE_FN int id(int place) const { return ids == nullptr ? place : ids[place]; }

  /** Those of them whose ids may be in a range: of a list all. */
  TAILRACE_FN Tokens within(int first, int end) const { return ids == nullptr ? Tokens{logits, ids, first, end} : *this; }
};

/** What a token adds to which bin; a value of 0 adds nothing. At most 2^40. */
struct Share {
  int bin;
  uint64_t value;
};

/** The bin at which a running sum reaches what is wanted, the sum before it, and the bin's own. */
struct Reached {
  int bin;
  uint64_t before, wanted, own;
};

/** One thread in the place of a block. */
struct AloneSums {
  uint64_t bins[BINS];
  float kept_logits[KEPT_MAX];
  int32_t kept_ids[KEPT_MAX];

  /** The greatest f(id, logit). */
  template <class F>
  uint64_t greatest(const Tokens& tokens, F f) const {
    uint64_t greatest = 0;
    for (int i = tokens.from; i < tokens.to; i++) {
      uint64_t value = f(tokens.id(i), tokens.logits[i]);
      greatest = value > greatest ? value : greatest;
    }
    return greatest;
  }

  /** Empties the bins and adds the share f(id, logit) of each token. */
  template <class F>
  void tally(const Tokens& tokens, F f) {
    for (uint64_t& bin : bins) bin = 0;
    for (int i = tokens.from; i < tokens.to; i++) {
      Share share = f(tokens.id(i), tokens.logits[i]);
      if (share.value != 0) bins[share.bin] += share.value;
    }
  }

  /** Sums the bins up, from the last one down if `falling`, until wanted_of(sum of all) is reached; it must be by all. */
  template <class W>
  Reached reach(bool falling, W wanted_of) const {
    uint64_t total = 0, before = 0;
    for (uint64_t bin : bins) total += bin;
    uint64_t wanted = wanted_of(total);
    for (int i = 0;; i++) {
      int bin = falling ? BINS - 1 - i : i;
      if (i == BINS - 1 || before + bins[bin] >= wanted) return Reached{bin, before, wanted, bins[bin]};
      before += bins[bin];
    }
  }

  /** Those tokens of a row for which f(id, logit) holds, in any order; all, if they are more than KEPT_MAX. One list at a time. */
  template <class F>
  Tokens keep(const Tokens& tokens, F f) {
    int kept = 0;
    for (int i = tokens.from; i < tokens.to; i++) {
      if (!f(tokens.id(i), tokens.logits[i])) continue;
      if (kept == KEPT_MAX) return tokens;
      kept_ids[kept] = tokens.id(i);
      kept_logits[kept++] = tokens.logits[i];
    }
    return Tokens{kept_logits, kept_ids, 0, kept};
  }
};

/** A float's bits so that greater floats have greater keys; 0 is no number's key. Both zeros are one. */
TAILRACE_FN uint32_t key_of(float value) {
  if (value != value) return 0;
  uint32_t bits = 0;
  if (value != 0) memcpy(&bits, &value, sizeof bits);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

/** The number of a key; zero's is +0. */
TAILRACE_FN float value_of(uint32_t key) {
  uint32_t bits = key & 0x80000000u ? key ^ 0x80000000u : ~key;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
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

/** In which of the bins a token is, by how far it is below the likeliest: 8 bins for each unit, the rest in the last one. */
TAILRACE_FN int nearness(float logit, float highest) {
  float at = (highest - logit) * 8.0f;
  return at < static_cast<float>(BINS - 1) ? static_cast<int>(at) : BINS - 1;
}

/** The first id below `end` at which the running sum of value(id, logit) reaches wanted_of(sum of all). */
template <class Sums, class F, class W>
TAILRACE_FN int first_reaching(Sums& sums, const Tokens& tokens, int end, F value, W wanted_of) {
  uint64_t wanted = 0;
  int from = 0, to = end;
  for (bool known = false; to - from > 1; known = true) {
    int width = 0;  // a bin takes 2^width ids
    while ((to - from - 1) >> width >= BINS) width++;
    sums.tally(tokens.within(from, to), [=](int id, float logit) {
      return Share{(id - from) >> width, id >= from && id < to ? value(id, logit) : 0};
    });
    Reached at = sums.reach(false, [=](uint64_t total) { return known ? wanted : wanted_of(total); });
    wanted = at.wanted - at.before;
    from += at.bin << width;
    to = least(to, from + (1 << width));
  }
  return from;
}

/**
 * The smallest cut, from the likeliest down, whose measure reaches wanted_of(measure of all within a cut): tokens within that cut are added by
 * falling key, then rising id. `measure(logit)` is a token's. First the bin by nearness is found. What may be within the new cut is
 * listed, or, if that is too much, what the bin holds. Then the key is found byte by byte: each pass sums up the tokens of the bin whose
 * bytes before are those found, by their next byte.
 */
template <class Sums, class F, class W>
TAILRACE_FN Cut cut_at(Sums& sums, Tokens& tokens, int vocabulary, float highest, const Cut within, F measure, W wanted_of) {
  sums.tally(tokens, [=](int id, float logit) {
    return Share{nearness(logit, highest), within.takes(key_of(logit), id) ? measure(logit) : 0};
  });
  Reached at = sums.reach(false, wanted_of);
  const int bin = at.bin;
  uint64_t wanted = at.wanted - at.before;
  if (tokens.ids == nullptr) {
    tokens = sums.keep(tokens, [=](int id, float logit) { return nearness(logit, highest) <= bin && within.takes(key_of(logit), id); });
  }
  Tokens sought = tokens;
  if (tokens.ids == nullptr) {
    sought = sums.keep(tokens, [=](int id, float logit) { return nearness(logit, highest) == bin && within.takes(key_of(logit), id); });
  }
  uint32_t key = 0;
  for (int shift = 24; shift >= 0; shift -= 8) {
    uint32_t found = shift == 24 ? 0 : ~uint32_t{0} << (shift + 8);
    sums.tally(sought, [=](int id, float logit) {
      uint32_t own = key_of(logit);
      bool counts = ((own ^ key) & found) == 0 && nearness(logit, highest) == bin && within.takes(own, id);
      return Share{static_cast<int>(own >> shift & 255), counts ? measure(logit) : 0};
    });
    at = sums.reach(true, [=](uint64_t) { return wanted; });
    key |= static_cast<uint32_t>(at.bin) << shift;
    wanted = at.wanted - at.before;
  }
  uint64_t each = measure(value_of(key));
  uint64_t count = each == 0 ? 0 : (wanted + each - 1) / each;  // of those at the key, the fewest that reach it
  if (count * each >= at.own) return Cut{key, key == within.key ? within.ids_end : vocabulary};
  auto at_key = [=](int id, float logit) { return uint64_t{key_of(logit) == key && within.takes(key, id)}; };
  return Cut{key, 1 + first_reaching(sums, sought, vocabulary, at_key, [=](uint64_t) { return count; })};
}

/** The id with the greatest logit, the lowest among equals; NONE if some logit is no number. */
template <class Sums>
TAILRACE_FN int likeliest(const Sums& sums, const Tokens& row) {
  constexpr uint64_t NO_NUMBER = ~uint64_t{0};  // above every key
  uint64_t best = sums.greatest(row, [=](int id, float logit) {
    uint64_t key = key_of(logit);
    return key == 0 ? NO_NUMBER : key << 32 | (0xffffffffu - static_cast<uint32_t>(id));
  });
  return best == NO_NUMBER || row.to <= 0 ? NONE : static_cast<int>(0xffffffffu - static_cast<uint32_t>(best));
}

/** The token at a position of the context, from its row of logits; NONE if some logit is no number. */
template <class Sums>
TAILRACE_FN int sample(Sums&& sums, const float* row, int vocabulary, const Sampling& sampling, int64_t position) {
  Tokens tokens{row, nullptr, 0, vocabulary};
  int best = likeliest(sums, tokens);
  if (best == NONE || !(sampling.temperature > 0)) return best;
  float highest = row[best];
  float steepness = 1.44269504f / sampling.temperature;
  bool graded = highest - highest == 0 && steepness - steepness == 0;
  if (!graded) return best;  // one of them is infinite: the likeliest is all there is
  auto weight = [=](float logit) { return weight_of(logit, highest, steepness); };
  Cut cut{0, 0};
  if (sampling.top_k > 0 && sampling.top_k < vocabulary) {
    uint64_t wanted = static_cast<uint64_t>(sampling.top_k);
    cut = cut_at(sums, tokens, vocabulary, highest, cut, [](float) { return uint64_t{1}; }, [=](uint64_t) { return wanted; });
  }
  if (sampling.top_p < 1) {
    uint64_t share = static_cast<uint64_t>((sampling.top_p > 0 ? sampling.top_p : 0) * 16777216.0f) << 40;
    cut = cut_at(sums, tokens, vocabulary, highest, cut, weight, [=](uint64_t total) {
      uint64_t wanted = high_product(total, share);
      return wanted > 0 ? wanted : 1;
    });
  }
  uint64_t chance = noise(sampling.seed, position);
  return first_reaching(
      sums, tokens, vocabulary, [=](int id, float logit) { return cut.takes(key_of(logit), id) ? weight(logit) : uint64_t{0}; },
      [=](uint64_t total) { return high_product(chance, total) + 1; });
}

}  // namespace tailrace
