package io.tailrace.e2e.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Class paths of programs that run beside Tailrace and are none of its dependencies; Maven fetches them. */
public final class MavenClassPath {
    private MavenClassPath() {}

    /**
     * The class path of a project file of the repository, which is never built.
     *
     * @param folder for the log
     */
    public static String of(String pom, Path folder) throws IOException, InterruptedException {
        Path file = folder.resolve("classpath.txt");
        Path log = folder.resolve("maven.log");
        Process maven = new ProcessBuilder(List.of(
                        "mvn",
                        "-q",
                        "-B",
                        "-f",
                        RepositoryFiles.root().resolve(pom).toString(),
                        "dependency:build-classpath",
                        "-DincludeScope=runtime",
                        "-Dmdep.outputFile=" + file))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!maven.waitFor(5, TimeUnit.MINUTES) || maven.exitValue() != 0) {
            maven.destroyForcibly();
            throw new IOException("Maven could not fetch what %s names: %s".formatted(pom, Files.readString(log)));
        }
        return Files.readString(file).strip();
    }
}
