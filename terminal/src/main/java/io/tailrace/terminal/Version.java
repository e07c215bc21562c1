package io.tailrace.terminal;

import java.io.IOException;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints: the version and the commit, which the jar's manifest says, or git where this runs in a checkout. */
final class Version implements IVersionProvider {
    private static final String NUMBER = "tailrace 0.1.0";

    @Override
    public String[] getVersion() throws IOException {
        String built = Version.class.getPackage().getImplementationVersion();
        return new String[] {of(built == null ? Machine.commit() : built)};
    }

    /** A jar that was made outside of a checkout has a property's name for its commit. */
    private static boolean isCommit(String text) {
        return !text.equals(Machine.NO_COMMIT) && !text.startsWith("$");
    }

    static String of(String commit) {
        return isCommit(commit) ? NUMBER + ", commit " + commit : NUMBER;
    }
}
