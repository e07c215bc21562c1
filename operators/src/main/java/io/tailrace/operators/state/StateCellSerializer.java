package io.tailrace.operators.state;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** A cell as its length and bytes; whose schema they are of is said in them. One class for all cells: this name alone stands in savepoints. */
final class StateCellSerializer<T> extends TypeSerializer<StateCell<T>> {
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
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
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
        return other instanceof StateCellSerializer;
    }

    @Override
    public int hashCode() {
        return StateCellSerializer.class.hashCode();
    }

    @Override
    public TypeSerializerSnapshot<StateCell<T>> snapshotConfiguration() {
        return new Snapshot<>();
    }

    /** For Flink. */
    public static final class Snapshot<T> extends SimpleTypeSerializerSnapshot<StateCell<T>> {
        public Snapshot() {
            super(StateCellSerializer::new);
        }
    }
}
