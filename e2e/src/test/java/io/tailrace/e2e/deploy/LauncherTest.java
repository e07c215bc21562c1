package io.tailrace.e2e.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher in a checkout that is built, with a Java that says what it was started with. */
class LauncherTest {
    private static final Path LAUNCHER = Path.of("..", "tailrace");

    @TempDir
    private Path folder;

    private Path checkout;

    /** How a command ended, and what it said. */
    private record Ended(int code, String out, String err) {}

    @BeforeEach
    void build() throws IOException {
        checkout = Files.createDirectories(folder.resolve("checkout"));
        Files.copy(LAUNCHER, checkout.resolve("tailrace"));
        assertThat(checkout.resolve("tailrace").toFile().setExecutable(true)).isTrue();
        Files.writeString(checkout.resolve("pom.xml"), "<project/>");
        Files.createDirectories(checkout.resolve("lab/target/classes"));
        Files.createDirectories(checkout.resolve("agent/target"));
        Files.writeString(checkout.resolve("lab/target/classpath.txt"), checkout + "/pom.xml\n");
        Files.writeString(checkout.resolve("agent/target/classpath.txt"), checkout + "/pom.xml\n");
        Files.writeString(checkout.resolve("lab/target/launcher.stamp"), "");
        Path java = Files.createDirectories(folder.resolve("java/bin")).resolve("java");
        Files.writeString(java, """
                #!/bin/sh
                if [ "$1" = -version ]; then echo 'openjdk version "17.0.1"' >&2; else printf '%s\\n' "$@"; fi
                """);
        assertThat(java.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void startsTheCommandWithItsHeap() throws Exception {
        Ended ended = launch(Map.of(), "./tailrace", "lanes");
        assertThat(ended.out).contains("-Xms256m", "-Xmx2g", "io.tailrace.cli.Tailrace\nlanes\n");
        assertThat(ended.err).isEmpty();
        assertThat(launch(Map.of(), "./tailrace", "job").out).contains("-Xms2g");
    }

    /** The JVM refuses a smallest heap above the largest. */
    @Test
    void aLargestHeapOfTheUsersLeavesTheSmallestToJava() throws Exception {
        assertThat(launch(Map.of("TAILRACE_JAVA_OPTS", "-ea -Xmx200m"), "./tailrace", "lanes").out)
                .contains("-Xmx200m")
                .doesNotContain("-Xms");
        assertThat(launch(Map.of("TAILRACE_JAVA_OPTS", "-Xms300m"), "./tailrace", "job").out)
                .contains("-Xms300m")
                .doesNotContain("-Xms2g");
    }

    /** With it, cd says where it went. */
    @Test
    void searchPathsOfCdAreNotTheLaunchers() throws Exception {
        Ended ended = launch(Map.of("CDPATH", folder.toString()), folder, "bash", "checkout/tailrace", "lanes");
        assertThat(ended.out).contains("-Dtailrace.home=" + checkout.toRealPath() + "\n");
        assertThat(ended.err).isEmpty();
    }

    @Test
    void whereNoLogCanBeWrittenOneLineSaysSo() throws Exception {
        Files.writeString(checkout.resolve(".tailrace"), "no folder");
        Ended ended = launch(Map.of(), "./tailrace", "lanes");
        assertThat(ended.code).isZero();
        assertThat(ended.out)
                .contains("-Dlog4j2.configurationFile=classpath:log4j2-console.properties", "Tailrace\nlanes\n");
        assertThat(ended.err.lines()).hasSize(1).allMatch(line -> line.contains(".tailrace/tailrace.log"));
    }

    @Test
    void whereNothingCanBeBuiltItSaysSo() throws Exception {
        Files.delete(checkout.resolve("lab/target/launcher.stamp"));
        Files.writeString(checkout.resolve(".tailrace"), "no folder");
        Ended ended = launch(Map.of(), "./tailrace", "lanes");
        assertThat(ended.code).isEqualTo(2);
        assertThat(ended.err.lines()).hasSize(1).allMatch(line -> line.startsWith("tailrace: cannot build"));
    }

    /** A service whose user may only read the checkout starts after a pull, too. */
    @Test
    void whereNothingCanBeBuiltTheLastBuildGoesOn() throws Exception {
        Files.writeString(checkout.resolve(".tailrace"), "no folder");
        FileTime later = FileTime.fromMillis(Files.getLastModifiedTime(checkout.resolve("lab/target/launcher.stamp"))
                        .toMillis()
                + 60_000);
        Files.setLastModifiedTime(checkout.resolve("pom.xml"), later);
        Ended ended = launch(Map.of(), "./tailrace", "agent");
        assertThat(ended.code).isZero();
        assertThat(ended.out).contains("io.tailrace.agent.command.AgentMain\nagent\n");
        assertThat(ended.err.lines().toList()).hasSize(2);
        assertThat(ended.err).startsWith("tailrace: starting the last build, which is older than its sources: ");
        Files.delete(checkout.resolve("agent/target/classpath.txt"));
        assertThat(launch(Map.of(), "./tailrace", "agent").code).isEqualTo(2);
    }

    private Ended launch(Map<String, String> environment, String... command) throws Exception {
        return launch(environment, checkout, command);
    }

    private Ended launch(Map<String, String> environment, Path from, String... command) throws Exception {
        Path err = folder.resolve("err");
        ProcessBuilder builder =
                new ProcessBuilder(List.of(command)).directory(from.toFile()).redirectError(err.toFile());
        builder.environment().remove("TAILRACE_JAVA_OPTS");
        builder.environment().put("JAVA_HOME", folder.resolve("java").toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), out, Files.readString(err));
    }
}
