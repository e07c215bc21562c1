package io.tailrace.lab.replay.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;

/** What the report is made of beside figures: its template and script, and the chart library from the class path. */
final class PageResources {
    private static final String LIBRARY = "/META-INF/maven/org.webjars.npm/chart.js/pom.properties";
    private static final String LIBRARY_FILES = "/META-INF/resources/webjars/chart.js/%s/";

    private PageResources() {}

    /** The library with its licence, and the script that calls it, under the names that the template has for them. */
    static Map<String, Object> charts() throws IOException {
        Properties library = new Properties();
        library.load(new StringReader(own(LIBRARY)));
        String version = library.getProperty("version");
        String files = LIBRARY_FILES.formatted(version);
        return Map.of(
                "chartVersion", version,
                "chartLicence", own(files + "LICENSE.md"),
                "chartLibrary", withoutSourceMap(own(files + "dist/chart.umd.min.js")),
                "chartScript", own("charts.js"));
    }

    /** The text of a resource, by its path or beside this class. */
    static String own(String name) throws IOException {
        try (InputStream in = PageResources.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("resource " + name + " must be on the class path, found none");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** A browser's tools would ask for the map, a file that is not there. */
    private static String withoutSourceMap(String script) {
        int at = script.lastIndexOf("//# sourceMappingURL=");
        return at < 0 ? script : script.substring(0, at);
    }
}
