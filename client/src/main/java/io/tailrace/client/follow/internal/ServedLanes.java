package io.tailrace.client.follow.internal;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.LaneState;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.LaneId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lanes of one worker: one model, scopes as they come, created by the first manifest or request. A lane that comes late
 * gets the commands that were issued before. Safe for any number of threads.
 */
public final class ServedLanes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServedLanes.class);
    /** Commands remembered for lanes to come; the oldest go first. */
    static final int COMMANDS_MAX = 4_096;
    /** In the lane's place where a request has none. */
    private static final String UNSHARED = "unshared";

    private final ServedModel model;
    private final FollowOptions options;
    private final long startedAtMillis;
    private final FreshRoom room;
    private final Map<LaneId, ServedLane> lanes = new LinkedHashMap<>();
    private final Deque<Control> commands = new ArrayDeque<>();
    private final Deque<Control> deletes = new ArrayDeque<>();
    private final ServedLane unshared;
    private boolean warned;

    /** Lanes that share what fresh answers may take with nobody's. */
    public ServedLanes(ServedModel model, FollowOptions options, long startedAtMillis) {
        this(model, options, startedAtMillis, new FreshRoom(options.freshTokensAllMax()));
    }

    ServedLanes(ServedModel model, FollowOptions options, long startedAtMillis, FreshRoom room) {
        this.model = model;
        this.options = options;
        this.startedAtMillis = startedAtMillis;
        this.room = room;
        this.unshared = ServedLane.beyondLimit(model.lane(UNSHARED), options, startedAtMillis, room);
    }

    /** Lanes that share what fresh answers may take with those of the process's other models; until they are {@linkplain #close closed}. */
    public static ServedLanes ofProcess(ServedModel model, FollowOptions options, long startedAtMillis) {
        return new ServedLanes(model, options, startedAtMillis, FreshRoom.ofProcess(options.freshTokensAllMax()));
    }

    ServedModel model() {
        return model;
    }

    FollowOptions options() {
        return options;
    }

    /** How each lane is followed, now. */
    public List<LaneState> states() {
        long now = System.currentTimeMillis();
        return all().stream().map(lane -> lane.state(now)).toList();
    }

    /**
     * Makes the segments of a folder live, for a worker without Kafka.
     *
     * @return lanes that have a snapshot now
     * @throws IOException if there is no such folder, a file is damaged, of another model or tokenizer, or a lane has more than four
     */
    public int load(Path folder) throws IOException {
        return new SnapshotFolder(model, folder).loadInto(this, System.currentTimeMillis());
    }

    /**
     * The segment files in a folder and its subfolders.
     *
     * @throws IOException if there is no such folder, or it cannot be read
     */
    public static List<Path> segmentFiles(Path folder) throws IOException {
        return SnapshotFolder.files(folder);
    }

    /** The lane of a request's scope; one too many is served without what is shared, and nothing of it is kept. */
    public ServedLane ofRequest(String scope) {
        LaneId id = model.lane(scope);
        ServedLane lane = find(id).orElseGet(() -> ServedLane.beyondLimit(id, options, startedAtMillis, room));
        lane.used();
        return lane;
    }

    /** The lane of nobody's scope: it has no snapshot, and nothing of its requests is kept. */
    public ServedLane unshared() {
        return unshared;
    }

    /** A copy. */
    public synchronized List<ServedLane> all() {
        return new ArrayList<>(lanes.values());
    }

    /** Empty if the lane is of another model, or one too many. */
    Optional<ServedLane> ofManifest(Lane lane) {
        return model.serves(lane) ? find(LaneId.of(lane)) : Optional.empty();
    }

    /** @throws IllegalArgumentException for a token id that the model does not have; it does not say which, for messages are logged */
    void checkTokens(int[] tokens) {
        for (int token : tokens) {
            if (token < 0 || token >= model.vocabularySize()) {
                throw new IllegalArgumentException(
                        "token ids must be 0 to %d, one is not".formatted(model.vocabularySize() - 1));
            }
        }
    }

    /** Empty if no manifest and no request has concerned it yet. */
    synchronized Optional<ServedLane> known(LaneId id) {
        return Optional.ofNullable(lanes.get(id));
    }

    /**
     * Obeys a command in every lane it concerns, and in those to come.
     *
     * @throws IllegalArgumentException if it lacks what it needs; then it is not obeyed anywhere
     */
    synchronized void command(Control control) {
        VersionChoice.check(control);
        if (decidesVersion(control.getCommand())) {
            keep(control, commands);
        } else if (deletes(control.getCommand())) {
            keep(control, deletes);
        }
        for (ServedLane lane : lanes.values()) {
            if (concerns(control, lane.lane())) {
                lane.command(control);
            }
        }
    }

    /** Gives back what is loaded, and the room of what is fresh: nobody asks for these lanes any more. */
    @Override
    public synchronized void close() {
        lanes.values().forEach(ServedLane::close);
        room.leave(lanes.values());
    }

    private synchronized Optional<ServedLane> find(LaneId id) {
        ServedLane lane = lanes.get(id);
        if (lane == null && lanes.size() >= options.lanesMax()) {
            warnOnce(id);
            return Optional.empty();
        }
        if (lane == null) {
            lane = new ServedLane(id, options, startedAtMillis, room);
            lanes.put(id, lane);
            room.join(lane);
            takeUp(commands, lane);
            takeUp(deletes, lane);
        }
        return Optional.of(lane);
    }

    private void warnOnce(LaneId id) {
        if (!warned) {
            warned = true;
            LOG.warn(
                    "{} is one scope more than the {} of a model that are followed here: requests of such scopes draft from their own context only",
                    id,
                    options.lanesMax());
        }
    }

    private static void keep(Control control, Deque<Control> kept) {
        if (kept.size() == COMMANDS_MAX) {
            kept.removeFirst();
        }
        kept.addLast(control);
    }

    private static void takeUp(Deque<Control> kept, ServedLane lane) {
        for (Control control : kept) {
            if (concerns(control, lane.lane())) {
                lane.command(control);
            }
        }
    }

    private static boolean decidesVersion(Command command) {
        return command == Command.PIN || command == Command.UNPIN || command == Command.ROLLBACK;
    }

    private static boolean deletes(Command command) {
        return command == Command.DELETE_REQUEST || command == Command.DELETE_SCOPE;
    }

    private static boolean concerns(Control control, LaneId lane) {
        return matches(control.getModel(), lane.model())
                && matches(control.getRevision(), lane.revision())
                && matches(control.getScope(), lane.scope());
    }

    private static boolean matches(String filter, String value) {
        return filter == null || filter.equals(value);
    }
}
