package io.tailrace.lab.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.lab.recorded.RecordedRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class SyntheticTrafficTest {
    private static final int REQUESTS = 2000;

    @Test
    void sameSeedGivesTheSameRequests() {
        assertThat(describe(all(7))).isEqualTo(describe(all(7)));
    }

    @Test
    void anotherSeedGivesOtherRequests() {
        assertThat(describe(all(7))).isNotEqualTo(describe(all(8)));
    }

    @Test
    void everyIdIsWithinTheVocabularyAndEveryResponseEndsItsTurn() {
        for (RecordedRequest request : all(1)) {
            assertThat(request.prompt()).isNotEmpty();
            assertThat(Arrays.stream(request.prompt()).allMatch(SyntheticTrafficTest::known))
                    .isTrue();
            assertThat(Arrays.stream(request.response()).allMatch(SyntheticTrafficTest::known))
                    .isTrue();
            assertThat(request.response()[request.response().length - 1]).isEqualTo(SyntheticTraffic.END_OF_TURN);
        }
    }

    @Test
    void everyWorkloadAndEveryTenantTakesPart() {
        List<RecordedRequest> requests = all(1);
        assertThat(requests.stream().map(RecordedRequest::workload).collect(Collectors.toSet()))
                .containsExactlyInAnyOrder("text-to-sql", "json-extraction", "code-edits", "open-chat");
        assertThat(requests.stream().map(RecordedRequest::scope).collect(Collectors.toSet()))
                .containsExactlyInAnyOrder("acme", "borealis", "cumulus");
    }

    @Test
    void acmeShiftsFromChatToTextToSqlInTheMiddle() {
        List<RecordedRequest> requests = all(1);
        assertThat(shareOfSql(requests.subList(0, REQUESTS / 2))).isZero();
        assertThat(shareOfSql(requests.subList(REQUESTS / 2, REQUESTS))).isGreaterThan(0.8);
    }

    @Test
    void aLaterTurnsPromptContinuesAnEarlierTurn() {
        Set<String> ids = new HashSet<>();
        Set<Integer> turnHashes = new HashSet<>();
        int continued = 0;
        for (RecordedRequest request : all(1)) {
            continued += continuesOneOf(turnHashes, request.prompt()) ? 1 : 0;
            assertThat(request.parent() == null || ids.contains(request.parent()))
                    .isTrue();
            ids.add(request.id());
            turnHashes.add(hash(hash(1, request.prompt()), request.response()));
        }
        assertThat(continued).isGreaterThan(REQUESTS / 4);
    }

    @Test
    void someAnswersRepeatAndMostDoNot() {
        Set<List<Integer>> seen = new HashSet<>();
        long repeats =
                all(1).stream().filter(r -> !seen.add(boxed(r.response()))).count();
        assertThat(repeats).isBetween(REQUESTS / 20L, REQUESTS / 2L);
    }

    @Test
    void nothingComesAfterTheLastRequest() {
        assertThatThrownBy(() -> new SyntheticTraffic(1, 0).next()).isInstanceOf(NoSuchElementException.class);
    }

    private static List<RecordedRequest> all(long seed) {
        List<RecordedRequest> requests = new ArrayList<>();
        new SyntheticTraffic(seed, REQUESTS).forEachRemaining(requests::add);
        return requests;
    }

    private static String describe(List<RecordedRequest> requests) {
        return requests.stream()
                .map(r ->
                        r.id() + r.scope() + SyntheticTraffic.words(r.prompt()) + SyntheticTraffic.words(r.response()))
                .collect(Collectors.joining("\n"));
    }

    private static double shareOfSql(List<RecordedRequest> requests) {
        List<RecordedRequest> acme =
                requests.stream().filter(r -> r.scope().equals("acme")).toList();
        return acme.stream().filter(r -> r.workload().equals("text-to-sql")).count() / (double) acme.size();
    }

    private static boolean known(int id) {
        return id >= 0 && id < SyntheticTraffic.VOCABULARY_SIZE;
    }

    /** Whether the prompt begins with a whole earlier turn. */
    private static boolean continuesOneOf(Set<Integer> turnHashes, int[] prompt) {
        int hash = 1;
        for (int id : prompt) {
            hash = 31 * hash + id;
            if (id == SyntheticTraffic.END_OF_TURN && turnHashes.contains(hash)) {
                return true;
            }
        }
        return false;
    }

    private static int hash(int begin, int[] ids) {
        int hash = begin;
        for (int id : ids) {
            hash = 31 * hash + id;
        }
        return hash;
    }

    private static List<Integer> boxed(int[] ids) {
        return Arrays.stream(ids).boxed().toList();
    }
}
