package io.tailrace.cli;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.terminal.BadInputException;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobCommandTest {
    @ParameterizedTest
    @ValueSource(strings = {"s3://segments/", "gs://segments/", "nonsense://segments/"})
    void aStoreThatThisFlinkCannotReachIsRefusedWithWhatToDo(String store) {
        assertThatThrownBy(() -> JobCommand.checkStore(URI.create(store)))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("--store " + store)
                .hasMessageContaining("file:///")
                .hasMessageContaining("run-a-fleet.md");
    }

    @Test
    void aFolderIsNot() {
        assertThatCode(() -> JobCommand.checkStore(URI.create("file:///tmp"))).doesNotThrowAnyException();
    }
}
