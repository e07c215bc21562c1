package io.tailrace.client.budget;

import io.tailrace.suffix.draft.Draft;
import java.util.Arrays;

/**
 * What the nodes of a step's drafts save, and in which order they are worth taking.
 *
 * <p><b>Idea.</b> An answer takes as many steps as it has places where a step ends. A step ends where its draft is wrong, which cannot be helped, or
 * where its draft was cut although the next node would have been right, which wastes a step. So a prefix of a draft costs its rows, and a step
 * times the probability that an answer leaves it towards a node that was left out. Taking node j in as well saves
 * <pre>
 *     step * (p(j) - again * p(children of j)) + row * again * p(children of j)
 * </pre>
 * where p is the probability of the whole path, a step is the request's share of a plain one's time, the row is what each child costs later if not now, and
 * again is the share of what is right now that would be drafted again by a step that begins just before it. So a node may be worth its row only together
 * with those behind it: a draft that is sure to go on should be cut nowhere but at its end. Where nothing is verified (again is 0), and where each node is as
 * likely as the last, given the one before it, this is the usual rule: take what is likelier than its row costs, in tokens at the usual rate.
 *
 * <p><b>Order.</b> Within a draft nodes come in its own order. Of several drafts, the stretch comes first that saves most by node: the next segment of a draft's
 * upper concave hull.
 *
 * <p>Cost: nodes times the logarithm of drafts; nothing is allocated once the arrays have grown. One thread.
 */
final class Savings {
    private static final int NODES = 64;

    /** By request and node: what the draft's first nodes save, up to this one. */
    private double[][] saved = new double[0][];
    /** By request and hull segment: the node after its last. */
    private int[][] segmentEnds = new int[0][];

    private int[] segments = new int[0];
    private int[] nextSegment = new int[0];
    /** By request: what a node of its next segment saves. */
    private double[] slopes = new double[0];
    /** Requests with segments left, the one whose next saves most first: a binary heap. */
    private int[] heap = new int[0];

    private final double[] probabilities = new double[NODES];
    private final double[] children = new double[NODES];
    private int[] order = new int[256];
    private double[] total = new double[257];
    private int count;

    /** Begins a step of so many drafts. */
    void begin(int drafts) {
        if (saved.length < drafts) {
            int old = saved.length;
            saved = Arrays.copyOf(saved, 2 * drafts);
            segmentEnds = Arrays.copyOf(segmentEnds, 2 * drafts);
            for (int i = old; i < saved.length; i++) {
                saved[i] = new double[NODES + 1];
                segmentEnds[i] = new int[NODES];
            }
            segments = new int[2 * drafts];
            nextSegment = new int[2 * drafts];
            slopes = new double[2 * drafts];
            heap = new int[2 * drafts];
        }
    }

    /**
     * Says what a draft is.
     *
     * @param place the request's
     * @param held how well its probabilities hold
     * @param stepNanos its share of a step
     * @param rowNanos of one more token
     * @param again of what is right, the share that would be drafted again if a step began just before it, 0 to 1
     */
    void add(int place, Draft draft, Held held, double stepNanos, double rowNanos, double again) {
        int size = draft.size();
        Arrays.fill(children, 0, size, 0);
        for (int node = 0; node < size; node++) {
            int parent = draft.parent(node);
            double p = held.probability(draft.probability(node));
            probabilities[node] = parent < 0 ? p : Math.min(p, probabilities[parent] - children[parent]);
            if (parent >= 0) {
                children[parent] += probabilities[node];
            }
        }
        double[] sum = saved[place];
        for (int node = 0; node < size; node++) {
            sum[node + 1] = sum[node]
                    + stepNanos * (probabilities[node] - again * children[node])
                    + rowNanos * again * children[node];
        }
        segments[place] = hull(sum, size, segmentEnds[place]);
        nextSegment[place] = 0;
    }

    /** The upper concave hull of what the first so many nodes save; returns the number of its segments. */
    private static int hull(double[] sum, int size, int[] ends) {
        int length = 0;
        for (int end = 1; end <= size; end++) {
            while (length > 0
                    && slope(sum, begin(ends, length - 1), ends[length - 1]) <= slope(sum, ends[length - 1], end)) {
                length--;
            }
            ends[length++] = end;
        }
        return length;
    }

    private static int begin(int[] ends, int segment) {
        return segment == 0 ? 0 : ends[segment - 1];
    }

    private static double slope(double[] sum, int from, int to) {
        return (sum[to] - sum[from]) / (to - from);
    }

    /** Puts the nodes of all drafts in order; returns how many they are. */
    int rank(int drafts) {
        count = 0;
        int size = 0;
        for (int i = 0; i < drafts; i++) {
            if (segments[i] > 0) {
                slopes[i] = nextSlope(i);
                heap[size++] = i;
            }
        }
        for (int at = size / 2 - 1; at >= 0; at--) {
            sink(at, size);
        }
        while (size > 0) {
            int next = heap[0];
            takeSegment(next);
            if (nextSegment[next] < segments[next]) {
                slopes[next] = nextSlope(next);
            } else {
                heap[0] = heap[--size];
            }
            sink(0, size);
        }
        return count;
    }

    private double nextSlope(int request) {
        int segment = nextSegment[request];
        return slope(saved[request], begin(segmentEnds[request], segment), segmentEnds[request][segment]);
    }

    private void sink(int from, int size) {
        int at = from;
        for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && comesFirst(heap[child + 1], heap[child])) {
                child++;
            }
            if (!comesFirst(heap[child], heap[at])) {
                return;
            }
            int moved = heap[at];
            heap[at] = heap[child];
            heap[child] = moved;
            at = child;
        }
    }

    /** Of two that save as much the one with the smaller number. */
    private boolean comesFirst(int request, int other) {
        return slopes[request] > slopes[other] || (slopes[request] == slopes[other] && request < other);
    }

    private void takeSegment(int request) {
        int[] ends = segmentEnds[request];
        int segment = nextSegment[request]++;
        for (int node = begin(ends, segment); node < ends[segment]; node++) {
            take(request, saved[request][node + 1] - saved[request][node]);
        }
    }

    private void take(int request, double saving) {
        if (count == order.length) {
            order = Arrays.copyOf(order, 2 * count);
            total = Arrays.copyOf(total, 2 * count + 1);
        }
        order[count] = request;
        total[count + 1] = total[count] + saving;
        count++;
    }

    /** Whose the node is that comes so late in the order. */
    int request(int place) {
        return order[place];
    }

    /** Nanoseconds that the first so many nodes save, their own rows not counted. */
    double of(int nodes) {
        return total[nodes];
    }
}
