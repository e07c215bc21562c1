package io.tailrace.worker.djl;

import java.nio.file.Path;

/** What DJL is told before any of its classes loads. Needs no engine: tokenizers work without PyTorch. */
final class DjlSettings {
    private static final String CACHE = "DJL_CACHE_DIR";

    private DjlSettings() {}

    /** Keeps DJL from downloading and from phoning home, and says where it unpacks. */
    static void prepare() {
        setDefault("ai.djl.offline", "true");
        setDefault("OPT_OUT_TRACKING", "true");
        if (System.getenv(CACHE) == null) {
            setDefault(CACHE, defaultCache().toString());
        }
    }

    /** Sets what nobody has set. */
    static void setDefault(String key, String value) {
        if (System.getProperty(key) == null) {
            System.setProperty(key, value);
        }
    }

    private static Path defaultCache() {
        String base = System.getenv("XDG_CACHE_HOME");
        return (base == null || base.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(base))
                .resolve("tailrace")
                .resolve("djl");
    }
}
