package io.tailrace.operators.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.testkit.AllocationLimit;
import io.tailrace.testkit.ForeignDigits;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

final class StateCodecTest {
    private static final StateCodec<Sample> SECOND = new StateCodec<>(Sample.class, "Sample", 2);

    /** Today's class. */
    record Sample(String name, List<Long> numbers, long added) {}

    /** Yesterday's, by another name. */
    record Earlier(String name, List<Long> numbers) {}

    /** A task works on it; it changes. */
    private static final class Counted {
        private long count;

        private static final StateCell.Form<Counted> FORM = StateCell.Form.of(
                SECOND,
                sample -> {
                    Counted counted = new Counted();
                    counted.count = sample.added();
                    return counted;
                },
                counted -> new Sample("counted", List.of(), counted.count));
    }

    @Test
    void whatAnEarlierVersionWroteIsReadWhateverItsClassWasCalled() {
        byte[] written = new StateCodec<>(Earlier.class, "Sample").encode(new Earlier("a", List.of(1L, 2L)));
        assertThat(SECOND.decode(written)).isEqualTo(new Sample("a", List.of(1L, 2L), 7));
    }

    @Test
    void whatALaterVersionWroteIsRefusedWithWhatToDo() {
        byte[] written = SECOND.encode(new Sample("a", List.of(), 1));
        assertThatThrownBy(() -> new StateCodec<>(Earlier.class, "Sample").decode(written))
                .hasMessageContaining(
                        "are no Sample that this release knows; restore with the release that wrote them");
    }

    /** A text and a list that claim what does not follow, and what is no record at all. */
    @Test
    void damagedStateIsRefusedAndCostsNoMemory() throws Exception {
        byte[] header = Arrays.copyOf(SECOND.encode(new Sample("", List.of(), 0)), 10);
        byte[] gigabyte = {(byte) 0xFE, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 7};
        for (byte[] damaged :
                new byte[][] {{}, {1}, header, joined(header, gigabyte), joined(header, new byte[1], gigabyte)}) {
            assertThatThrownBy(() -> AllocationLimit.check(damaged.length, () -> SECOND.decode(damaged)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(damaged.length + " bytes of state are no Sample");
        }
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            joined.writeBytes(part);
        }
        return joined.toByteArray();
    }

    private static byte[] written(StateCell<Counted> cell) throws Exception {
        DataOutputSerializer out = new DataOutputSerializer(64);
        StateCell.<Counted>serializer().serialize(cell, out);
        return out.getCopyOfBuffer();
    }

    private static StateCell<Counted> read(byte[] bytes) throws Exception {
        return StateCell.<Counted>serializer().deserialize(new DataInputDeserializer(bytes));
    }

    @Test
    void aCellIsWrittenAsItIsNowAndReadWhenItIsFirstUsed() throws Exception {
        StateCell<Counted> cell = StateCell.of(new Counted(), Counted.FORM);
        cell.get(Counted.FORM).count = 3;
        StateCell<Counted> restored = read(written(cell));
        assertThat(written(restored)).as("unread").isEqualTo(written(cell));
        assertThat(restored.get(Counted.FORM).count).isEqualTo(3);
        assertThat(restored).isEqualTo(cell);
    }

    /** Flink writes the one while the task goes on with the other. */
    @Test
    void aCopiedCellDoesNotChangeWithTheOtherOne() throws Exception {
        StateCell<Counted> cell = StateCell.of(new Counted(), Counted.FORM);
        StateCell<Counted> copy = StateCell.<Counted>serializer().copy(cell);
        copy.get(Counted.FORM).count++;
        assertThat(cell.get(Counted.FORM).count).isZero();
        assertThat(copy.get(Counted.FORM).count).isEqualTo(1);
    }

    /** One class of Tailrace's stands in savepoints, and this is its name. */
    @Test
    void savepointsNameOneClass() {
        assertThat(StateCell.serializer().snapshotConfiguration().getClass().getName())
                .isEqualTo("io.tailrace.operators.state.StateCell$Serializer$Snapshot");
    }

    @Test
    void aSchemaIsFoundWhateverDigitsTheMachineWrites() throws Exception {
        Sample sample = new Sample("a", List.of(1L), 2);
        assertThat(ForeignDigits.there(() -> new StateCodec<>(Sample.class, "Sample", 2).decode(SECOND.encode(sample))))
                .isEqualTo(sample);
    }
}
