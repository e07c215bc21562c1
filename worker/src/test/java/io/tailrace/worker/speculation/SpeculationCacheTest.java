package io.tailrace.worker.speculation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SpeculationCacheTest {
    @Test
    void aForkPreparedInTimeIsAHit() {
        SpeculationCache<String> cache = new SpeculationCache<>(4);
        cache.put(-1, 7, "a", 100);
        cache.put(2, 7, "b", 100);
        assertThat(cache.take(2, 7, 100)).isEqualTo("b");
        assertThat(cache.hits()).isEqualTo(1);
    }

    @Test
    void whatIsNotReadyIsLateAndWhatNobodyPreparedAMiss() {
        SpeculationCache<String> cache = new SpeculationCache<>(4);
        cache.put(-1, 7, "a", 101);
        assertThat(cache.take(-1, 7, 100)).isNull();
        cache.put(-1, 7, "a", 0);
        assertThat(cache.take(-1, 8, 100)).isNull();
        assertThat(cache.take(-1, 7, 200)).isNull();
        assertThat(cache.hits()).isZero();
        assertThat(cache.late()).isEqualTo(1);
        assertThat(cache.misses()).isEqualTo(2);
    }

    @Test
    void itHoldsSoManyForksEachOnce() {
        SpeculationCache<String> cache = new SpeculationCache<>(2);
        assertThat(cache.put(0, 1, "a", 0)).isTrue();
        assertThat(cache.put(0, 1, "b", 0)).isFalse();
        assertThat(cache.put(0, 2, "c", 0)).isTrue();
        assertThat(cache.put(0, 3, "d", 0)).isFalse();
        assertThat(cache.size()).isEqualTo(2);
        assertThat(cache.take(0, 1, 0)).isEqualTo("a");
        assertThat(cache.size()).isZero();
        assertThatThrownBy(() -> new SpeculationCache<>(0)).hasMessageContaining("got 0");
    }
}
