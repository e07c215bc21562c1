package io.tailrace.operators.publishing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.tailrace.operators.publishing.VersionSpacing.Version;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which versions go, beside a dull twin, through thousands of random lives of a lane; and how far apart those are that stay. */
final class VersionSpacingTest {
    private static final long START = 1_700_000_000_000L;
    private static final int LIVES = 2_000;

    /** The same choice with exact fractions and nothing kept in mind from one step to the next. */
    private static final class Twin {
        private final int max;
        private final long age;
        private final int newest;
        private final int policies;

        Twin(int max, long age) {
            this.max = max;
            this.age = age;
            this.newest = max == 1 ? 1 : Math.max(2, max / 2);
            this.policies = max / 8;
        }

        private Set<Version> lastOfPolicies(List<Version> versions) {
            Set<Version> last = new LinkedHashSet<>();
            for (int i = versions.size() - newest - 1; i >= 0; i--) {
                long policy = versions.get(i).policy();
                boolean again = versions.subList(i + 1, versions.size()).stream()
                        .anyMatch(version -> version.policy() == policy);
                if (!again && last.size() < policies) {
                    last.add(versions.get(i));
                }
            }
            return last;
        }

        private BigInteger age(Version version, long now) {
            long elapsed = Math.max(0, now - version.number());
            return BigInteger.valueOf(Math.min(age, elapsed) + 1_000);
        }

        /** True if the gap around one is smaller than that around another. */
        private boolean isNearer(List<Version> versions, int one, int other, long now) {
            BigInteger left = age(versions.get(one - 1), now).multiply(age(versions.get(other + 1), now));
            BigInteger right = age(versions.get(other - 1), now).multiply(age(versions.get(one + 1), now));
            return left.compareTo(right) < 0;
        }

        List<Long> excess(List<Version> versions, long now) {
            List<Version> left = new ArrayList<>(versions);
            List<Long> gone = new ArrayList<>();
            Version announced = versions.get(versions.size() - 1);
            for (Version version : versions) {
                if (!version.equals(announced) && !version.held() && now - version.number() > age) {
                    left.remove(version);
                    gone.add(version.number());
                }
            }
            while (left.stream().filter(version -> !version.held()).count() > max) {
                int first = newest + policies == max ? 0 : 1;
                int choice = -1;
                Set<Version> last = lastOfPolicies(left);
                for (int i = first; i < left.size() - newest; i++) {
                    if (left.get(i).held() || last.contains(left.get(i))) {
                        continue;
                    }
                    if (choice < 0 || (first == 1 && isNearer(left, i, choice, now))) {
                        choice = i;
                    }
                }
                gone.add(left.remove(choice).number());
            }
            return gone;
        }
    }

    /** One life: announcements in bursts and at rest, policies that come and go back, pins, workers that serve something. */
    private static final class Life {
        private final Random random;
        private final String where;
        private final int max;
        private final long age;
        private final VersionSpacing spacing;
        private final Twin twin;
        private final List<Long> everAnnounced = new ArrayList<>();
        private final Set<Long> served = new HashSet<>();
        private List<Version> versions = new ArrayList<>();
        private long pinned;
        private long policy;
        private long policies;
        private long now = START;

        Life(long seed) {
            random = new Random(seed);
            max = 1 + random.nextInt(random.nextBoolean() ? 8 : 40);
            age = 5_000L + random.nextInt(random.nextBoolean() ? 60_000 : 2_000_000);
            where = "seed %d, at most %d versions of %d ms".formatted(seed, max, age);
            spacing = new VersionSpacing(max, age);
            twin = new Twin(max, age);
        }

        private void step() {
            now += random.nextInt(4) == 0 ? random.nextInt(30_000) : 100 + random.nextInt(1_500);
            if (random.nextInt(6) == 0) {
                policy = random.nextInt(5) == 0 ? random.nextInt((int) policies + 1) : ++policies;
            }
            if (!versions.isEmpty() && random.nextInt(10) == 0) {
                pinned = random.nextInt(3) == 0 ? 0 : anyVersion();
            }
            if (!versions.isEmpty() && random.nextInt(4) == 0) {
                served.clear();
                for (int i = random.nextInt(4); i > 0; i--) {
                    served.add(anyVersion());
                }
            }
            if (versions.isEmpty() || random.nextInt(8) > 0) {
                announce();
            }
            List<Version> standing = versions.stream()
                    .map(version -> new Version(version.number(), version.policy(), isHeld(version)))
                    .toList();
            List<Long> excess = spacing.excess(standing, now);
            assertThat(excess).as(where).isEqualTo(twin.excess(standing, now));
            assertThat(excess).as(where).isEqualTo(spacing.excess(standing, now));
            check(standing, new HashSet<>(excess));
        }

        private long anyVersion() {
            return versions.get(random.nextInt(versions.size())).number();
        }

        private boolean isHeld(Version version) {
            return version.number() == pinned || served.contains(version.number());
        }

        private void announce() {
            long last = everAnnounced.isEmpty() ? 0 : everAnnounced.get(everAnnounced.size() - 1);
            Version next = new Version(Math.max(last + 1, now), policy, false);
            versions.add(next);
            everAnnounced.add(next.number());
        }

        private void check(List<Version> standing, Set<Long> excess) {
            Version announced = standing.get(standing.size() - 1);
            List<Version> kept = new ArrayList<>();
            for (Version version : standing) {
                if (!excess.contains(version.number())) {
                    kept.add(version);
                } else if (version.held() || version.equals(announced)) {
                    fail("%s: %s was dropped", where, version);
                }
            }
            long held = kept.stream().filter(Version::held).count();
            assertThat((long) kept.size()).as(where).isLessThanOrEqualTo(max + held);
            assertThat(spacing.excess(kept, now)).as(where).isEmpty();
            versions = kept;
        }

        /** What is gone and not past its age has a younger one near it. */
        private void checkPromise() {
            int next = 0;
            for (long gone : everAnnounced) {
                while (versions.get(next).number() < gone) {
                    next++;
                }
                if (now - gone <= age && spacing.rungs() > 0) {
                    double gap = (double) (now - gone + 1_000)
                            / (now - versions.get(next).number() + 1_000);
                    assertThat(gap).as("%s, version %d", where, gone).isLessThanOrEqualTo(spacing.gapMax() + 1e-9);
                }
            }
        }
    }

    @Test
    void itDecidesLikeItsTwinAndKeepsItsPromisesThroughManyRandomLives() {
        for (long seed = 1; seed <= LIVES; seed++) {
            Life life = new Life(seed);
            for (int step = 0; step < 80; step++) {
                life.step();
            }
            life.checkPromise();
        }
    }

    /** A clock that was a day ahead has left versions of the future. */
    @Test
    void aClockThatWasSetBackDoesNoHarm() {
        VersionSpacing spacing = new VersionSpacing(16, Duration.ofHours(1).toMillis());
        List<Version> versions = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            versions.add(new Version(START + Duration.ofDays(1).toMillis() + i, 0, false));
            List<Long> excess = spacing.excess(versions, START + 1_000L * i);
            versions.removeIf(version -> excess.contains(version.number()));
            assertThat(versions).hasSize(Math.min(16, i + 1));
        }
        assertThat(versions.get(15).number())
                .isEqualTo(START + Duration.ofDays(1).toMillis() + 199);
    }

    private static List<Version> announcedEachSecond(int versionsMax, Duration age, Duration life, Duration policies) {
        VersionSpacing spacing = new VersionSpacing(versionsMax, age.toMillis());
        List<Version> versions = new ArrayList<>();
        for (long second = 0; second <= life.toSeconds(); second++) {
            long now = START + 1_000 * second;
            versions.add(new Version(now, second / policies.toSeconds(), false));
            List<Long> excess = spacing.excess(versions, now);
            versions.removeIf(version -> excess.contains(version.number()));
        }
        return versions;
    }

    /** Among those of which some are gone. */
    private static double worstGap(List<Version> versions, Duration life) {
        long now = START + life.toMillis();
        double worst = 1;
        for (int i = 1; i <= versions.size() / 2; i++) {
            double older = now - versions.get(i - 1).number() + 1_000;
            worst = Math.max(worst, older / (now - versions.get(i).number() + 1_000));
        }
        return worst;
    }

    /** The figures that lab/results/layout.md gives: 64 versions, a week, one announcement a second, a policy every ten minutes. */
    @Test
    void theDefaultsReachBackAWeekWithGapsInProportionToAge() {
        Duration life = Duration.ofDays(8);
        List<Version> versions = announcedEachSecond(64, Duration.ofDays(7), life, Duration.ofMinutes(10));
        long now = START + life.toMillis();
        assertThat(versions).hasSize(64);
        for (int i = 0; i < 32; i++) {
            assertThat(versions.get(63 - i).number()).as("%d s ago", i).isEqualTo(now - 1_000L * i);
        }
        double worst = worstGap(versions, life);
        long beyondAnHour = versions.stream()
                .filter(version -> version.number() < now - Duration.ofHours(1).toMillis())
                .count();
        System.out.printf("versions: from one to the next at most %.2f times the age; seconds ago:", worst);
        versions.forEach(version -> System.out.printf(" %d", (now - version.number()) / 1_000));
        System.out.println();
        assertThat(worst).isLessThan(new VersionSpacing(64, Duration.ofDays(7).toMillis()).gapMax());
        assertThat(worst).isLessThan(2);
        assertThat(beyondAnHour).isGreaterThan(8);
        assertThat(now - versions.get(0).number())
                .isBetween(Duration.ofDays(7).toMillis() / 2, Duration.ofDays(7).toMillis());
    }

    @Test
    void theLastVersionsOfThePoliciesBeforeAreThereToTheSecond() {
        Duration life = Duration.ofHours(5);
        List<Version> versions = announcedEachSecond(64, Duration.ofDays(7), life, Duration.ofMinutes(10));
        long live = life.toSeconds() / 600;
        for (long back = 1; back <= 8; back++) {
            long lastOfPolicy = START + 1_000 * ((live - back + 1) * 600 - 1);
            assertThat(versions).extracting(Version::number).contains(lastOfPolicy);
        }
    }
}
