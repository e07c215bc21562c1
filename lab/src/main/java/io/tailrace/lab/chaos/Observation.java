package io.tailrace.lab.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What can be seen of an installation at one moment, by a door that no fault closes.
 *
 * @param announced newest version of each lane
 * @param served by worker, the version of each lane that it said last to have loaded
 * @param toldBytes by worker, how long its list of told answers is
 */
record Observation(Map<String, Long> announced, Map<String, Map<String, Long>> served, Map<String, Long> toldBytes) {
    Observation {
        announced = Map.copyOf(announced);
        served = Map.copyOf(served);
        toldBytes = Map.copyOf(toldBytes);
    }

    /** Whether some lane, or this one, has a newer version than it had before. */
    boolean announcesNewerThan(Observation before, String lane) {
        return lane.isEmpty()
                ? announced.keySet().stream().anyMatch(any -> version(any) > before.version(any))
                : version(lane) > before.version(lane);
    }

    /** Whether a worker serves some lane in a version that was announced after that moment. */
    boolean servesNewerThan(Observation before, String worker) {
        return served(worker).entrySet().stream().anyMatch(lane -> lane.getValue() > before.version(lane.getKey()));
    }

    /** Whether a worker has told an answer since. */
    boolean hasToldSince(Observation before, String worker) {
        return toldBytes(worker) > before.toldBytes(worker);
    }

    /** Whether a worker has told any answer. */
    boolean hasTold(String worker) {
        return toldBytes(worker) > 0;
    }

    /** What keeps workers from serving the newest version of each lane, in words; none: they all do. */
    List<String> behind() {
        List<String> behind = new ArrayList<>();
        new TreeMap<>(announced)
                .forEach((lane, version) -> Truth.WORKERS.forEach(worker -> {
                    long has = served(worker).getOrDefault(lane, 0L);
                    if (has != version) {
                        behind.add("%s serves version %d of %s, announced is %d".formatted(worker, has, lane, version));
                    }
                }));
        return behind;
    }

    private long version(String lane) {
        return announced.getOrDefault(lane, 0L);
    }

    private Map<String, Long> served(String worker) {
        return served.getOrDefault(worker, Map.of());
    }

    private long toldBytes(String worker) {
        return toldBytes.getOrDefault(worker, 0L);
    }
}
