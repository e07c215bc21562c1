// Holds what a device's block does in the sampler against one thread, on random cases. Prints the seed that breaks it.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "emulated_block.h"
#include "tailrace/warp.cuh"

using namespace tailrace;

namespace {

std::vector<float> random_logits(std::mt19937& random) {
  constexpr int VOCABULARIES[] = {1, 31, 255, 257, 1023, 1024, 1031, 1500, 4095, 4100};
  int vocabulary = random() % 2 == 0 ? VOCABULARIES[random() % 10] : 1 + static_cast<int>(random() % 300);
  std::vector<float> logits(static_cast<size_t>(vocabulary));
  int kind = static_cast<int>(random() % 4);
  for (float& logit : logits) {
    float value = (static_cast<float>(random()) / 4294967296.0f - 0.5f) * 16.0f;
    if (kind == 1) value = std::trunc(value);                    // many stand equal
    if (kind == 2 && random() % 30 != 0) value = -INFINITY;      // most are ruled out
    if (kind == 3) value *= 0.01f;                               // more are near the likeliest than a list holds
    logit = value;
  }
  if (random() % 40 == 0) logits[random() % logits.size()] = NAN;
  return logits;
}

Sampling random_sampling(std::mt19937& random, int vocabulary) {
  constexpr float TEMPERATURES[] = {0, 0.3f, 1, 2}, SHARES[] = {1, 0.95f, 0.4f};
  Sampling s{TEMPERATURES[random() % 4], SHARES[random() % 3], 0, 0, random()};
  if (random() % 2 == 0) s.top_k = 1 + static_cast<int32_t>(random() % static_cast<unsigned>(vocabulary));
  return s;
}

void a_block_samples_as_one_thread_does() {
  for (uint32_t seed = 0; seed < 160; seed++) {
    std::mt19937 random(seed);
    std::vector<float> logits = random_logits(random);
    int vocabulary = static_cast<int>(logits.size());
    Sampling sampling = random_sampling(random, vocabulary);
    int expected = sample(AloneSums{}, logits.data(), vocabulary, sampling, seed);
    static BlockSpace space;
    std::memset(&space, static_cast<int>(random() & 255), sizeof space);  // shared memory comes as it is
    std::vector<int> got(BLOCK, -2);
    emulated::run([&] { got[emulated::here.x] = sample(BlockSums{space}, logits.data(), vocabulary, sampling, seed); }, random);
    for (int token : got) {
      if (token == expected) continue;
      std::fprintf(stderr, "broken by seed %u: a thread of the block has %d, one thread alone %d\n", seed, token, expected);
      std::exit(1);
    }
  }
}

}  // namespace

int main() {
  a_block_samples_as_one_thread_does();
  std::printf("all hold\n");
}
