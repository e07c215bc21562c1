package io.tailrace.operators.publishing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class ManifestContentTest {
    @Test
    void completionTimesAreThinnedEvenly() {
        List<Long> times =
                LongStream.range(0, 3 * ManifestContent.COMPLETIONS_MAX).boxed().toList();
        List<Instant> thinned = ManifestContent.thinned(times);
        assertThat(thinned).hasSize(ManifestContent.COMPLETIONS_MAX);
        assertThat(thinned.get(1)).isEqualTo(Instant.ofEpochMilli(3));
        assertThat(ManifestContent.thinned(List.of(5L))).containsExactly(Instant.ofEpochMilli(5));
        assertThat(ManifestContent.thinned(List.of())).isEmpty();
    }
}
