package io.tailrace.jobs.state;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toSet;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.plugin.PluginUtils;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.StateObject;
import org.apache.flink.runtime.state.StreamStateHandle;

/**
 * Checkpoints and savepoints as they lie in a store. One is intact if its metadata can be read and each file that it names is there, as long as it
 * was written. Bytes within the files are not looked at: Flink has no checksums of them.
 */
public final class SavedStates {
    /** What Flink writes last into a checkpoint or savepoint: where it is, the state was complete. */
    public static final String METADATA = "_metadata";

    private static final int METADATA_BYTES_MAX = 256 << 20;

    private SavedStates() {}

    /**
     * The first that is intact.
     *
     * @param newestFirst their folders, as paths of Flink's file systems
     * @param skipped told of each before it, and why
     * @throws IOException if the store cannot be asked, which says nothing of a state
     */
    public static Optional<String> newestIntact(List<String> newestFirst, Consumer<String> skipped) throws IOException {
        for (String state : newestFirst) {
            Optional<String> damage = damage(new Path(state));
            if (damage.isEmpty()) {
                return Optional.of(state);
            }
            skipped.accept("%s is not intact and is skipped: %s".formatted(state, damage.get()));
        }
        return Optional.empty();
    }

    /**
     * Removes what jobs before the one of a checkpoint have left: a job that is started anew has an id of its own, and nobody else removes the
     * checkpoints that it went on from. That it has a checkpoint says that it needs theirs no more. From a savepoint nothing follows.
     *
     * @param newestFirst folders of all states
     * @param from one of them, which a job goes on from
     * @return the folders that are gone, one a job
     */
    static List<String> removeFormer(List<String> newestFirst, String from) throws IOException {
        if (!isCheckpoint(new Path(from))) {
            return List.of();
        }
        int at = newestFirst.indexOf(from);
        Set<Path> kept = newestFirst.subList(0, at + 1).stream()
                .map(state -> new Path(state).getParent())
                .collect(toSet());
        Set<Path> former = newestFirst.subList(at + 1, newestFirst.size()).stream()
                .map(Path::new)
                .filter(SavedStates::isCheckpoint)
                .map(Path::getParent)
                .filter(job -> !kept.contains(job))
                .collect(toCollection(LinkedHashSet::new));
        for (Path job : former) {
            job.getFileSystem().delete(job, true);
        }
        return former.stream().map(Path::toString).toList();
    }

    private static boolean isCheckpoint(Path state) {
        return state.getName().startsWith("chk-");
    }

    /** Why a job cannot go on from a state; empty: it can. */
    static Optional<String> damage(Path state) throws IOException {
        Path metadata = new Path(state, METADATA);
        byte[] bytes;
        try {
            bytes = read(metadata);
        } catch (FileNotFoundException e) {
            return Optional.of("it has no " + METADATA);
        }
        CheckpointMetadata read;
        try {
            read = Checkpoints.loadCheckpointMetadata(
                    new DataInputStream(new ByteArrayInputStream(bytes)),
                    SavedStates.class.getClassLoader(),
                    state.toString());
        } catch (IOException | RuntimeException e) { // whatever bytes that are no metadata lead Flink's reader to
            return Optional.of("its %s, %,d bytes, cannot be read: %s".formatted(METADATA, bytes.length, e));
        }
        for (StreamStateHandle handle : handles(read)) {
            Optional<String> damage = damage(handle);
            if (damage.isPresent()) {
                return damage;
            }
        }
        return Optional.empty();
    }

    private static byte[] read(Path file) throws IOException {
        try (FSDataInputStream in = file.getFileSystem().open(file)) {
            return in.readNBytes(METADATA_BYTES_MAX);
        }
    }

    private static Optional<String> damage(StreamStateHandle handle) throws IOException {
        Optional<Path> file = handle.maybeGetPath();
        if (file.isEmpty()) {
            return Optional.empty(); // it lies in the metadata
        }
        try {
            long length = file.get().getFileSystem().getFileStatus(file.get()).getLen();
            return length >= handle.getStateSize()
                    ? Optional.empty()
                    : Optional.of(
                            "%s has %,d bytes, expected %,d".formatted(file.get(), length, handle.getStateSize()));
        } catch (FileNotFoundException e) {
            return Optional.of(file.get() + " is not there");
        }
    }

    private static List<StreamStateHandle> handles(CheckpointMetadata metadata) {
        List<StreamStateHandle> handles = new ArrayList<>();
        for (OperatorState operator : metadata.getOperatorStates()) {
            for (OperatorSubtaskState subtask : operator.getStates()) {
                Stream.of(
                                subtask.getManagedOperatorState(),
                                subtask.getRawOperatorState(),
                                subtask.getManagedKeyedState(),
                                subtask.getRawKeyedState())
                        .forEach(all -> all.forEach(state -> add(state, handles)));
                subtask.getInputChannelState().forEach(state -> add(state, handles));
                subtask.getResultSubpartitionState().forEach(state -> add(state, handles));
            }
        }
        return handles;
    }

    private static void add(StateObject state, List<StreamStateHandle> handles) {
        if (state instanceof StreamStateHandle handle) {
            handles.add(handle);
        } else if (state instanceof IncrementalRemoteKeyedStateHandle incremental) {
            incremental.streamSubHandles().forEach(handles::add);
        }
    }

    /**
     * Prints the newest intact one of those that are given newest first, and to the error stream why others were skipped; exit code 1: there is
     * none. If it is a checkpoint, those of jobs before its own are removed. Flink's settings come from {@code FLINK_CONF_DIR}; those of the store
     * may be given as system properties, such as {@code -Ds3.endpoint=http://store:8080}.
     */
    public static void main(String[] newestFirst) throws IOException {
        Locale.setDefault(Locale.ROOT);
        Configuration configuration = GlobalConfiguration.loadConfiguration();
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("s3."))
                .forEach(name -> configuration.setString(name, System.getProperty(name)));
        FileSystem.initialize(configuration, PluginUtils.createPluginManagerFromRootFolder(configuration));
        Optional<String> state = newestIntact(List.of(newestFirst), System.err::println);
        if (state.isEmpty()) {
            System.err.printf(
                    "none of %d checkpoints and savepoints is intact; mend one, or start with empty state (TAILRACE_FROM=none),"
                            + " which withdraws every version announced before%n",
                    newestFirst.length);
            System.exit(1);
        }
        System.out.println(state.get());
        try {
            removeFormer(List.of(newestFirst), state.get()).forEach(job -> System.err.println("removed " + job));
        } catch (IOException e) { // they are tried again at the next start
            System.err.println("checkpoints of former jobs stay: " + e.getMessage());
        }
    }
}
