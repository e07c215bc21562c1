// Holds the core against dull twins on random cases. Prints the seed that breaks it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tailrace/sampler.h"
#include "tailrace/slot.h"
#include "tailrace/verify.h"

using namespace tailrace;

namespace {

using Tokens = std::vector<int32_t>;
uint32_t seed_in_hand;

void require(bool holds, const char* broken) {
  if (holds) return;
  std::fprintf(stderr, "broken by seed %u: %s\n", seed_in_hand, broken);
  std::exit(1);
}

struct OwnedSlot {
  std::vector<uint64_t> block;
  int capacity;

  explicit OwnedSlot(int n, uint32_t seed = 0) : block(slot_bytes(n) / 8), capacity(n) {
    view().header->seed = seed;
    reset(Alone{}, view());
  }
  Slot view() { return Slot(reinterpret_cast<uint8_t*>(block.data()), capacity); }
};

Tokens random_tokens(std::mt19937& random, int length, int alphabet) {
  Tokens tokens;
  while (static_cast<int>(tokens.size()) < length) {
    if (tokens.size() > 4 && random() % 6 == 0) {
      for (size_t from = random() % tokens.size(), n = random() % 20; n > 0; n--) tokens.push_back(tokens[from++]);
    } else {
      tokens.push_back(static_cast<int32_t>(random() % alphabet));
    }
  }
  tokens.resize(length);
  return tokens;
}

std::vector<int> ends_of(const Tokens& text, const Tokens& pattern) {
  std::vector<int> ends;
  for (size_t end = pattern.size(); end <= text.size(); end++) {
    if (std::equal(pattern.begin(), pattern.end(), text.begin() + (end - pattern.size()))) ends.push_back(static_cast<int>(end) - 1);
  }
  return ends;
}

/** Walks every substring through the automaton: it must be there, with its first end, its edges, and no other. */
void check_automaton(OwnedSlot& owned, const Tokens& text) {
  Slot slot = owned.view();
  int n = static_cast<int>(text.size());
  require(slot.header->states <= std::max(2 * n - 1, n + 1), "more states than 2n - 1");
  require(slot.header->spilled <= std::max(0, n - 1), "more spilled edges than n - 1");
  for (int from = 0; from < n; from++) {
    int state = ROOT;
    for (int to = from; to < n; to++) {
      state = follow(slot, state, text[to]);
      require(state != NONE, "a substring is not in the automaton");
      std::vector<int> ends = ends_of(text, Tokens(text.begin() + from, text.begin() + to + 1));
      std::set<int32_t> next;
      for (int end : ends) {
        if (end + 1 < n) next.insert(text[end + 1]);
      }
      require(slot.nodes[state].first_end == ends.front(), "first end");
      require(std::count(ends.begin(), ends.end(), slot.nodes[state].last_end) == 1, "last end is no end");
      require(slot.nodes[state].edges == static_cast<int>(next.size()), "number of edges");
    }
  }
  require(follow(slot, ROOT, 1 << 20) == NONE, "an edge that nobody added");
}

/** The links from the whole context are its suffixes that occurred before, each with an earlier end. */
void check_links(OwnedSlot& owned, const Tokens& text) {
  Slot slot = owned.view();
  int n = static_cast<int>(text.size());
  std::set<int> classes;  // longest suffix of each set of ends
  size_t known = 0;
  for (int length = n; length > 0; length--) {
    std::vector<int> ends = ends_of(text, Tokens(text.end() - length, text.end()));
    if (ends.size() > 1 && ends.size() != known) classes.insert(length);
    known = ends.size();
  }
  std::set<int> linked;
  for (int state = slot.nodes[slot.header->tail].link; state > ROOT; state = slot.nodes[state].link) {
    linked.insert(slot.nodes[state].length);
    require(slot.nodes[state].last_end < n - 1, "a match is its own occurrence");
  }
  require(linked == classes, "links are not the suffixes that occurred before");
}

void automaton_holds_every_substring() {
  for (seed_in_hand = 0; seed_in_hand < 1500; seed_in_hand++) {
    std::mt19937 random(seed_in_hand);
    int length = static_cast<int>(random() % 40);
    Tokens text = random_tokens(random, length, 1 + static_cast<int>(random() % 6));
    OwnedSlot slot(std::max(1, length));
    for (int32_t token : text) append(slot.view(), token);
    require(slot.view().header->flags == 0, "a context that fits raised a flag");
    check_automaton(slot, text);
    if (length > 0) check_links(slot, text);
  }
}

/** The worst texts for states and for edges stay within the slot's bounds at every capacity. */
void bounds_hold_for_the_worst_texts() {
  for (seed_in_hand = 1; seed_in_hand < 400; seed_in_hand++) {
    int n = static_cast<int>(seed_in_hand);
    for (int kind = 0; kind < 4; kind++) {
      OwnedSlot owned(n);
      for (int i = 0; i < n; i++) {
        int abb = i == 0 ? 0 : 1;                          // most states
        int abbc = i == 0 ? 0 : i == n - 1 ? 2 : 1;        // most edges
        append(owned.view(), kind == 0 ? abb : kind == 1 ? abbc : kind == 2 ? i : 7);
      }
      require(owned.view().header->flags == 0, "a text that fits raised a flag");
      require(owned.view().header->states <= 2 * n, "states pass the slot");
      require(owned.view().header->spilled <= std::max(0, n - 1), "edges pass their bound");
      append(owned.view(), 1);
      require(owned.view().header->flags == CONTEXT_FULL, "a full slot must say so");
      require(owned.view().header->length == n, "a full slot must not change");
    }
  }
}

/** Tokens in the order in which a table of one seed looks for them fill one stretch of that table, and spread over those of other seeds. */
void chosen_tokens_crowd_no_table_whose_seed_is_not_known() {
  constexpr int N = 4096;
  constexpr int VOCABULARY = 152000;
  OwnedSlot known(N);
  Tokens chosen(VOCABULARY);
  for (int i = 0; i < VOCABULARY; i++) chosen[i] = i;
  Slot slot = known.view();
  std::sort(chosen.begin(), chosen.end(), [&](int a, int b) { return spill_home(slot, ROOT, a) < spill_home(slot, ROOT, b); });
  chosen.resize(N);
  for (seed_in_hand = 1; seed_in_hand < 50; seed_in_hand++) {
    OwnedSlot owned(N, seed_in_hand * 0x9E3779B1u);
    int64_t steps = 0;
    for (int32_t token : chosen) {
      append(owned.view(), token);
      int64_t home = spill_home(owned.view(), ROOT, token);
      int64_t at = find_spilled(owned.view(), ROOT, token);
      steps += at >= home ? at - home : at + spill_capacity(N) - home;
    }
    require(owned.view().header->flags == 0, "a context that fits raised a flag");
    require(steps < 4 * N, "chosen tokens crowd the table");
  }
}

/** The latest place of a token, by looking back: behind 64 places of other tokens of its bucket it is not seen. */
int latest_by_looking(const Tokens& text, int token) {
  int seen = 0;
  for (int i = static_cast<int>(text.size()) - 1; i >= 0 && seen < RECENT_STEPS_MAX; i--) {
    if (text[i] == token) return i;
    if (recent_bucket(text[i]) == recent_bucket(token)) seen++;
  }
  return NONE;
}

/** Some tokens of one bucket, and some of others. */
Tokens crowded_alphabet(std::mt19937& random) {
  Tokens tokens{0, 1, 2};
  size_t size = tokens.size() + random() % 3;
  for (int token = 3; tokens.size() < size; token++) {
    if (recent_bucket(token) == recent_bucket(0)) tokens.push_back(token);
  }
  return tokens;
}

void places_are_the_latest_of_their_tokens_and_counted() {
  bool unseen = false, full = false;
  for (seed_in_hand = 0; seed_in_hand < 30; seed_in_hand++) {
    std::mt19937 random(seed_in_hand);
    Tokens alphabet = crowded_alphabet(random);
    int length = 1 + static_cast<int>(random() % 600);
    unsigned rare = 1 + random() % 300;
    OwnedSlot owned(length);
    Tokens text;
    std::vector<int> counts;
    for (int i = 0; i < length; i++) {
      int32_t token = random() % rare == 0 ? alphabet[random() % alphabet.size()] : alphabet.back();
      int before = latest_by_looking(text, token);
      counts.push_back(before == NONE ? 1 : std::min(CONTEXT_COUNT_MAX, counts[before] + 1));
      text.push_back(token);
      append(owned.view(), token);
      require(owned.view().counts[i] == counts[i], "how many places of a token");
      full = full || counts[i] == CONTEXT_COUNT_MAX;
      for (int32_t each : alphabet) {
        int latest = latest_place(owned.view(), each);
        require(latest == latest_by_looking(text, each), "the latest place of a token");
        unseen = unseen || (latest == NONE && std::count(text.begin(), text.end(), each) > 0);
      }
    }
  }
  require(unseen && full, "no case with a token out of sight, or none with a full count");
}

void a_negative_token_is_a_flag() {
  OwnedSlot owned(4);
  append(owned.view(), 3);
  append(owned.view(), -5);
  append(owned.view(), 3);
  require(owned.view().header->flags == BAD_TOKEN && owned.view().header->length == 1, "a negative token");
}

struct Ranked {
  float logit;
  int id;
};

/** Probabilities in double precision, after temperature, top-k and top-p. */
std::map<int, double> exact(const std::vector<float>& logits, const Sampling& s) {
  std::vector<Ranked> ranked;
  for (size_t id = 0; id < logits.size(); id++) ranked.push_back({logits[id], static_cast<int>(id)});
  std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) { return a.logit > b.logit; });
  if (s.top_k > 0 && s.top_k < static_cast<int>(ranked.size())) ranked.resize(s.top_k);
  double total = 0, kept = 0;
  for (const Ranked& r : ranked) total += std::exp((static_cast<double>(r.logit) - ranked[0].logit) / s.temperature);
  std::map<int, double> probabilities;
  for (const Ranked& r : ranked) {
    if (kept >= s.top_p * total && !probabilities.empty()) break;
    double weight = std::exp((static_cast<double>(r.logit) - ranked[0].logit) / s.temperature);
    probabilities[r.id] = weight;
    kept += weight;
  }
  for (auto& entry : probabilities) entry.second /= kept;
  return probabilities;
}

/** A token by sorting: integer weights, the cuts one token after another, then the draw by rising id. */
int sampled_by_sorting(const std::vector<float>& logits, const Sampling& s, int64_t position) {
  std::vector<int> ids(logits.size());
  for (size_t id = 0; id < ids.size(); id++) ids[id] = static_cast<int>(id);
  std::stable_sort(ids.begin(), ids.end(), [&](int a, int b) { return logits[a] > logits[b]; });
  float highest = logits[ids[0]];
  if (!(s.temperature > 0) || std::isinf(highest) || std::isinf(1.44269504f / s.temperature)) return ids[0];
  if (s.top_k > 0 && s.top_k < static_cast<int>(ids.size())) ids.resize(static_cast<size_t>(s.top_k));
  std::vector<uint64_t> weights(logits.size(), 0);
  uint64_t total = 0, kept = 0;
  for (int id : ids) total += weights[id] = weight_of(logits[id], highest, 1.44269504f / s.temperature);
  if (s.top_p < 1) {
    unsigned __int128 wide = static_cast<unsigned __int128>(total) * (static_cast<uint64_t>(s.top_p * 16777216.0f) << 40);
    uint64_t wanted = std::max(uint64_t{1}, static_cast<uint64_t>(wide >> 64));
    size_t count = 0;
    while (kept < wanted) kept += weights[ids[count++]];
    for (size_t i = count; i < ids.size(); i++) weights[ids[i]] = 0;
    total = kept;
  }
  uint64_t drawn = high_product(noise(s.seed, position), total);
  int id = 0;
  for (; drawn >= weights[id]; id++) drawn -= weights[id];
  return id;
}

std::vector<float> random_logits(std::mt19937& random, int vocabulary) {
  std::vector<float> logits(static_cast<size_t>(vocabulary));
  int kind = static_cast<int>(random() % 5);
  for (float& logit : logits) {
    float value = (static_cast<float>(random()) / 4294967296.0f - 0.5f) * (kind == 0 ? 200.0f : 16.0f);
    if (kind == 1) value = static_cast<float>(static_cast<int>(value) / 4);      // many stand equal, some at both zeros
    if (kind == 2) value = std::ldexp(std::trunc(std::ldexp(value, 4)), -4);     // as bf16 has them
    if (kind == 3) value = random() % 50 == 0 ? value : -INFINITY;               // most are ruled out
    logit = random() % 20 == 0 ? -0.0f : value;
  }
  if (random() % 30 == 0) logits[random() % logits.size()] = INFINITY;
  if (random() % 30 == 0) std::fill(logits.begin(), logits.end(), -INFINITY);
  return logits;
}

Sampling random_sampling(std::mt19937& random, int vocabulary) {
  constexpr float TEMPERATURES[] = {0, 0.05f, 0.7f, 1, 3, 1e-39f}, SHARES[] = {1, 1, 0.95f, 0.5f, 0.01f, 0.99999f};
  Sampling s{TEMPERATURES[random() % 6], SHARES[random() % 6], 0, 0, random()};
  if (random() % 2 == 0) s.top_k = 1 + static_cast<int32_t>(random() % (vocabulary + 3));
  return s;
}

void samples_are_those_of_sorting() {
  constexpr int VOCABULARIES[] = {1, 2, 3, 255, 256, 257, 512, 513, 1031, 2000};
  for (seed_in_hand = 0; seed_in_hand < 3000; seed_in_hand++) {
    std::mt19937 random(seed_in_hand);
    int vocabulary = seed_in_hand % 3 == 0 ? VOCABULARIES[random() % 10] : 1 + static_cast<int>(random() % 60);
    std::vector<float> logits = random_logits(random, vocabulary);
    Sampling s = random_sampling(random, vocabulary);
    for (int position = 0; position < 4; position++) {
      int expected = sampled_by_sorting(logits, s, position);
      require(sample(AloneSums{}, logits.data(), vocabulary, s, position) == expected, "a sample is not that of sorting");
    }
  }
}

/** The seed and position's draws follow the distribution: chi-square, five standard deviations above its mean. */
void samples_follow_the_distribution() {
  constexpr int DRAWS = 20000;
  for (seed_in_hand = 0; seed_in_hand < 60; seed_in_hand++) {
    std::mt19937 random(seed_in_hand);
    std::vector<float> logits(2 + random() % 40);
    for (float& logit : logits) logit = static_cast<float>(random() % 4000) / 1000.0f;
    Sampling s{0.3f + (random() % 100) * 0.02f, random() % 2 == 0 ? 1.0f : 0.83f, static_cast<int32_t>(random() % 12), 0, seed_in_hand};
    std::map<int, double> probabilities = exact(logits, s);
    std::map<int, int> drawn;
    for (int i = 0; i < DRAWS; i++) drawn[sample(AloneSums{}, logits.data(), static_cast<int>(logits.size()), s, i)]++;
    double chi = 0;
    for (auto& entry : drawn) require(probabilities.count(entry.first) == 1, "a token was drawn that was cut off");
    for (auto& entry : probabilities) {
      double expected = entry.second * DRAWS;
      chi += (drawn[entry.first] - expected) * (drawn[entry.first] - expected) / expected;
    }
    double freedom = static_cast<double>(probabilities.size()) - 1;
    require(chi <= freedom + 5 * std::sqrt(2 * freedom + 1) + 5, "draws do not follow the distribution");
  }
}

void weights_are_exponentials() {
  seed_in_hand = 0;
  for (float x = 0; x > -30; x -= 0.0137f) {
    double weight = static_cast<double>(power_weight(x)) / 1099511627776.0;
    require(std::abs(weight - std::exp2(static_cast<double>(x))) <= 4e-5 * std::exp2(static_cast<double>(x)) + 1e-11, "2^x");
  }
  require(power_weight(-41) == 0 && power_weight(-INFINITY) == 0 && power_weight(0) == uint64_t{1} << 40, "2^x at its ends");
}

void the_likeliest_is_the_first_of_the_greatest() {
  for (seed_in_hand = 0; seed_in_hand < 3000; seed_in_hand++) {
    std::mt19937 random(seed_in_hand);
    std::vector<float> logits(1 + random() % 50);
    for (float& logit : logits) logit = static_cast<float>(static_cast<int>(random() % 9) - 4);
    int expected = static_cast<int>(std::max_element(logits.begin(), logits.end()) - logits.begin());
    Sampling greedy{0, 1, 0, 0, 1};
    require(sample(AloneSums{}, logits.data(), static_cast<int>(logits.size()), greedy, 3) == expected, "the likeliest token");
    logits[random() % logits.size()] = NAN;
    require(sample(AloneSums{}, logits.data(), static_cast<int>(logits.size()), greedy, 3) == NONE, "no number");
  }
}

Draft random_tree(std::mt19937& random) {
  Draft draft{};
  int size = static_cast<int>(random() % (BUDGET_MAX + 1));
  for (int node = 0; node < size; node++) {
    int parent = static_cast<int>(random() % (node + 1)) - 1;
    int token = static_cast<int>(random() % 3);
    if (child_with(draft, parent, token) != NONE) continue;
    draft.parent[draft.size] = std::min(parent, draft.size - 1);
    draft.token[draft.size] = token;
    draft.depth[draft.size] = draft.parent[draft.size] < 0 ? 1 : draft.depth[draft.parent[draft.size]] + 1;
    draft.size++;
  }
  return draft;
}

/** Ancestors by walking up; the verdict by decoding one token after the other with the same choices. */
void trees_are_walked_as_without_drafts() {
  for (seed_in_hand = 0; seed_in_hand < 5000; seed_in_hand++) {
    std::mt19937 random(seed_in_hand);
    Draft draft = random_tree(random);
    TreeShape shape{};
    shape_of(draft, shape);
    int32_t chosen[ROWS_MAX];
    for (int32_t& token : chosen) token = static_cast<int32_t>(random() % 3);
    for (int row = 0; row < shape.rows; row++) {
      std::set<int> path{0};
      for (int node = row - 1; node >= 0; node = draft.parent[node]) path.insert(node + 1);
      for (int other = 0; other < shape.rows; other++) require(sees(shape, row, other) == (path.count(other) == 1), "mask");
      require(shape.offset[row] == static_cast<int>(path.size()) - 1, "offset");
    }
    Verdict verdict{};
    walk(draft, chosen, verdict);
    int row = 0, at = 0;
    for (bool more = true; more; at++) {
      require(at < verdict.length && verdict.kept[at] == row && verdict.token[at] == chosen[row], "walk");
      more = false;
      for (int node = 0; node < draft.size && !more; node++) {
        if (draft.parent[node] == row - 1 && draft.token[node] == chosen[row]) row = node + 1, more = true;
      }
    }
    require(at == verdict.length && verdict.flags == 0, "length of the verdict");
    chosen[0] = NONE;
    walk(draft, chosen, verdict);
    require(verdict.flags == BAD_LOGITS && verdict.length == 0, "a row without a choice");
  }
}

/** A draft's first nodes see what they saw: a cut needs no masks but those that are there. */
void cut_trees_keep_their_masks() {
  for (seed_in_hand = 0; seed_in_hand < 3000; seed_in_hand++) {
    std::mt19937 random(seed_in_hand);
    Draft draft = random_tree(random);
    TreeShape cut{}, anew{};
    shape_of(draft, cut);
    draft.size = static_cast<int>(random() % (draft.size + 1));
    cut.rows = draft.size + 1;
    shape_of(draft, anew);
    for (int row = 0; row < ROWS_MAX; row++) {
      for (int other = 0; other < ROWS_MAX; other++) require(sees(cut, row, other) == sees(anew, row, other), "mask of a cut tree");
      require(row >= cut.rows || cut.offset[row] == anew.offset[row], "offset in a cut tree");
    }
  }
}

/** Files that are no segments are refused, whatever their bytes. */
void foreign_bytes_are_refused() {
  for (seed_in_hand = 0; seed_in_hand < 2000; seed_in_hand++) {
    std::mt19937 random(seed_in_hand);
    std::vector<uint64_t> block((sizeof(Lane) + 1024 + sizeof(Vocabulary)) / 8);
    for (size_t i = 0; i < (sizeof(Lane) + 1024) / 8; i++) block[i] = (static_cast<uint64_t>(random()) << 32 | random()) >> random() % 64;
    if (random() % 2 == 0) {
      block[sizeof(Lane) / 8] = 0x544e4d4745535254;
      block[sizeof(Lane) / 8 + 1] = 1;
      block[sizeof(Lane) / 8 + 2] = 1024;
    }
    LanePlaces places{sizeof(Lane) + 1024, sizeof(Vocabulary), {{sizeof(Lane), 1024, NEWEST, 1}}};
    open_lane(reinterpret_cast<uint8_t*>(block.data()), places, 1);
    require(reinterpret_cast<Lane*>(block.data())->flags != 0 && reinterpret_cast<Lane*>(block.data())->parts == 0, "foreign bytes");
  }
}

/** A vocabulary of so many tokens and popular ones, in a lane without files. */
int flags_with_vocabulary(int tokens, int popular, int64_t bytes) {
  std::vector<uint64_t> block((sizeof(Lane) + sizeof(Vocabulary)) / 8 + 100);
  uint8_t* base = reinterpret_cast<uint8_t*>(block.data());
  Vocabulary& vocabulary = *reinterpret_cast<Vocabulary*>(base + sizeof(Lane));
  vocabulary.tokens = tokens;
  vocabulary.popular_tokens = popular;
  LanePlaces places{sizeof(Lane), bytes, {}};
  open_lane(base, places, 0);
  return reinterpret_cast<Lane*>(base)->flags;
}

void vocabularies_that_are_not_what_they_say_are_refused() {
  constexpr int64_t FIXED = sizeof(Vocabulary);
  require(flags_with_vocabulary(100, POPULAR_MAX, FIXED + 300) == 0, "a vocabulary");
  require(flags_with_vocabulary(0, 0, FIXED) == 0, "an empty vocabulary");
  require(flags_with_vocabulary(100, 0, FIXED + 299) == BAD_VOCABULARY, "a vocabulary that is too short");
  require(flags_with_vocabulary(0, 0, FIXED - 1) == BAD_VOCABULARY, "a vocabulary that is too short for its tables");
  require(flags_with_vocabulary(-1, 0, FIXED) == BAD_VOCABULARY, "fewer than no tokens");
  require(flags_with_vocabulary(0, POPULAR_MAX + 1, FIXED) == BAD_VOCABULARY, "too many popular tokens");
  require(flags_with_vocabulary(0, -1, FIXED) == BAD_VOCABULARY, "fewer than no popular tokens");
}

}  // namespace

int main() {
  automaton_holds_every_substring();
  bounds_hold_for_the_worst_texts();
  chosen_tokens_crowd_no_table_whose_seed_is_not_known();
  places_are_the_latest_of_their_tokens_and_counted();
  a_negative_token_is_a_flag();
  weights_are_exponentials();
  samples_are_those_of_sorting();
  samples_follow_the_distribution();
  the_likeliest_is_the_first_of_the_greatest();
  trees_are_walked_as_without_drafts();
  cut_trees_keep_their_masks();
  foreign_bytes_are_refused();
  vocabularies_that_are_not_what_they_say_are_refused();
  std::printf("all hold\n");
}
