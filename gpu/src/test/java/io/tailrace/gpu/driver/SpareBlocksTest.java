package io.tailrace.gpu.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tailrace.gpu.DeviceLimits;
import io.tailrace.testkit.Cases;
import io.tailrace.testkit.StandInDriver;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SpareBlocksTest {
    private static final int KEPT_MAX = 4;

    @BeforeEach
    void load() throws Exception {
        assumeTrue(StandInDriver.load(), "g++ is not installed (Debian: apt-get install g++)");
    }

    @Test
    void aGrowingSnapshotFindsTheBlockOfTheOneBefore() {
        try (CudaDevice device = device();
                SpareBlocks blocks = new SpareBlocks()) {
            assertThat(device.name()).isEqualTo("stand-in");
            DeviceMemory first = blocks.take(1_000_000);
            DeviceMemory second = blocks.take(1_010_000);
            blocks.give(first);
            assertThat(blocks.take(1_020_000)).isSameAs(first);
            blocks.give(second);
            assertThat(blocks.take(1_030_000)).isSameAs(second);
            blocks.give(first);
            DeviceMemory larger = blocks.take(2_000_000);
            assertThat(larger).isNotSameAs(first);
            for (DeviceMemory taken : List.of(second, larger)) {
                taken.close();
            }
        }
        assertThat(StandInDriver.held()).isZero();
    }

    @Test
    void blocksFitAreNeverTakenTwiceAndFewAreKept() {
        Cases.forEachSeed(100, seed -> {
            Random random = new Random(seed);
            try (CudaDevice device = device();
                    SpareBlocks blocks = new SpareBlocks()) {
                int before = StandInDriver.held();
                List<DeviceMemory> taken = new ArrayList<>();
                for (int i = 0; i < 60; i++) {
                    if (taken.isEmpty() || random.nextInt(5) < 3) {
                        long bytes = 1L + random.nextInt(1 << random.nextInt(16));
                        DeviceMemory block = blocks.take(bytes);
                        assertThat(block.bytes()).isBetween(bytes, 2 * bytes + 1);
                        assertThat(taken).doesNotContain(block);
                        taken.add(block);
                    } else {
                        blocks.give(taken.remove(random.nextInt(taken.size())));
                    }
                    assertThat(StandInDriver.held()).isLessThanOrEqualTo(before + taken.size() + KEPT_MAX);
                }
                taken.forEach(DeviceMemory::close);
                assertThat(device.name()).isNotEmpty();
            }
            assertThat(StandInDriver.held()).isZero();
        });
    }

    @Test
    void whatIsKeptIsGivenUpBeforeThereIsNoMemory() {
        try (CudaDevice device = device();
                SpareBlocks blocks = new SpareBlocks()) {
            assertThat(device.name()).isNotEmpty();
            blocks.give(blocks.take(60 << 20));
            try (DeviceMemory rest = blocks.take(200L << 20)) {
                assertThat(rest.bytes()).isEqualTo(200L << 20);
            }
        }
        assertThat(StandInDriver.held()).isZero();
    }

    private static CudaDevice device() {
        return new CudaDevice(0, new DeviceLimits(1, 10, 1, 16));
    }
}
