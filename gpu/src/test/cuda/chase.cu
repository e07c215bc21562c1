// Loads that wait for one another: what one dependent access to the device's memory costs. For the device check only.
#include <cstdint>

#if !defined(TAILRACE_HOST)
#define TAILRACE_KERNEL extern "C" __global__ void
#endif

/** Goes from place to place, on from where it ended before: a run does not find what the run before brought near. One thread. */
TAILRACE_KERNEL tailrace_chase(const uint32_t* next, int steps, uint32_t* end) {
  uint32_t at = *end;
  for (int i = 0; i < steps; i++) at = next[at];
  *end = at;
}
