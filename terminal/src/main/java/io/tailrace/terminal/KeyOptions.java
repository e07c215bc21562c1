package io.tailrace.terminal;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Files of the keys that records of topics snapshots and control are signed and checked with. Whoever has the options reads the files. */
public final class KeyOptions {
    private KeyOptions() {}

    /** Of who writes. */
    @Command(optionListHeading = "Keys")
    public static final class Signing {
        @Option(
                names = "--signing-key",
                paramLabel = "FILE",
                description =
                        "Ed25519 private key in PEM that signs what this writes to topics snapshots, control and events; the job's must be where it is"
                                + " submitted and on every TaskManager. Default: nothing is signed.")
        private Path file;

        public Optional<Path> file() {
            return Optional.ofNullable(file);
        }
    }

    /** Of who reads. */
    @Command(optionListHeading = "Keys")
    public static final class Trusted {
        @Option(
                names = "--trusted-keys",
                split = ",",
                paramLabel = "FILE",
                description =
                        "Ed25519 public keys in PEM, one or more a file; repeatable. Records of topics snapshots, control and events that none of them"
                                + " signed are ignored. Default: none, nothing is checked.")
        private List<Path> files = new ArrayList<>();

        public List<Path> files() {
            return List.copyOf(files);
        }
    }
}
