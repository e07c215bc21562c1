package io.tailrace.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.KafkaAccess;
import io.tailrace.client.ReportingOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class ReportingArgumentsTest {
    private static final String HOME = "user.home";

    @TempDir
    private Path home;

    private final String before = System.getProperty(HOME);

    @BeforeEach
    void setHome() {
        System.setProperty(HOME, home.toString());
    }

    @AfterEach
    void setHomeBack() {
        System.setProperty(HOME, before);
    }

    @Test
    void promptsAreReportedUnlessTheyMayNotBe() {
        assertThat(reporting().prompts()).isTrue();
        assertThat(reporting("--no-prompts").prompts()).isFalse();
    }

    /** Whoever starts it from another folder finds the reports that an earlier process could not send. */
    @Test
    void reportsWaitInAFolderOfTheUserWhereverItIsStarted() throws IOException {
        Path own = home.resolve(".tailrace");
        assertThat(reporting("--name", "a").spool()).hasValue(own.resolve("spool/a"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
                .isEqualTo("rwx------");
        assertThat(reporting("--spool", "mine").spool()).hasValue(Path.of("mine"));
    }

    private static ReportingOptions reporting(String... given) {
        ReportingArguments arguments = new ReportingArguments();
        new CommandLine(arguments).parseArgs(given);
        return arguments.reporting(KafkaAccess.of("127.0.0.1:1"), "");
    }
}
