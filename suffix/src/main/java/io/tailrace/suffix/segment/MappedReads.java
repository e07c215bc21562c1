package io.tailrace.suffix.segment;

/**
 * Where reads of mapped files show what is wrong with them. A file that is truncated, or that its disk cannot read, makes a read of its memory
 * return anything, and later end the thread's work with an {@link InternalError}: compiled code is told at its next call of the virtual machine,
 * which may be far away. Whoever catches that error makes such a call behind the last read.
 */
public final class MappedReads {
    /** Not a constant, or compiled code would make the array itself. */
    private static int none;

    private MappedReads() {}

    /**
     * Returns if all of this thread's reads of mapped memory so far were of memory that is there. An array of arrays is made by the virtual machine in
     * interpreted and in compiled code alike; it takes a fraction of a microsecond.
     *
     * @return nothing of use; it is returned so that the array is made
     * @throws InternalError if one was not, and none was thrown for it yet
     */
    public static int[][] await() {
        return new int[none][none];
    }
}
