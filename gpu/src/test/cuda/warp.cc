// Replays Java's drafts with the code of a device's warp, its 32 threads emulated. It shows that the lanes wait for one another where one
// reads what another wrote; it shows nothing of a device's memory, nor of time.
#include "emulated_block.h"
#include "tailrace/warp.cuh"

#include "replay.h"

namespace {

struct EmulatedWarp {
  std::mt19937 random{1};

  template <class F>
  void run(F f) {
    emulated::run([&] { f(Warp{}); }, random, emulated::WARP);
  }
};

}  // namespace

int main(int count, char** arguments) { return replay_main<EmulatedWarp>(count, arguments); }
