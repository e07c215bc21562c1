package io.tailrace.jobs.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeOffsets;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.OperatorStreamStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavedStatesTest {
    private static final int BYTES = 100;

    @TempDir
    Path folder;

    private final List<String> skipped = new ArrayList<>();

    /** A checkpoint of one operator: keyed and operator state in files, and some in the metadata. */
    private Path state(String name) throws IOException {
        Path state = Files.createDirectories(folder.resolve(name));
        OperatorState operator = new OperatorState("index", "shard-intake", new OperatorID(1, 2), 1, 128);
        operator.putState(
                0,
                OperatorSubtaskState.builder()
                        .setManagedKeyedState(new KeyGroupsStateHandle(
                                new KeyGroupRangeOffsets(new KeyGroupRange(0, 0), new long[] {0}),
                                handle(state.resolve("keyed"))))
                        .setManagedOperatorState(operatorState(handle(state.resolve("operator"))))
                        .setRawOperatorState(operatorState(new ByteStreamStateHandle("small", new byte[] {1, 2})))
                        .build());
        try (OutputStream out = Files.newOutputStream(state.resolve(SavedStates.METADATA))) {
            Checkpoints.storeCheckpointMetadata(new CheckpointMetadata(7, List.of(operator), List.of()), out);
        }
        return state;
    }

    private static OperatorStateHandle operatorState(org.apache.flink.runtime.state.StreamStateHandle handle) {
        return new OperatorStreamStateHandle(
                Map.of(
                        "claim",
                        new OperatorStateHandle.StateMetaInfo(
                                new long[] {0}, OperatorStateHandle.Mode.SPLIT_DISTRIBUTE)),
                handle);
    }

    private static FileStateHandle handle(Path file) throws IOException {
        Files.write(file, new byte[BYTES]);
        return new FileStateHandle(new org.apache.flink.core.fs.Path(file.toUri()), BYTES);
    }

    private Optional<String> newestIntact(Path... newestFirst) throws IOException {
        skipped.clear();
        return SavedStates.newestIntact(
                Arrays.stream(newestFirst).map(Path::toString).toList(), skipped::add);
    }

    @Test
    void theNewestIsTakenWhereItIsIntact() throws IOException {
        Path older = state("chk-7");
        Path newer = state("chk-8");
        assertThat(newestIntact(newer, older)).contains(newer.toString());
        assertThat(skipped).isEmpty();
        assertThat(newestIntact()).isEmpty();
    }

    /** Those of its own job may be needed yet, and what is newer and damaged may be mended. */
    @Test
    void theJobOfACheckpointNeedsNoneOfTheJobsBeforeIt() throws IOException {
        Path damaged = state("checkpoints/d/chk-12");
        Path newest = state("checkpoints/c/chk-11");
        Path own = state("checkpoints/c/chk-10");
        Path savepoint = state("savepoints/savepoint-1");
        Path former = state("checkpoints/b/chk-10");
        Path damagedToo = state("checkpoints/d/chk-9");
        Files.createDirectories(folder.resolve("checkpoints/b/chk-13"));
        List<String> newestFirst = Stream.of(damaged, newest, own, savepoint, former, damagedToo)
                .map(Path::toString)
                .toList();
        assertThat(SavedStates.removeFormer(newestFirst, savepoint.toString())).isEmpty();
        assertThat(former).exists();
        assertThat(SavedStates.removeFormer(newestFirst, newest.toString()))
                .containsExactly(folder.resolve("checkpoints/b").toString());
        assertThat(folder.resolve("checkpoints/b")).doesNotExist();
        assertThat(List.of(damaged, newest, own, savepoint, damagedToo))
                .allSatisfy(
                        state -> assertThat(state.resolve(SavedStates.METADATA)).exists());
    }

    @Test
    void oneWithoutMetadataIsSkipped() throws IOException {
        Path older = state("chk-7");
        Path newer = state("chk-8");
        Files.delete(newer.resolve(SavedStates.METADATA));
        assertThat(newestIntact(newer, older)).contains(older.toString());
        assertThat(skipped).containsExactly(newer + " is not intact and is skipped: it has no _metadata");
    }

    @Test
    void oneWhoseMetadataWasTruncatedIsSkippedWhereverItEnds() throws IOException {
        Path older = state("chk-7");
        Path newer = state("chk-8");
        byte[] metadata = Files.readAllBytes(newer.resolve(SavedStates.METADATA));
        for (int length = 0; length < metadata.length; length++) {
            Files.write(newer.resolve(SavedStates.METADATA), Arrays.copyOf(metadata, length));
            assertThat(newestIntact(newer, older)).as("%d bytes", length).contains(older.toString());
            assertThat(skipped).singleElement().asString().contains("_metadata, " + length + " bytes, cannot be read");
        }
    }

    @Test
    void oneWithAFileMissingOrShorterThanItWasWrittenIsSkipped() throws IOException {
        Path older = state("chk-7");
        for (String file : List.of("keyed", "operator")) {
            Path newer = state("chk-8");
            Files.write(newer.resolve(file), new byte[BYTES - 1]);
            assertThat(newestIntact(newer, older)).contains(older.toString());
            assertThat(skipped).singleElement().asString().endsWith(file + " has 99 bytes, expected 100");
            Files.delete(newer.resolve(file));
            assertThat(newestIntact(newer, older)).contains(older.toString());
            assertThat(skipped).singleElement().asString().endsWith(file + " is not there");
        }
        Files.delete(older.resolve("keyed"));
        assertThat(newestIntact(folder.resolve("chk-8"), older)).isEmpty();
        assertThat(skipped).hasSize(2);
    }
}
