package io.tailrace.e2e.engine;

import io.tailrace.lab.engine.EngineEnvironment;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The stock vLLM that tests run, where there is one. */
public final class TestEngine {
    /** What a test says that is skipped. */
    public static final String ABSENT =
            "no vLLM: tailrace bench engine makes an environment with it, or TAILRACE_ENGINE_PYTHON names one";

    /** A Python with vLLM for CPUs. */
    private static final String PYTHON = "TAILRACE_ENGINE_PYTHON";

    private TestEngine() {}

    /** Whether there is one. */
    public static boolean isHere() {
        return Files.exists(folder());
    }

    /** Its environment. */
    public static EngineEnvironment open() throws IOException, InterruptedException {
        return EngineEnvironment.open(folder(), new PrintWriter(System.out, true, StandardCharsets.UTF_8));
    }

    /** The one named, or that which bench engine has made. */
    static Path folder() {
        String python = System.getenv(PYTHON);
        return python == null
                ? EngineEnvironment.usual()
                : Path.of(python).getParent().getParent();
    }
}
