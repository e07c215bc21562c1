package io.tailrace.terminal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Where a figure was taken: the machine and the commit. */
public final class Machine {
    /** Said outside of a checkout. */
    static final String NO_COMMIT = "unknown";

    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{7,40}(-dirty)?");
    private static final long GIT_SECONDS_MAX = 10;

    private Machine() {}

    public static String describe() {
        return "%d cores, %s %s, Java %s"
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        System.getProperty("os.name"),
                        System.getProperty("os.arch"),
                        System.getProperty("java.version"));
    }

    /**
     * The commit of what runs, with {@code -dirty} where it was changed, or {@code unknown}. The launcher runs a checkout, whose commit git knows.
     * A jar of its own may lie in anybody's checkout: it has what the build wrote into its manifest.
     */
    public static String commit() throws IOException {
        String home = System.getProperty("tailrace.home");
        return home == null ? built(Machine.class.getPackage().getImplementationVersion()) : checkedOut(Path.of(home));
    }

    /** Where the sources were in no repository, Maven leaves its property's name in the manifest. */
    static String built(String commit) {
        return commit != null && COMMIT.matcher(commit).matches() ? commit : NO_COMMIT;
    }

    private static String checkedOut(Path home) throws IOException {
        Process git;
        try {
            git = new ProcessBuilder("git", "describe", "--always", "--dirty", "--abbrev=10", "--exclude=*")
                    .directory(home.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException noGit) {
            return NO_COMMIT;
        }
        String answer = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        try {
            boolean ended = git.waitFor(GIT_SECONDS_MAX, TimeUnit.SECONDS);
            return ended && git.exitValue() == 0 && !answer.isEmpty() ? answer : NO_COMMIT;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while asking git for the commit", e);
        }
    }
}
