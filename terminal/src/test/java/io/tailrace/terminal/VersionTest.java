package io.tailrace.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VersionTest {
    @Test
    void namesTheCommitWhereThereIsOne() {
        assertThat(Version.of("0123456789-dirty")).isEqualTo("tailrace 0.1.0, commit 0123456789-dirty");
        assertThat(Version.of(Machine.NO_COMMIT)).isEqualTo("tailrace 0.1.0");
    }

    @Test
    void aJarHasTheCommitThatItsBuildKnew() {
        assertThat(Machine.built("0123456789")).isEqualTo("0123456789");
        assertThat(Machine.built(null)).isEqualTo(Machine.NO_COMMIT);
        assertThat(Machine.built("${git.commit}")).isEqualTo(Machine.NO_COMMIT);
    }
}
