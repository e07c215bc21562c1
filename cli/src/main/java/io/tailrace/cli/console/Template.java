package io.tailrace.cli.console;

import com.samskivert.mustache.Mustache;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/** Makes pages HTML. */
final class Template {
    private static final String LIBRARY = "/META-INF/maven/org.webjars.npm/chart.js/pom.properties";
    private static final String LIBRARY_FILES = "/META-INF/resources/webjars/chart.js/%s/";

    /** The pages that every page leads to. */
    private static final Map<String, String> NAMES = new java.util.TreeMap<>(Map.of(
            "/", "Lanes",
            "/lane", "Versions",
            "/learning", "Learning",
            "/outcomes", "Outcomes",
            "/events", "Events",
            "/rejections", "Rejections",
            "/generation", "A generation",
            "/books", "Books"));

    static final List<String> PATHS =
            List.of("/", "/lane", "/learning", "/outcomes", "/events", "/rejections", "/generation", "/books");

    private static final Set<String> OF_LANE = Set.of("/lane", "/learning", "/outcomes");

    private final com.samskivert.mustache.Template page;
    private final String library;

    /** A way to a page. */
    record Way(String path, String name, boolean here) {}

    Template() {
        try {
            page = Mustache.compiler().emptyStringIsFalse(true).nullValue("").compile(resource("page.mustache"));
            Properties properties = new Properties();
            properties.load(new StringReader(resource(LIBRARY)));
            library = LIBRARY_FILES.formatted(properties.getProperty("version"));
        } catch (IOException e) {
            throw new IllegalStateException("the console's template cannot be read from the jar; rebuild it", e);
        }
    }

    /**
     * A page's HTML.
     *
     * @param lane that the page is of, which pages of a lane are led to with; empty: none
     * @param trouble why it may not show all; empty: it does
     * @param foot where the figures are from
     */
    String html(Page shown, String path, String lane, String trouble, String foot) {
        String query = lane.isEmpty() ? "" : "?lane=" + URLEncoder.encode(lane, StandardCharsets.UTF_8);
        List<Way> ways = PATHS.stream()
                .map(one -> new Way(OF_LANE.contains(one) ? one + query : one, NAMES.get(one), one.equals(path)))
                .toList();
        return page.execute(Map.of("page", shown, "ways", ways, "trouble", trouble, "foot", foot));
    }

    /** The chart library, its licence first. */
    String charts() throws IOException {
        String script = resource(library + "dist/chart.umd.min.js");
        int map = script.lastIndexOf("//# sourceMappingURL=");
        return "/*\n%s*/\n%s".formatted(resource(library + "LICENSE.md"), map < 0 ? script : script.substring(0, map));
    }

    /** The text of a resource, by its path or beside this class. */
    static String resource(String name) throws IOException {
        try (InputStream in = Template.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("resource " + name + " must be on the class path, found none");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
