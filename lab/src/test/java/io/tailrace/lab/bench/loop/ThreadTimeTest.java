package io.tailrace.lab.bench.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ThreadTimeTest {
    /** What Linux keeps of a thread name. */
    private static final int LINUX_CHARS = 15;

    private final Map<String, Double> seconds = new HashMap<>();

    @Test
    void aThreadsUserAndSystemTimeGoToItsPart() {
        CpuProfile.ThreadTime.add(stat("C2 CompilerThre", 250, 50), seconds);
        CpuProfile.ThreadTime.add(stat("C1 CompilerThre", 100, 0), seconds);
        assertThat(new CpuProfile.ThreadTime(seconds).of(CpuProfile.ThreadTime.COMPILERS))
                .isEqualTo(4);
    }

    @Test
    void namesMayHoldSpacesAndParentheses() {
        CpuProfile.ThreadTime.add(stat("admission (1/2)", 10, 20), seconds);
        assertThat(seconds.values()).containsExactly(0.3);
    }

    @Test
    void partsAndTheRestAddUpToAll() {
        CpuProfile.ThreadTime.add(stat("tailrace-merge", 300, 0), seconds);
        CpuProfile.ThreadTime.add(stat("tailrace-evalua", 100, 0), seconds);
        CpuProfile.ThreadTime.add(stat("flink-pekko.act", 700, 0), seconds);
        List<CpuProfile.ThreadTime.Part> parts = new CpuProfile.ThreadTime(seconds).parts(12);
        assertThat(parts).extracting(CpuProfile.ThreadTime.Part::seconds).containsExactly(3.0, 1.0, 8.0);
    }

    @Test
    void whatWasBeforeIsTakenOff() {
        CpuProfile.ThreadTime before = new CpuProfile.ThreadTime(Map.of("merges", 2.0));
        CpuProfile.ThreadTime since =
                new CpuProfile.ThreadTime(Map.of("merges", 5.0, "Kafka producers", 1.0)).since(before);
        assertThat(since.seconds()).containsOnly(Map.entry("merges", 3.0), Map.entry("Kafka producers", 1.0));
    }

    @Test
    void eachSideThreadOfTheJobHasAPart() throws IOException {
        Pattern name = Pattern.compile("daemons\\([^\"]*\"(tailrace-[a-z-]+)\"");
        Set<String> names = new TreeSet<>();
        try (Stream<Path> sources = Files.walk(Path.of("../operators/src/main/java"))) {
            for (Path source :
                    sources.filter(path -> path.toString().endsWith(".java")).toList()) {
                name.matcher(Files.readString(source)).results().forEach(found -> names.add(found.group(1)));
            }
        }
        assertThat(names).contains("tailrace-merge").allSatisfy(thread -> {
            seconds.clear();
            CpuProfile.ThreadTime.add(
                    stat(thread.substring(0, Math.min(LINUX_CHARS, thread.length())), 100, 0), seconds);
            assertThat(seconds).as(thread).isNotEmpty();
        });
    }

    /** As proc(5) has it: pid, name, state, ten numbers, user ticks, system ticks, and more. */
    private static String stat(String name, int userTicks, int systemTicks) {
        return "4711 (%s) S 1 1 1 0 -1 0 0 0 0 0 %d %d 0 0 20 0 1".formatted(name, userTicks, systemTicks);
    }
}
