// A block of threads on the host: each is a fiber, and what the threads of a warp or a block do together they wait for. Fibers run in
// another order each time, and warps fall behind, so that an algorithm that leans on one order, or lacks a barrier, gives itself away.
// Nothing goes in step but what says so. It shows the algorithm, not a device's memory.
#pragma once

#include <setjmp.h>
#include <ucontext.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>

namespace emulated {

constexpr int THREADS = 512, WARP = 32, RING = 8, STACK_BYTES = 64 << 10, IDLE_ROUNDS_MAX = 1000;

struct Index {
  unsigned x;
};

struct Thread {
  ucontext_t begin;  // enters its stack; a switch by setjmp after that asks nothing of the system
  jmp_buf at;
  std::vector<char> stack = std::vector<char>(STACK_BYTES);
  bool begun = false, ended = false;
  long exchanges = 0, barriers = 0;
  uint64_t shown[RING];
};

inline std::vector<Thread> threads(THREADS);
inline jmp_buf scheduler;
inline Index here{0};
inline const std::function<void()>* work = nullptr;
inline long moved = 0;

inline Thread& self() { return threads[here.x]; }

inline void yield() {
  if (_setjmp(self().at) == 0) _longjmp(scheduler, 1);
}

/** Lets the thread that is here go on until it yields. */
inline void resume() {
  if (_setjmp(scheduler) != 0) return;
  if (self().begun) _longjmp(self().at, 1);
  self().begun = true;
  setcontext(&self().begin);
}

template <class F>
void await(F holds) {
  while (!holds()) yield();
  moved++;
}

/** Shows a value to the lanes of a mask, and waits until all of them have shown theirs; `of(lane)` is one's. */
struct Exchange {
  long number;
  int warp;

  Exchange(uint32_t mask, uint64_t value) : warp(static_cast<int>(here.x) / WARP * WARP) {
    number = ++self().exchanges;
    self().shown[number % RING] = value;
    await([&] {
      for (int lane = 0; lane < WARP; lane++) {
        if ((mask >> lane & 1) != 0 && threads[warp + lane].exchanges < number) return false;
      }
      return true;
    });
  }
  uint64_t of(int lane) const { return threads[warp + lane].shown[number % RING]; }
};

inline int lane() { return static_cast<int>(here.x) % WARP; }

inline void enter() {
  (*work)();
  self().ended = true;
  moved++;
  yield();
}

/** Runs so many threads of a block to their ends. */
inline void run(const std::function<void()>& block, std::mt19937& random, int count = THREADS) {
  work = &block;
  std::vector<int> order;
  for (int i = 0; i < count; i++) {
    Thread& thread = threads[i];
    thread.begun = thread.ended = false;
    thread.exchanges = thread.barriers = 0;
    getcontext(&thread.begin);
    thread.begin.uc_stack.ss_sp = thread.stack.data();
    thread.begin.uc_stack.ss_size = thread.stack.size();
    thread.begin.uc_link = nullptr;
    makecontext(&thread.begin, enter, 0);
    order.push_back(i);
  }
  for (int idle = 0; !order.empty();) {
    long before = moved;
    uint32_t resting = random();  // some warps fall behind
    std::shuffle(order.begin(), order.end(), random);
    for (int i : order) {
      if ((resting >> i / WARP & 1) != 0) continue;
      here.x = static_cast<unsigned>(i);
      resume();
    }
    order.erase(std::remove_if(order.begin(), order.end(), [](int i) { return threads[i].ended; }), order.end());
    idle = moved == before ? idle + 1 : 0;
    if (idle > IDLE_ROUNDS_MAX) {
      std::fprintf(stderr, "the block's threads wait for one another\n");
      std::exit(1);
    }
  }
}

}  // namespace emulated

#define __device__
#define threadIdx emulated::here

inline void __syncthreads() {
  long number = ++emulated::self().barriers;
  emulated::await([&] {
    return std::all_of(emulated::threads.begin(), emulated::threads.end(), [&](auto& t) { return t.barriers >= number; });
  });
}
inline void __syncwarp() { emulated::Exchange(0xffffffffu, 0); }
inline uint32_t __ballot_sync(uint32_t mask, bool holds) {
  emulated::Exchange all(mask, holds);
  uint32_t bits = 0;
  for (int lane = 0; lane < emulated::WARP; lane++) bits |= (mask >> lane & 1 && all.of(lane) != 0 ? 1u : 0u) << lane;
  return bits;
}
inline uint64_t __shfl_sync(uint32_t mask, uint64_t value, int lane) { return emulated::Exchange(mask, value).of(lane); }
inline uint64_t __shfl_xor_sync(uint32_t mask, uint64_t value, int other) { return emulated::Exchange(mask, value).of(emulated::lane() ^ other); }
inline uint64_t __shfl_up_sync(uint32_t mask, uint64_t value, int by) {
  return emulated::Exchange(mask, value).of(std::max(0, emulated::lane() - by));
}
inline uint32_t __reduce_add_sync(uint32_t mask, uint32_t value) {
  emulated::Exchange all(mask, value);
  uint32_t sum = 0;
  for (int lane = 0; lane < emulated::WARP; lane++) sum += mask >> lane & 1 ? static_cast<uint32_t>(all.of(lane)) : 0;
  return sum;
}
inline uint32_t atomicAdd(uint32_t* cell, uint32_t value) {
  uint32_t before = *cell;
  *cell = before + value;
  return before;
}
