package io.tailrace.terminal;

import java.io.IOException;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints: the version, and the commit where it is known. */
final class Version implements IVersionProvider {
    private static final String NUMBER = "tailrace 0.1.0";

    @Override
    public String[] getVersion() throws IOException {
        return new String[] {of(Machine.commit())};
    }

    static String of(String commit) {
        return commit.equals(Machine.NO_COMMIT) ? NUMBER : NUMBER + ", commit " + commit;
    }
}
