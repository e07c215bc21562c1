package io.tailrace.lab.bench.scale;

import io.tailrace.lab.bench.scale.ScalePoint.Grows;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.FiguresFile;
import io.tailrace.terminal.Table;
import io.tailrace.terminal.WorkFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace bench scale}: what an installation costs as it grows. */
@Command(
        name = "scale",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures what an installation costs as it grows: the real job in a process of its own, with made-up traffic, and"
                    + " real followers. For each size it starts an installation anew, lets it warm up, and counts the job's"
                    + " processor time, heap, checkpoint, store requests and bytes, what it writes to Kafka, and what a"
                    + " follower fetches.",
            "Then it says with which power of the size each cost grows, 0 does not, 1 is proportional, and what one more of it costs.",
            "A job that has not digested what was sent after 15 minutes is marked as not settled: its row says what it had"
                    + " cost by then, and no power is taken from it. Exit code 1: there was one."
        },
        footerHeading = "%nExample:%n",
        footer =
                "  tailrace bench scale --lanes 1,10,100 --rates 50,200 --followers 1,8 --lane-tokens 1000000 --cold-lanes 0 --json scale.json")
public final class BenchScaleCommand implements Callable<Integer> {
    private static final double MEGA = 1e6;
    private static final Duration SETTLE_MAX = Duration.ofMinutes(15);

    @Option(
            names = "--lanes",
            split = ",",
            paramLabel = "N",
            defaultValue = "1,10,100,1000",
            description = "Lanes with traffic, a point each. Default: ${DEFAULT-VALUE}.")
    private List<Integer> lanes;

    @Option(
            names = "--rates",
            split = ",",
            paramLabel = "N",
            defaultValue = "50,200,800",
            description = "Generations a second into 8 lanes, a point each. Default: ${DEFAULT-VALUE}.")
    private List<Integer> rates;

    @Option(
            names = "--followers",
            split = ",",
            paramLabel = "N",
            defaultValue = "1,8,32,200,1000",
            description =
                    "Followers of one lane, a point each; of more than 32 the others say that they follow, and do not fetch. Default: ${DEFAULT-VALUE}.")
    private List<Integer> followers;

    @Option(
            names = "--lane-tokens",
            split = ",",
            paramLabel = "N",
            defaultValue = "1000000,4000000,16000000",
            description =
                    "Tokens that a lane holds before its traffic is counted, a point each. Default: ${DEFAULT-VALUE}.")
    private List<Integer> laneTokens;

    @Bounds(min = 0, max = 99_900)
    @Option(
            names = "--cold-lanes",
            paramLabel = "N",
            defaultValue = "9900",
            description =
                    "Lanes with one generation each, beside 100 with traffic; 0: without this point. Default: ${DEFAULT-VALUE}.")
    private int coldLanes;

    @Bounds(min = 1)
    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "100",
            description = "Generations a second where points differ in something else. Default: ${DEFAULT-VALUE}.")
    private int rate;

    @Bounds(min = 1)
    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "30",
            description =
                    "Traffic that counts, of each point; half as much before it warms up. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Bounds(min = 1, max = 8_192)
    @Option(
            names = "--answer-tokens",
            paramLabel = "N",
            defaultValue = "200",
            description = "Tokens of each answer. Default: ${DEFAULT-VALUE}.")
    private int answerTokens;

    @Option(
            names = "--job-option",
            paramLabel = "NAME=VALUE",
            description = "An option of the job without its dashes, such as shards=1; repeatable.")
    private Map<String, String> jobOptions = Map.of();

    @Mixin
    private FiguresFile figures = new FiguresFile();

    @Spec
    private CommandSpec spec;

    /** A cost of a point. */
    private record Cost(String name, ToDoubleFunction<ScalePoint> of) {}

    private static final List<Cost> COSTS = List.of(
            new Cost("jobCores", ScalePoint::jobCores),
            new Cost("jobHeapBytes", ScalePoint::jobHeapBytes),
            new Cost("jobPeakResidentBytes", ScalePoint::jobPeakResidentBytes),
            new Cost("checkpointBytes", ScalePoint::checkpointBytes),
            new Cost("putsPerSecond", ScalePoint::putsPerSecond),
            new Cost("putBytesPerSecond", ScalePoint::putBytesPerSecond),
            new Cost("snapshotsBytesPerSecond", ScalePoint::snapshotsBytesPerSecond),
            new Cost("admittedBytesPerSecond", ScalePoint::admittedBytesPerSecond),
            new Cost("otherBytesPerSecond", ScalePoint::otherBytesPerSecond),
            new Cost("followerBytesPerSecond", ScalePoint::followerBytesPerSecond),
            new Cost("followerKafkaBytesPerSecond", ScalePoint::followerKafkaBytesPerSecond));

    @Override
    public Integer call() throws Exception {
        figures.check();
        check("--lanes", lanes, 100_000);
        check("--rates", rates, 100_000);
        check("--lane-tokens", laneTokens, 100_000_000);
        check("--followers", followers, 10_000);
        PrintWriter out = spec.commandLine().getOut();
        out.println("%s; answers of %d tokens".formatted(figures.where(), answerTokens));
        out.flush();
        ScaleBench.Options options = new ScaleBench.Options(
                lanes,
                rates,
                followers,
                laneTokens,
                coldLanes,
                rate,
                Math.max(1, seconds / 2),
                seconds,
                answerTokens,
                SETTLE_MAX,
                jobOptions);
        List<ScalePoint> points = new ArrayList<>();
        try (WorkFolder folder = WorkFolder.open(null, "scale")) {
            new ScaleBench(options, folder.path(), point -> {
                        points.add(point);
                        out.println(line(point));
                        out.flush();
                        write(points);
                    })
                    .run();
        }
        print(points, out);
        return points.stream().allMatch(ScalePoint::settled) ? ExitCodes.DONE : ExitCodes.FELL_SHORT;
    }

    private static String line(ScalePoint point) {
        return "%s %,d: %.2f cores, %.1f puts and %.2f MB a second into the store, announced after %,d ms%s"
                .formatted(
                        point.grows(),
                        point.size(),
                        point.jobCores(),
                        point.putsPerSecond(),
                        point.putBytesPerSecond() / MEGA,
                        point.announcedP50Millis(),
                        point.settled() ? "" : "; not settled");
    }

    /** After each point, so that a job that dies takes only its own figures along. */
    private void write(List<ScalePoint> points) {
        try {
            Map<String, Object> json = figures.begin();
            json.put("answerTokens", answerTokens);
            json.put("seconds", seconds);
            json.put("jobOptions", jobOptions);
            json.put("points", points);
            json.put("exponents", exponents(points));
            json.put("perUnit", perUnit(points));
            figures.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void check(String option, List<Integer> sizes, int most) {
        for (int size : sizes) {
            if (size < 1 || size > most) {
                throw new BadInputException("%s must be 1 to %d each, got %d".formatted(option, most, size));
            }
        }
    }

    static void print(List<ScalePoint> points, PrintWriter out) {
        Table job = new Table(
                "grows",
                "size",
                "cores",
                "heap MB",
                "peak MB",
                "state MB",
                "puts/s",
                "put MB/s",
                "fetches/s",
                "lists/s",
                "deletes/s",
                "p50 ms",
                "p99 ms",
                "settled s");
        Table traffic = new Table(
                "grows",
                "size",
                "snapshots kB/s",
                "admitted kB/s",
                "other topics kB/s",
                "a follower's fetches/s",
                "its MB/s",
                "from Kafka kB/s");
        for (ScalePoint point : points) {
            job.row(
                    point.grows(),
                    point.size(),
                    "%.2f".formatted(point.jobCores()),
                    "%.0f".formatted(point.jobHeapBytes() / MEGA),
                    "%.0f".formatted(point.jobPeakResidentBytes() / MEGA),
                    "%.1f".formatted(point.checkpointBytes() / MEGA),
                    "%.1f".formatted(point.putsPerSecond()),
                    "%.2f".formatted(point.putBytesPerSecond() / MEGA),
                    "%.1f".formatted(point.fetchesPerSecond()),
                    "%.1f".formatted(point.listsPerSecond()),
                    "%.1f".formatted(point.deletesPerSecond()),
                    point.announcedP50Millis(),
                    point.announcedP99Millis(),
                    (point.settled() ? "%.1f" : "not in %.1f").formatted(point.settledSeconds()));
            traffic.row(
                    point.grows(),
                    point.size(),
                    "%.1f".formatted(point.snapshotsBytesPerSecond() / 1e3),
                    "%.1f".formatted(point.admittedBytesPerSecond() / 1e3),
                    "%.1f".formatted(point.otherBytesPerSecond() / 1e3),
                    "%.2f".formatted(point.followerRequestsPerSecond()),
                    "%.3f".formatted(point.followerBytesPerSecond() / MEGA),
                    "%.1f".formatted(point.followerKafkaBytesPerSecond() / 1e3));
        }
        job.print(out);
        traffic.print(out);
        Table growth = new Table("cost", "with lanes", "with traffic", "with followers", "with a lane's tokens");
        Map<Grows, Map<String, Double>> exponents = exponents(points);
        for (Cost cost : COSTS) {
            growth.row(
                    cost.name,
                    power(exponents, Grows.LANES, cost),
                    power(exponents, Grows.RATE, cost),
                    power(exponents, Grows.FOLLOWERS, cost),
                    power(exponents, Grows.LANE_TOKENS, cost));
        }
        growth.print(out);
        Table units = new Table(
                "cost",
                "of a lane",
                "of a generation a second",
                "of a follower",
                "of a lane at rest",
                "of a million tokens in a lane");
        Map<Grows, Map<String, Double>> slopes = perUnit(points);
        for (Cost cost : COSTS) {
            units.row(
                    cost.name,
                    unit(slopes, Grows.LANES, cost),
                    unit(slopes, Grows.RATE, cost),
                    unit(slopes, Grows.FOLLOWERS, cost),
                    unit(slopes, Grows.COLD, cost),
                    unit(slopes, Grows.LANE_TOKENS, cost));
        }
        units.print(out);
        out.flush();
    }

    private static String unit(Map<Grows, Map<String, Double>> slopes, Grows grows, Cost cost) {
        Double unit = slopes.get(grows).get(cost.name);
        return unit == null ? "-" : "%.3g".formatted(unit);
    }

    private static String power(Map<Grows, Map<String, Double>> exponents, Grows grows, Cost cost) {
        Double power = exponents.getOrDefault(grows, Map.of()).get(cost.name);
        return power == null ? "-" : "%.2f".formatted(power);
    }

    /** By what grows; of points that settled alone. */
    static Map<Grows, Map<String, Double>> exponents(List<ScalePoint> points) {
        Map<Grows, Map<String, Double>> all = new EnumMap<>(Grows.class);
        for (Grows grows : List.of(Grows.LANES, Grows.RATE, Grows.FOLLOWERS, Grows.LANE_TOKENS)) {
            List<ScalePoint> those = points.stream()
                    .filter(point -> point.grows() == grows && point.settled())
                    .toList();
            all.put(grows, of(those, point -> point.size(), Growth::exponent));
        }
        return all;
    }

    /** By what grows, what one more of it costs, and a million more of a lane's tokens; of points that settled alone. */
    static Map<Grows, Map<String, Double>> perUnit(List<ScalePoint> points) {
        Map<Grows, Map<String, Double>> all = new EnumMap<>(Grows.class);
        for (Grows grows : Grows.values()) {
            List<ScalePoint> those = points.stream()
                    .filter(point -> point.settled() && (point.grows() == grows || isBeside(point, grows, points)))
                    .toList();
            all.put(grows, of(those, point -> units(grows, point), Growth::perUnit));
        }
        return all;
    }

    /** Whether lanes at rest were counted beside as many lanes as this point has. */
    private static boolean isBeside(ScalePoint point, Grows grows, List<ScalePoint> points) {
        return grows == Grows.COLD
                && point.grows() == Grows.LANES
                && points.stream().anyMatch(cold -> cold.grows() == Grows.COLD && cold.lanes() == point.lanes());
    }

    private static double units(Grows grows, ScalePoint point) {
        return switch (grows) {
            case COLD -> point.coldLanes();
            case LANE_TOKENS -> point.size() / MEGA;
            default -> point.size();
        };
    }

    private static Map<String, Double> of(
            List<ScalePoint> points,
            ToDoubleFunction<ScalePoint> size,
            BiFunction<List<Double>, List<Double>, Double> figure) {
        List<Double> sizes = points.stream().map(size::applyAsDouble).toList();
        Map<String, Double> figures = new LinkedHashMap<>();
        for (Cost cost : COSTS) {
            figures.put(
                    cost.name,
                    figure.apply(
                            sizes, points.stream().map(cost.of::applyAsDouble).toList()));
        }
        return figures;
    }
}
