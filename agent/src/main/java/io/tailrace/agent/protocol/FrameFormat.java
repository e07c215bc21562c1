package io.tailrace.agent.protocol;

/**
 * Sizes and codes of frames, little-endian.
 *
 * <pre>
 * offset  type
 *      0  u32   bytes of the body
 *      4  u32   type
 *      8  u64   sequence
 *     16        body
 * </pre>
 */
public final class FrameFormat {
    public static final int VERSION = 1;
    public static final int BODY_BYTES_MAX = 1 << 24;
    /** Of a frame that nobody has been let in by: much more than a HELLO takes, and little where many connections send it. */
    static final int HELLO_BYTES_MAX = 1 << 14;

    public static final int REQUESTS_MAX = 4_096;
    public static final int DRAFT_TOKENS_MAX = 64;

    public static final int HELLO = 1;
    public static final int WELCOME = 2;
    public static final int REFUSED = 3;
    public static final int STEP = 4;
    public static final int DRAFTS = 5;

    /** Flag of HELLO. */
    public static final int TREES = 1;
    /** Flag of BEGIN. */
    public static final int PRIVATE = 1;
    /** Flag of DRAFTS. */
    static final int POLICY_OFF = 1;
    /** In DRAFTS' flags, the lowest bit of the pause. */
    static final int PAUSE_SHIFT = 8;
    /** Longest pause that DRAFTS says, in STEPs. */
    public static final int PAUSE_MAX = 255;

    static final int LENGTH_AT = 0;
    static final int TYPE_AT = LENGTH_AT + Integer.BYTES;
    static final int SEQUENCE_AT = TYPE_AT + Integer.BYTES;
    static final int HEADER_BYTES = SEQUENCE_AT + Long.BYTES;

    static final int STRING_BYTES_MAX = 1_024;
    static final int ALIGNMENT = 4;

    static final int BEGIN = 1;
    static final int EXTEND = 2;
    static final int END = 3;
    static final int DRAFT = 4;

    private FrameFormat() {}

    /** Zero bytes behind a string of so many. */
    static int padding(int bytes) {
        return -bytes & ALIGNMENT - 1;
    }
}
