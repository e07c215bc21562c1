package io.tailrace.terminal;

import java.io.IOException;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints: the version, and the commit where it is known. */
final class Version implements IVersionProvider {
    private static final String NUMBER = "tailrace 0.1.0";

    /**
     * The launcher runs a checkout, whose commit git knows. A jar of its own may lie in anybody's checkout: it says what
     * the build wrote into its manifest.
     */
    @Override
    public String[] getVersion() throws IOException {
        boolean checkout = System.getProperty("tailrace.home") != null;
        return new String[] {
            of(checkout ? Machine.commit() : Version.class.getPackage().getImplementationVersion())
        };
    }

    /** Where the sources were in no repository, Maven leaves the property's name in the manifest. */
    static String of(String commit) {
        boolean known = commit != null && !commit.startsWith("$") && !commit.equals(Machine.NO_COMMIT);
        return known ? NUMBER + ", commit " + commit : NUMBER;
    }
}
