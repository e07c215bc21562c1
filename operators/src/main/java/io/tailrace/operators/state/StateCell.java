package io.tailrace.operators.state;

import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Function;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.java.typeutils.runtime.DataInputViewStream;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * What Flink holds of one key: after a restore the bytes, from the first use on the object that was read from them, which is written only for checkpoints.
 * One thread uses it; another may write it, of which Flink keeps it apart by {@link #copy}.
 */
public final class StateCell<T> {
    private byte[] bytes;
    private T value;
    private Form<T> form;

    private StateCell(byte[] bytes, T value, Form<T> form) {
        this.bytes = bytes;
        this.value = value;
        this.form = form;
    }

    public static <T> StateCell<T> of(T value, Form<T> form) {
        return new StateCell<>(null, value, form);
    }

    static <T> StateCell<T> read(byte[] bytes) {
        return new StateCell<>(bytes, null, null);
    }

    /** For state descriptors. */
    public static <T> TypeSerializer<StateCell<T>> serializer() {
        return new Serializer<>();
    }

    /** The object, read at first with this form. */
    public T get(Form<T> as) {
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

    /** A cell as its length and bytes; whose schema they are of is said in them. One class for all cells: this name alone stands in savepoints. */
    static final class Serializer<T> extends TypeSerializer<StateCell<T>> {
        private static final long serialVersionUID = 1L;

        @Override
        public boolean isImmutableType() {
            return false;
        }

        @Override
        public TypeSerializer<StateCell<T>> duplicate() {
            return this;
        }

        @Override
        public StateCell<T> createInstance() {
            return StateCell.read(new byte[0]);
        }

        @Override
        public StateCell<T> copy(StateCell<T> from) {
            return from.copy();
        }

        @Override
        public StateCell<T> copy(StateCell<T> from, StateCell<T> reuse) {
            return from.copy();
        }

        @Override
        public int getLength() {
            return -1;
        }

        @Override
        public void serialize(StateCell<T> cell, DataOutputView out) throws IOException {
            byte[] bytes = cell.bytes();
            out.writeInt(bytes.length);
            out.write(bytes);
        }

        @Override
        public StateCell<T> deserialize(DataInputView in) throws IOException {
            int length = in.readInt();
            if (length < 0) {
                throw new IOException(
                        "a state cell's length must be >= 0, got %d; restore an older checkpoint".formatted(length));
            }
            byte[] bytes = new DataInputViewStream(in)
                    .readNBytes(length); // as much room as there are bytes, whatever the length says
            if (bytes.length < length) {
                throw new EOFException(
                        "a state cell has %d of %d bytes; restore an older checkpoint".formatted(bytes.length, length));
            }
            return StateCell.read(bytes);
        }

        @Override
        public StateCell<T> deserialize(StateCell<T> reuse, DataInputView in) throws IOException {
            return deserialize(in);
        }

        @Override
        public void copy(DataInputView in, DataOutputView out) throws IOException {
            int length = in.readInt();
            out.writeInt(length);
            out.write(in, length);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Serializer;
        }

        @Override
        public int hashCode() {
            return Serializer.class.hashCode();
        }

        @Override
        public TypeSerializerSnapshot<StateCell<T>> snapshotConfiguration() {
            return new Snapshot<>();
        }

        /** For Flink. */
        public static final class Snapshot<T> extends SimpleTypeSerializerSnapshot<StateCell<T>> {
            public Snapshot() {
                super(Serializer::new);
            }
        }
    }

    /** How an object that a task works on is kept. Safe for any number of threads. */
    public interface Form<T> {
        byte[] encode(T value);

        T decode(byte[] bytes);

        /** Another object of the same content, if a task may change it: a checkpoint may still be writing this one. */
        T copy(T value);

        /** For a class that is made of a record and can write itself down as one. */
        static <T, R> Form<T> of(StateCodec<R> codec, Function<R, T> made, Function<T, R> written) {
            return new Form<>() {
                @Override
                public byte[] encode(T value) {
                    return codec.encode(written.apply(value));
                }

                @Override
                public T decode(byte[] bytes) {
                    return made.apply(codec.decode(bytes));
                }

                @Override
                public T copy(T value) {
                    return made.apply(written.apply(value));
                }
            };
        }
    }
}
