"""Whether PyTorch's work and ours follow each other on the legacy default stream without anybody waiting.

    stream_order.py KERNELS.fatbin

Serving relies on it: DJL queues the model on PyTorch's default stream, the driver's binding queues our kernels on the stream of handle
1. Each round queues slow products, then writes drafts into a tensor, launches tailrace_fill on that stream, which writes token ids
and positions into other tensors by their addresses, and computes with those in PyTorch; it waits once, at the end. The same
round on a stream of its own shows that the check would notice. Drafts of a chain: node i has token and depth i + 1.
"""

import ctypes
import struct
import sys

ROUNDS, BATCH, NODES, BUDGET, PRODUCTS = 40, 8, 16, 64, 6
DRAFT_INTS = 4 + 6 * BUDGET
LEGACY = 1


def check(code, call):
    if code != 0:
        raise RuntimeError(f"{call} gave {code}")


class Fill:
    """tailrace_fill, by the driver's own functions, in the context that PyTorch has made current."""

    def __init__(self, driver, binary):
        self.driver, module, self.function = driver, ctypes.c_void_p(), ctypes.c_void_p()
        check(driver.cuModuleLoadData(ctypes.byref(module), binary), "cuModuleLoadData")
        check(driver.cuModuleGetFunction(ctypes.byref(self.function), module, b"tailrace_fill"), "cuModuleGetFunction")

    def launch(self, stream, *addresses):
        values = [ctypes.c_uint64(address) for address in addresses]
        params = (ctypes.c_void_p * len(values))(*[ctypes.addressof(value) for value in values])
        shape = [ctypes.c_uint(n) for n in (BATCH, NODES, 1, 32, 1, 1, 0)]
        code = self.driver.cuLaunchKernel(self.function, *shape, ctypes.c_void_p(stream), params, None)
        check(code, "cuLaunchKernel")


def draft_ints(first):
    """struct Draft of a chain whose tokens begin at `first`."""
    arrays = [[first + i for i in range(NODES)], [i - 1 for i in range(NODES)], [i + 1 for i in range(NODES)]]
    padded = [array + [0] * (BUDGET - NODES) for array in arrays]
    return [NODES, 0, NODES, 0] + sum(padded, []) + [0] * (3 * BUDGET)


def static_bytes(tokens, positions, blocked):
    """TreeShapes, seats and the pass, which no round changes."""
    chain = [(2 << i) - 1 for i in range(NODES)] + [0] * (BUDGET - NODES)
    shape = struct.pack(f"<{BUDGET}Q{BUDGET + 1}ii", *chain, *range(NODES + 1), *[0] * (BUDGET - NODES), NODES + 1)
    seats = [struct.pack("<qiiii", b * NODES * NODES, b * NODES, NODES, NODES, 100 * b) for b in range(BATCH)]
    return shape * BATCH, b"".join(seats), struct.pack("<QQQii", tokens, positions, blocked, 1 << 30, 0)


def differing(torch, fill, stream_handle):
    """Rounds in which PyTorch did not see what the kernel made of the drafts of this round."""
    device = dict(device="cuda")
    tokens, positions = (torch.zeros(BATCH * NODES, dtype=torch.int64, **device) for _ in range(2))
    blocked = torch.zeros(BATCH * NODES * NODES, dtype=torch.uint8, **device)
    drafts = torch.zeros(BATCH * DRAFT_INTS, dtype=torch.int32, **device)
    parts = static_bytes(tokens.data_ptr(), positions.data_ptr(), blocked.data_ptr())
    shapes, seats, inputs = (torch.frombuffer(bytearray(part), dtype=torch.uint8).cuda() for part in parts)
    ready = [torch.tensor(sum((draft_ints(1000 * r + 50 * b) for b in range(BATCH)), []), dtype=torch.int32).cuda() for r in range(ROUNDS)]
    square = torch.ones(2048, 2048, **device)
    torch.cuda.synchronize()
    seen = []
    for r in range(ROUNDS):
        for _ in range(PRODUCTS):
            square = square @ square * 1e-4
        drafts.copy_(ready[r])
        fill.launch(stream_handle, drafts.data_ptr(), shapes.data_ptr(), seats.data_ptr(), inputs.data_ptr())
        seen.append(torch.cat([tokens * 3 + 1, positions]))
    torch.cuda.synchronize()
    wrong = 0
    for r in range(ROUNDS):
        expected = [3 * (1000 * r + 50 * b + i) + 1 for b in range(BATCH) for i in range(NODES)]
        expected += [100 * b + i + 1 for b in range(BATCH) for i in range(NODES)]
        wrong += seen[r].tolist() != expected
    return wrong


def main(path):
    try:
        import torch
    except ImportError:
        print("NOT RUN: python3 has no torch.")
        return 0
    if not torch.cuda.is_available():
        print("NOT RUN: this PyTorch sees no GPU.")
        return 0
    torch.zeros(1, device="cuda")
    if torch.cuda.current_stream().cuda_stream != 0:
        raise RuntimeError("PyTorch does not compute on the default stream")
    with open(path, "rb") as file:
        fill = Fill(ctypes.CDLL("libcuda.so.1"), file.read())
    wrong = differing(torch, fill, LEGACY)
    other = differing(torch, fill, torch.cuda.Stream().cuda_stream)
    print(f"PyTorch {torch.__version__}: {ROUNDS - wrong} of {ROUNDS} rounds right on the legacy default stream, nobody waiting between.")
    print(f"On another stream, where nothing orders them, {ROUNDS - other} of {ROUNDS}" + (
        "." if other else ": the products took too little time, so **this shows nothing**."))
    return 0 if wrong == 0 and other > 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
