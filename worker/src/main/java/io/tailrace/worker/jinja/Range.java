package io.tailrace.worker.jinja;

import java.util.AbstractList;

/** Python's range: whole numbers with one step between them. Also what a slice takes of something of a known length. */
final class Range extends AbstractList<Object> {
    private final long start;
    private final long step;
    private final int size;

    Range(long start, long stop, long step) {
        this.start = start;
        this.step = step;
        long size = step > 0 ? ceiling(stop - start, step) : ceiling(start - stop, -step);
        this.size = (int) Math.max(0, Math.min(Integer.MAX_VALUE, size));
    }

    private static long ceiling(long span, long step) {
        return span <= 0 ? 0 : (span - 1) / step + 1;
    }

    /** The indices of a slice; its parts may be None. */
    static Range slice(Object from, Object to, Object by, int length) {
        long step = by == null ? 1 : clamped(by);
        if (step == 0) {
            throw new JinjaException("the step of a slice is not 0");
        }
        long low = step < 0 ? -1 : 0;
        long high = step < 0 ? length - 1L : length;
        long start = from == null ? (step < 0 ? high : low) : bound(clamped(from), low, high, length);
        long stop = to == null ? (step < 0 ? low : high) : bound(clamped(to), low, high, length);
        return new Range(start, stop, step);
    }

    private static long clamped(Object value) {
        return Math.max(-Integer.MAX_VALUE, Math.min(Integer.MAX_VALUE, Numbers.whole(value)));
    }

    private static long bound(long index, long low, long high, int length) {
        return Math.max(low, Math.min(high, index < 0 ? index + length : index));
    }

    int at(int index) {
        return (int) (start + index * step);
    }

    @Override
    public Object get(int index) {
        return start + index * step;
    }

    @Override
    public int size() {
        return size;
    }
}
