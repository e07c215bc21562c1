"""What one verification costs: a Llama-shaped model (8B, bf16, random weights) over trees of 1 to 64 tokens, batch 1 to 64.

Prints a Markdown table: milliseconds of one step, by CUDA events, the median of some runs, replayed as a graph where that works.
The numbers are those of matrix products and attention; what a server adds around them is not in there.
"""

import sys

try:
    import torch
    import torch.nn.functional as functional
except ImportError:
    print("NOT RUN: python3 has no torch.")
    sys.exit(0)

LAYERS, WIDTH, HEADS, PAIRS, SIZE, INNER, VOCABULARY = 32, 4096, 32, 8, 128, 14336, 128256
SHARE = HEADS // PAIRS
COMMITTED, RUNS = 1024, 7
BATCHES, TREES = (1, 4, 16, 64), (1, 2, 4, 8, 16, 32, 64)


def matrix(rows, columns):
    return torch.empty(rows, columns, device="cuda", dtype=torch.bfloat16).normal_(0, 0.02)


def shared_rows(q):
    """Queries as rows of the pair of keys and values that their heads share: with a mask, grouped heads have no fused kernel."""
    batch, tree = q.shape[:2]
    return q.view(batch, tree, PAIRS, SHARE, SIZE).permute(0, 2, 3, 1, 4).reshape(batch, PAIRS, SHARE * tree, SIZE)


def heads_of(seen, tree):
    """Back from there: each node's heads side by side."""
    return seen.view(-1, PAIRS, SHARE, tree, SIZE).permute(0, 3, 1, 2, 4).reshape(-1, tree, HEADS * SIZE)


class Llama:
    def __init__(self):
        self.layers = [
            (matrix((HEADS + 2 * PAIRS) * SIZE, WIDTH), matrix(WIDTH, HEADS * SIZE), matrix(2 * INNER, WIDTH), matrix(WIDTH, INNER))
            for _ in range(LAYERS)
        ]
        self.head = matrix(VOCABULARY, WIDTH)
        self.norm = torch.ones(WIDTH, device="cuda", dtype=torch.bfloat16)

    def step(self, x, caches, mask):
        batch, tree = x.shape[:2]
        for (mixed, out, gates, down), (keys, values) in zip(self.layers, caches):
            normed = functional.rms_norm(x, (WIDTH,), self.norm)
            q, k, v = functional.linear(normed, mixed).split((HEADS * SIZE, PAIRS * SIZE, PAIRS * SIZE), -1)
            keys[:, :, COMMITTED : COMMITTED + tree] = k.view(batch, tree, PAIRS, SIZE).transpose(1, 2)
            values[:, :, COMMITTED : COMMITTED + tree] = v.view(batch, tree, PAIRS, SIZE).transpose(1, 2)
            seen = functional.scaled_dot_product_attention(
                shared_rows(q), keys[:, :, : COMMITTED + tree], values[:, :, : COMMITTED + tree], attn_mask=mask
            )
            x = x + functional.linear(heads_of(seen, tree), out)
            a, b = functional.linear(functional.rms_norm(x, (WIDTH,), self.norm), gates).chunk(2, -1)
            x = x + functional.linear(functional.silu(a) * b, down)
        return functional.linear(functional.rms_norm(x, (WIDTH,), self.norm), self.head).argmax(-1)


def tree_mask(tree):
    """Node i follows node (i - 1) // 2: a binary tree; all see the committed tokens. The rows come once for each head of a pair."""
    mask = torch.zeros(tree, COMMITTED + tree, dtype=torch.bool)
    mask[:, :COMMITTED] = True
    for node in range(tree):
        at = node
        while True:
            mask[node, COMMITTED + at] = True
            if at == 0:
                break
            at = (at - 1) // 2
    return mask.repeat(SHARE, 1).cuda()


def replayable(work):
    """The work as a captured graph, or as it is where it cannot be captured."""
    work()
    torch.cuda.synchronize()
    try:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            work()
        return graph.replay, "graph"
    except RuntimeError:
        torch.cuda.synchronize()
        return work, "eager"


def millis(work):
    times = []
    for run in range(RUNS + 2):
        before, after = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        before.record()
        work()
        after.record()
        after.synchronize()
        if run >= 2:
            times.append(before.elapsed_time(after))
    return sorted(times)[len(times) // 2]


def main():
    if not torch.cuda.is_available():
        print("NOT RUN: this PyTorch sees no GPU.")
        return 0
    torch.set_grad_enabled(False)
    torch.manual_seed(1)
    model = Llama()
    print(f"PyTorch {torch.__version__}, {torch.cuda.get_device_name()}, {COMMITTED} committed tokens, milliseconds a step.\n")
    print("| batch | " + " | ".join(f"tree {tree}" for tree in TREES) + " | how |")
    print("|---" * (len(TREES) + 2) + "|")
    for batch in BATCHES:
        shape = (batch, PAIRS, COMMITTED + max(TREES), SIZE)
        caches = [tuple(torch.zeros(shape, device="cuda", dtype=torch.bfloat16) for _ in range(2)) for _ in range(LAYERS)]
        cells, hows = [], set()
        for tree in TREES:
            x, mask = torch.randn(batch, tree, WIDTH, device="cuda", dtype=torch.bfloat16), tree_mask(tree)
            work, how = replayable(lambda: model.step(x, caches, mask))
            cells.append(f"{millis(work):.2f}")
            hows.add(how)
            del work
        print(f"| {batch} | " + " | ".join(cells) + f" | {', '.join(sorted(hows))} |", flush=True)
        del caches
        torch.cuda.empty_cache()
    return 0


sys.exit(main())
