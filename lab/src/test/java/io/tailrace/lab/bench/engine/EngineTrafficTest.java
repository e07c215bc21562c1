package io.tailrace.lab.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.terminal.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineTrafficTest {
    @TempDir
    private Path folder;

    private Path recorded(String workload, int count) throws IOException {
        return Files.write(
                folder.resolve(workload + ".jsonl"),
                IntStream.range(0, count)
                        .mapToObj(i -> "{\"id\":\"%d\",\"prompt\":[%d,7,8],\"response\":[%d,300,2]}".formatted(i, i, i))
                        .toList());
    }

    @Test
    void replicasShareAllRequestsAmongThem() throws IOException {
        EngineTraffic traffic =
                EngineTraffic.read(List.of(recorded("code", 60), recorded("chat", 100)), 1_000, 100, 100);
        assertThat(traffic.workloads()).containsExactly("code", "chat");
        List<Integer> all = new ArrayList<>(traffic.before("chat", 16, 4));
        all.addAll(traffic.beforeElsewhere("chat", 16, 4));
        for (int own : traffic.served("chat", 16, 1_000, 4)) {
            all.add(own);
            all.addAll(traffic.elsewhere(own, 4));
        }
        assertThat(all)
                .hasSize(100)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(60, 160).boxed().toList());
    }

    @Test
    void aWorkloadWithoutARequestToServeIsRefused() throws IOException {
        EngineTraffic traffic = EngineTraffic.read(List.of(recorded("code", 10)), 1_000, 100, 100);
        assertThatThrownBy(() -> traffic.served("code", 10, 5, 1))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("--before");
    }

    @Test
    void longRequestsAreShortenedAndCounted() throws IOException {
        EngineTraffic traffic = EngineTraffic.read(List.of(recorded("code", 10)), 1_000, 2, 100);
        assertThat(traffic.request(3).prompt()).containsExactly(7, 8);
        assertThat(traffic.cut()).isEqualTo(10);
        assertThat(traffic.tokensMax()).isEqualTo(5);
        assertThat(traffic.vocabulary()).isEqualTo(384);
    }
}
