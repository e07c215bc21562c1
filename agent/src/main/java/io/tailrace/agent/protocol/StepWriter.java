package io.tailrace.agent.protocol;

/** Writes STEPs, as a door does: for an agent's own warm-up and for what measures it. Reused; one thread. */
public final class StepWriter {
    private static final int OPERATIONS_AT = FrameFormat.HEADER_BYTES + Long.BYTES + 3 * Integer.BYTES;

    private final FrameWriter frame = new FrameWriter();
    private long sequence;
    private int operations;

    /** Begins the next STEP. */
    public StepWriter next(long nanos, int requests, int rows, int draftTokensMax) {
        operations = 0;
        frame.begin(FrameFormat.STEP, ++sequence)
                .i64(nanos)
                .u32(requests)
                .u32(rows)
                .u32(draftTokensMax)
                .u32(0);
        return this;
    }

    public StepWriter begin(int request, String id, String scope, int[] prompt) {
        operation(FrameFormat.BEGIN, request)
                .u32(0)
                .u32(prompt.length)
                .i64(0)
                .f32(0)
                .string(id)
                .string(scope);
        return tokens(prompt, 0, prompt.length);
    }

    /** What was said: a stretch of an answer. */
    public StepWriter extend(int request, int verified, int[] answer, int from, int to) {
        operation(FrameFormat.EXTEND, request).u32(verified);
        return tokens(answer, from, to);
    }

    public StepWriter end(int request, EndReason reason, long atMillis) {
        operation(FrameFormat.END, request).u32(reason.code()).i64(atMillis);
        return this;
    }

    public StepWriter draft(int request, int tokensMax) {
        operation(FrameFormat.DRAFT, request).u32(tokensMax);
        return this;
    }

    /** The frame, to be sent; nothing more is written to it. */
    public FrameWriter frame() {
        frame.u32At(OPERATIONS_AT, operations);
        return frame;
    }

    /** The frame as its reader sees it, without a connection between; valid until the next STEP is begun. */
    public FrameChannel.Frame asRead() {
        return new FrameChannel.Frame(FrameFormat.STEP, sequence, new FrameReader(frame().body()));
    }

    private FrameWriter operation(int kind, int request) {
        operations++;
        return frame.u32(kind).u32(request);
    }

    private StepWriter tokens(int[] tokens, int from, int to) {
        frame.u32(to - from);
        for (int i = from; i < to; i++) {
            frame.u32(tokens[i]);
        }
        return this;
    }
}
