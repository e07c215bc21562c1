package io.tailrace.operators.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.testkit.Cases;
import java.io.EOFException;
import java.io.IOException;
import java.util.Random;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

final class StateCellTest {
    private static DataInputDeserializer written(int length, byte[] bytes) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        out.writeInt(length);
        out.write(bytes);
        return new DataInputDeserializer(out.getCopyOfBuffer());
    }

    @Test
    void aCellIsReadAsItWasWrittenAndNothingBeyondIt() {
        Cases.forEachSeed(1000, seed -> {
            Random random = new Random(seed);
            byte[] bytes = new byte[random.nextInt(40_000)];
            random.nextBytes(bytes);
            DataOutputSerializer out = new DataOutputSerializer(64);
            StateCell.serializer().serialize(StateCell.read(bytes), out);
            out.writeInt(7);
            DataInputDeserializer in = new DataInputDeserializer(out.getCopyOfBuffer());
            assertThat(StateCell.serializer().deserialize(in).bytes()).isEqualTo(bytes);
            assertThat(in.readInt()).isEqualTo(7);
        });
    }

    /** This machine has no room for what the damaged length says. */
    @Test
    void aDamagedLengthIsNamedAndTakesNoMemory() {
        assertThatThrownBy(() -> StateCell.serializer().deserialize(written(Integer.MAX_VALUE - 8, new byte[3])))
                .isInstanceOf(EOFException.class)
                .hasMessageContaining("3 of 2147483639 bytes");
        assertThatThrownBy(() -> StateCell.serializer().deserialize(written(-5, new byte[3])))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("got -5");
    }
}
