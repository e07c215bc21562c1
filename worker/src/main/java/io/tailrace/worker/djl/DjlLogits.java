package io.tailrace.worker.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.PassPlan;
import io.tailrace.worker.model.TopTokens;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Optional;

/** The logits of one pass, in native memory until its manager is closed; each kind of answer is fetched once for all rows. */
final class DjlLogits implements Logits, AutoCloseable {
    /** Floats of a row that are looked through at once. */
    private static final int PIECE = 1_024;

    private final PtNDManager pass;
    private final PassPlan plan;
    private final PtNDArray logits;
    private final PtNDArray best;
    private long[] bestTokens;
    private FloatBuffer numbers;
    private TopTokens top;
    private float[] piece;
    private int topCount;
    private long[] topTokens;
    private float[] topLogits;
    private boolean closed;

    DjlLogits(PtNDManager pass, PassPlan plan, NDList results) {
        this.pass = pass;
        this.plan = plan;
        logits = (PtNDArray) results.get(0);
        best = (PtNDArray) results.get(1);
    }

    @Override
    public Optional<Logits.Memory> memory() {
        if (closed) {
            throw new IllegalStateException("the model has begun another pass, its last logits are gone");
        }
        String name = DjlEngine.nameOf(pass.getDevice());
        int vocabulary = (int) logits.getShape().get(1);
        return TensorAddress.of(logits).map(address -> new Logits.Memory(name, address, vocabulary, this::row));
    }

    @Override
    public int argmax(int input, int node) {
        int row = row(input, node);
        if (bestTokens == null) {
            bestTokens = best.toLongArray();
        }
        return (int) bestTokens[row];
    }

    @Override
    public void copy(int input, int node, float[] into) {
        int row = row(input, node);
        int vocabulary = (int) logits.getShape().get(1);
        numbers().get(row * vocabulary, into, 0, vocabulary);
    }

    @Override
    public void top(int input, int node, int[] tokens, float[] into) {
        int row = row(input, node);
        if (!pass.getDevice().isGpu()) {
            look(row, tokens, into);
            return;
        }
        fetchTop(tokens.length);
        for (int place = 0; place < tokens.length; place++) {
            tokens[place] = (int) topTokens[row * topCount + place];
            into[place] = topLogits[row * topCount + place];
        }
    }

    int nativeArrays() {
        return pass.getManagedArrays().size();
    }

    @Override
    public void close() {
        closed = true;
        pass.close();
    }

    private FloatBuffer numbers() {
        if (numbers == null) {
            numbers = logits.toByteBuffer(true).order(ByteOrder.nativeOrder()).asFloatBuffer();
        }
        return numbers;
    }

    /** Through one row in place: the engine sorts all rows of the pass, also those that nobody asks for. */
    private void look(int row, int[] tokens, float[] into) {
        int vocabulary = (int) logits.getShape().get(1);
        if (top == null) {
            top = new TopTokens();
            piece = new float[PIECE];
        }
        top.begin(tokens, into);
        for (int from = 0; from < vocabulary; from += PIECE) {
            int count = Math.min(PIECE, vocabulary - from);
            numbers().get(row * vocabulary + from, piece, 0, count);
            top.add(piece, count, from);
        }
    }

    private void fetchTop(int count) {
        if (count <= topCount) {
            return;
        }
        try (NDList found = logits.topK(count, 1, true, true)) {
            NDArray values = found.get(0);
            topLogits = values.toFloatArray();
            topTokens = found.get(1).toLongArray();
            topCount = count;
        }
    }

    private int row(int input, int node) {
        if (closed) {
            throw new IllegalStateException("the model has begun another pass, its last logits are gone");
        }
        return plan.row(input, node);
    }
}
