package io.tailrace.terminal;

/** What a command says to the shell. */
public final class ExitCodes {
    public static final int DONE = 0;
    /** It ran, and did not reach what it should. */
    public static final int FELL_SHORT = 1;
    /** Nothing was started: the arguments or the input are wrong. */
    public static final int BAD_INPUT = 2;

    private ExitCodes() {}
}
