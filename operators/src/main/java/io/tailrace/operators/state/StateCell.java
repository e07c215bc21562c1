package io.tailrace.operators.state;

import java.util.Arrays;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * What Flink holds of one key: after a restore the bytes, from the first use on the object that was read from them, which is written only for checkpoints.
 * One thread uses it; another may write it, of which Flink keeps it apart by {@link #copy}.
 */
public final class StateCell<T> {
    private byte[] bytes;
    private T value;
    private StateForm<T> form;

    private StateCell(byte[] bytes, T value, StateForm<T> form) {
        this.bytes = bytes;
        this.value = value;
        this.form = form;
    }

    public static <T> StateCell<T> of(T value, StateForm<T> form) {
        return new StateCell<>(null, value, form);
    }

    static <T> StateCell<T> read(byte[] bytes) {
        return new StateCell<>(bytes, null, null);
    }

    /** For state descriptors. */
    public static <T> TypeSerializer<StateCell<T>> serializer() {
        return new StateCellSerializer<>();
    }

    /** The object, read at first with this form. */
    public T get(StateForm<T> as) {
        if (value == null) {
            value = as.decode(bytes);
            form = as;
            bytes = null;
        }
        return value;
    }

    byte[] bytes() {
        return value == null ? bytes : form.encode(value);
    }

    StateCell<T> copy() {
        return value == null ? read(bytes) : of(form.copy(value), form);
    }

    /** Equal if they are kept alike. */
    @Override
    public boolean equals(Object other) {
        return other instanceof StateCell<?> cell && Arrays.equals(bytes(), cell.bytes());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes());
    }
}
