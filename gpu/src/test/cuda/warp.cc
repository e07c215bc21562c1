// Replays Java's drafts with the code of a device's warp, its 32 threads emulated. It shows that the lanes wait for one another where one
// reads what another wrote; it shows nothing of a device's memory, nor of time.
#include "emulated_block.h"
#include "tailrace/warp.cuh"

#include "replay.h"

namespace {

struct EmulatedWarp {
  std::mt19937 random{1};

  /** Of the emulated block only one warp works. */
  template <class F>
  void run(F f) {
    emulated::run(
        [&] {
          if (emulated::here.x < emulated::WARP) f(Warp{});
        },
        random);
  }
};

}  // namespace

int main(int count, char** arguments) { return replay_main<EmulatedWarp>(count, arguments); }
