package io.tailrace.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The device's code, compiled for this machine with sanitizers, against dull twins. */
class CoreTest {
    @TempDir
    Path folder;

    @Test
    void coreAgreesWithItsDullTwins() throws Exception {
        assertThat(NativeProgram.build("brute.cc", folder).run()).isEqualTo("all hold\n");
    }

    /** The block's own code, its threads played one by one: fibers, which the address sanitizer does not know. */
    @Test
    void aBlockSamplesAsOneThreadDoes() throws Exception {
        assertThat(NativeProgram.build("block.cc", folder, "undefined").run()).isEqualTo("all hold\n");
    }
}
