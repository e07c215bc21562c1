package io.tailrace.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.testkit.llama.TinyTokenizer;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reduced distribution, as the build has made it. */
class ReplayJarIT {
    private static final Path JAR = Path.of("target", "tailrace-replay.jar");
    private static final long BYTES_MAX = 60_000_000;
    private static final String CHAT = "{\"messages\":[{\"role\":\"user\",\"content\":\"Number %d?\"},"
            + "{\"role\":\"assistant\",\"content\":\"The sea and the hills and the sea.\"}]}";

    @TempDir
    private Path folder;

    @Test
    void itIsSmallAndHoldsNothingThatServesOrIndexes() throws IOException {
        assertThat(Files.size(JAR)).isLessThan(BYTES_MAX);
        try (JarFile jar = new JarFile(JAR.toFile())) {
            assertThat(jar.stream().map(ZipEntry::getName).filter(name -> name.endsWith(".class")))
                    .contains("io/tailrace/lab/ReplayTool.class")
                    .noneMatch(
                            name -> name.matches(
                                    "(org/apache/(flink|kafka)|ai/djl/pytorch|jcuda|software/amazon|io/tailrace/(jobs|client|cli|operators/intake))/.*"));
        }
    }

    @Test
    void itReplaysChecksAndConvertsALogOfText() throws Exception {
        Files.writeString(folder.resolve("tokenizer.json"), TinyTokenizer.json());
        Files.writeString(
                folder.resolve("chat_template.jinja"),
                "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>' }}{% endfor %}");
        Files.write(folder.resolve("log.jsonl"), List.of(CHAT.formatted(1), CHAT.formatted(2), CHAT.formatted(3)));
        assertThat(run("replay --input log.jsonl --tokenizer . --sharing 2 --html report.html"))
                .contains("log.jsonl: openai, JSON lines; 3 requests", "tokens a step", "Report: ")
                .doesNotContain("Exception", "SLF4J");
        assertThat(folder.resolve("report.html")).content().contains("log.jsonl: openai, JSON lines; 3 requests");
        assertThat(run("convert --input log.jsonl --tokenizer . --output ids.jsonl.zst"))
                .contains("3 requests as token ids");
        assertThat(run("check --input ids.jsonl.zst --vocabulary 320"))
                .contains("3 requests checked, 0 break a rule")
                .doesNotContain("Exception", "SLF4J");
    }

    /** Run within somebody's own repository. */
    @Test
    void itNamesTheCommitItWasBuiltOf() throws Exception {
        git(folder, "init", "-q");
        git(
                folder,
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@example.org",
                "commit",
                "-q",
                "--allow-empty",
                "-m",
                "theirs");
        String theirs = git(folder, "rev-parse", "--short=10", "HEAD");
        boolean checkout = Files.exists(Path.of("..", ".git"));
        String ours = checkout ? "commit " + git(Path.of(""), "rev-parse", "--short=10", "HEAD") : "tailrace 0.1.0\n";
        assertThat(run("--version")).contains(ours).isEqualTo(run("replay --version"));
        Files.writeString(
                folder.resolve("ids.jsonl"),
                "{\"id\":\"a\",\"response\":[1,2,3]}\n{\"id\":\"b\",\"response\":[1,2,3]}\n");
        run("replay --input ids.jsonl --html ids.html --json ids.json");
        for (String file : List.of("ids.html", "ids.json")) {
            assertThat(folder.resolve(file))
                    .content()
                    .doesNotContain(theirs)
                    .contains(checkout ? ours.substring("commit ".length()) : "unknown");
        }
    }

    private static String git(Path folder, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        Process git = new ProcessBuilder(command)
                .directory(folder.toAbsolutePath().toFile())
                .start();
        String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(git.waitFor()).isZero();
        return said;
    }

    private String run(String arguments) throws IOException, InterruptedException {
        File out = folder.resolve("out.txt").toFile();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                JAR.toAbsolutePath().toString()));
        command.addAll(List.of(arguments.split(" ", -1)));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out)
                .start();
        boolean ended = process.waitFor(60, TimeUnit.SECONDS);
        process.destroyForcibly();
        String said = Files.readString(out.toPath(), StandardCharsets.UTF_8);
        assertThat(ended).as(said).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }
}
