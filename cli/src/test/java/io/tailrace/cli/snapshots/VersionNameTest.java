package io.tailrace.cli.snapshots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.cli.fleet.FleetRecords;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.terminal.BadInputException;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class VersionNameTest {
    private static final LaneId LANE = LaneId.parse("toy@1/acme");
    private static final long NOW = 1_790_000_000_000L;

    private final TreeMap<Long, SnapshotManifest> there = new TreeMap<>();

    private long version(String name) {
        for (long age : new long[] {1_000, 60_000, 3_600_000, 7_200_000, 86_400_000}) {
            there.put(NOW - age, FleetRecords.manifest(LANE, NOW - age, 1, 1, 0));
        }
        return VersionName.parse(name).in(there, NOW);
    }

    @ParameterizedTest
    @CsvSource({
        "newest, 1000",
        "-0, 1000",
        "-1, 60000",
        "newest-3, 7200000",
        "-4, 86400000",
        "1s, 1000",
        "59s, 60000",
        "1m, 60000",
        "61m, 7200000",
        "2h, 7200000",
        "23h, 86400000",
        "1d, 86400000"
    })
    void aShortNameIsTheVersionOfThatAge(String name, long age) {
        assertThat(version(name)).isEqualTo(NOW - age);
    }

    @Test
    void aNumberIsItself() {
        assertThat(version("17")).isEqualTo(17);
    }

    @Test
    void whatGoesBackBehindTheOldestVersionIsRefused() {
        assertThatThrownBy(() -> version("-5"))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("5 are there");
        assertThatThrownBy(() -> version("2d"))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("the oldest is of");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "oldest", "2w", "-", "--3", "1e3", "99999999999999999999", "h"})
    void whatIsNoNameIsRefused(String text) {
        assertThatThrownBy(() -> VersionName.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'newest', -3 or an age");
    }

    @ParameterizedTest
    @ValueSource(strings = {"show -3", "diff -3 newest", "pin 2h", "rollback -1"})
    void commandsTakeShortNamesAlsoThoseThatLookLikeOptions(String line) {
        CommandLine snapshots = new CommandLine(new SnapshotsCommand());
        String[] arguments = (line + " --bootstrap localhost:1 --lane m@1/s").split(" ", -1);
        assertThat(snapshots.parseArgs(arguments).subcommand().matchedPositionals())
                .isNotEmpty();
    }
}
