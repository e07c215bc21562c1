package io.tailrace.e2e.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Links between the pages lead to a file that is there, and to a heading of it. */
class DocumentLinksTest {
    private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    static Stream<String> pages() {
        return Stream.of(
                        List.of("README.md", "CHANGELOG.md", "engines/python/README.md"),
                        RepositoryFiles.below("docs", ".md"),
                        RepositoryFiles.below("lab/results", ".md"))
                .flatMap(List::stream);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyLinkLeadsToAHeadingThatIsThere(String page) {
        Path root = RepositoryFiles.root();
        LINK.matcher(prose(page)).results().map(link -> link.group(1)).forEach(link -> {
            if (!link.startsWith("http")) {
                String[] parts = link.split("#", 2);
                Path file = parts[0].isEmpty()
                        ? root.resolve(page)
                        : root.resolve(page).resolveSibling(parts[0]).normalize();
                assertThat(Files.exists(file)).as("%s: %s", page, link).isTrue();
                if (parts.length == 2) {
                    assertThat(headings(root.relativize(file).toString()))
                            .as("%s: %s", page, link)
                            .contains(parts[1]);
                }
            }
        });
    }

    @Test
    void allFourKindsOfPagesAreLookedAt() {
        assertThat(pages())
                .contains("docs/tutorial/dev.md", "docs/how-to/monitor.md", "docs/reference/metrics.md")
                .contains("docs/explanation/guarantees.md", "lab/results/README.md");
    }

    private static String prose(String page) {
        return CODE.matcher(RepositoryFiles.text(page)).replaceAll("");
    }

    /** As GitHub names them. */
    private static Set<String> headings(String page) {
        return HEADING.matcher(prose(page))
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\w\\- ]", "")
                        .strip()
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }
}
