package io.tailrace.terminal;

import java.io.IOException;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints: the version, and where the launcher runs a checkout its commit. */
final class Version implements IVersionProvider {
    private static final String NUMBER = "tailrace 0.1.0";

    /** A jar of its own may lie in anybody's checkout, whose commit is not its. */
    @Override
    public String[] getVersion() throws IOException {
        boolean checkout = System.getProperty("tailrace.home") != null;
        return new String[] {of(checkout ? Machine.commit() : Machine.NO_COMMIT)};
    }

    static String of(String commit) {
        return commit.equals(Machine.NO_COMMIT) ? NUMBER : NUMBER + ", commit " + commit;
    }
}
