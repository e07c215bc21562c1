package io.tailrace.cli.snapshots;

import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.terminal.BadInputException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Stack;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.TypeConversionException;

/**
 * What operators call a version by: its number; {@code newest}; {@code -3}, which is three before the newest; or an age such as {@code 2h}, which is
 * the version that was the newest then.
 *
 * @param kind how it is called
 * @param number of {@link Kind#NUMBER} the version, of {@link Kind#BEFORE} how many before the newest, of {@link Kind#AGE} milliseconds
 */
public record VersionName(Kind kind, long number) {
    /** How a command says what it takes. */
    public static final String FORMS =
            "A version's number, as 'list' shows it; 'newest'; -3, three before the newest; or an age"
                    + " such as 90s, 15m, 2h or 1d: what was the newest then.";

    static final VersionName NEWEST = new VersionName(Kind.BEFORE, 0);

    private static final Pattern BEFORE = Pattern.compile("(?:newest)?-(\\d{1,9})");
    private static final Pattern AGE = Pattern.compile("(\\d{1,9})([smhd])");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
    private static final Map<String, Duration> UNITS = Map.of(
            "s", Duration.ofSeconds(1), "m", Duration.ofMinutes(1), "h", Duration.ofHours(1), "d", Duration.ofDays(1));

    /** How a version is called. */
    enum Kind {
        NUMBER,
        BEFORE,
        AGE
    }

    /** A version by its number. */
    public static VersionName number(long version) {
        return new VersionName(Kind.NUMBER, version);
    }

    /** The name that a text is; {@link IllegalArgumentException} says which there are. */
    public static VersionName parse(String text) {
        Matcher before = BEFORE.matcher(text);
        Matcher age = AGE.matcher(text);
        if (text.equals("newest")) {
            return NEWEST;
        }
        if (before.matches()) {
            return new VersionName(Kind.BEFORE, Long.parseLong(before.group(1)));
        }
        if (age.matches()) {
            return new VersionName(Kind.AGE, UNITS.get(age.group(2)).toMillis() * Long.parseLong(age.group(1)));
        }
        if (NUMBER.matcher(text).matches()) {
            return new VersionName(Kind.NUMBER, Long.parseLong(text));
        }
        throw new IllegalArgumentException(
                "a version is a number, 'newest', -3 or an age such as 2h, got '%s'".formatted(text));
    }

    /**
     * The version that is meant.
     *
     * @param there the announced versions, at least one
     * @throws BadInputException if no version is so old
     */
    public long in(NavigableMap<Long, SnapshotManifest> there, long nowMillis) {
        return switch (kind) {
            case NUMBER -> number;
            case BEFORE -> before(there);
            case AGE -> newestAt(there, nowMillis - number);
        };
    }

    private long before(NavigableMap<Long, SnapshotManifest> there) {
        return there.descendingKeySet().stream()
                .skip(number)
                .findFirst()
                .orElseThrow(() -> new BadInputException(
                        "-%d goes back behind the oldest version: %d are there".formatted(number, there.size())));
    }

    private static long newestAt(NavigableMap<Long, SnapshotManifest> there, long millis) {
        return there.descendingMap().values().stream()
                .filter(manifest -> manifest.getCreatedAt().toEpochMilli() <= millis)
                .mapToLong(SnapshotManifest::getVersion)
                .findFirst()
                .orElseThrow(() -> new BadInputException("no version was there at %s; the oldest is of %s"
                        .formatted(
                                Instant.ofEpochMilli(millis),
                                there.firstEntry().getValue().getCreatedAt())));
    }

    /** For picocli. */
    static final class Converter implements ITypeConverter<VersionName> {
        @Override
        public VersionName convert(String text) {
            try {
                return parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /** Lets {@code -3} be a version, where picocli would take it for an option. */
    static final class Preprocessor implements IParameterPreprocessor {
        @Override
        @SuppressWarnings("JdkObsolete") // picocli's signature
        public boolean preprocess(
                Stack<String> arguments, CommandSpec command, ArgSpec argument, Map<String, Object> info) {
            arguments.replaceAll(text -> text.matches("-\\d{1,9}") ? "newest" + text : text);
            return false;
        }
    }
}
