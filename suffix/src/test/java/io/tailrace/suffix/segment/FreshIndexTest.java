package io.tailrace.suffix.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.NearestOracle;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.testkit.Cases;
import io.tailrace.testkit.NaiveIndex;
import io.tailrace.testkit.RandomDocuments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class FreshIndexTest {
    @Test
    void generationsAreFoundTheMomentTheyAreAdded() {
        Cases.forEachSeed(150, seed -> {
            Random random = new Random(seed);
            RandomDocuments documents = new RandomDocuments(seed, 1 + random.nextInt(30), 100_000);
            FreshIndex fresh = new FreshIndex(1 << 20);
            NaiveIndex naive = new NaiveIndex();
            List<int[]> tokens = documents.documents(30, 60);
            int tailMax = random.nextInt(5);
            for (int[] generation : tokens) {
                RememberedAnswer answer = Generations.answer(generation, tailMax, random);
                fresh.add(answer, naive.documents().size());
                naive.add(answer.promptTail(), answer.tokens());
                NearestOracle.check(fresh, naive, documents.context(tokens), 1 + random.nextInt(16));
            }
            assertThat(fresh.tokens()).isEqualTo(naive.tokens());
        });
    }

    @Test
    void droppedGenerationsAreNotFoundAgain() {
        Cases.forEachSeed(150, seed -> {
            Random random = new Random(seed);
            RandomDocuments documents = new RandomDocuments(seed, 1 + random.nextInt(8), 100);
            FreshIndex fresh = new FreshIndex(1 << 20);
            List<int[]> tokens = documents.documents(20, 40);
            List<RememberedAnswer> answers = new ArrayList<>();
            List<Long> times = new ArrayList<>();
            int tailMax = random.nextInt(5);
            for (int[] generation : tokens) {
                times.add((long) random.nextInt(50));
                answers.add(Generations.answer(generation, tailMax, random));
                fresh.add(answers.get(answers.size() - 1), times.get(times.size() - 1));
            }
            long cap = random.nextInt(80);
            fresh.capCompleted(cap);
            times.replaceAll(time -> Math.min(time, cap));
            long until = random.nextInt(50);
            fresh.dropCompletedUntil(until);
            NaiveIndex rest = new NaiveIndex();
            for (int i = 0; i < times.size(); i++) {
                if (times.get(i) > until) {
                    rest.add(answers.get(i).promptTail(), answers.get(i).tokens());
                } else {
                    answers.set(i, null);
                }
            }
            assertThat(fresh.tokens()).isEqualTo(rest.tokens());
            answers.removeIf(answer -> answer == null || answer.tokens().length == 0);
            assertThat(fresh.answers()).isEqualTo(answers);
            assertThat(told(fresh.answers())).as("of prompts").isEqualTo(told(answers));
            NearestOracle.check(fresh, rest, documents.context(tokens), 10);
        });
    }

    /** What equal answers may differ in. */
    private static List<List<Object>> told(List<RememberedAnswer> answers) {
        return answers.stream()
                .map(answer -> Arrays.<Object>asList(answer.signature(), answer.copied()))
                .toList();
    }

    @Test
    void oldestGenerationsGoWhenTheLimitIsPassed() {
        Random random = new Random(7);
        FreshIndex fresh = new FreshIndex(1000);
        for (int i = 0; i < 500; i++) {
            int[] generation = random.ints(1 + random.nextInt(60), 0, 1000).toArray();
            generation[generation.length - 1] = 5000 + i;
            int[] goingOn = Arrays.copyOf(generation, generation.length + 1);
            fresh.add(goingOn, i);
            assertThat(fresh.tokens()).isLessThanOrEqualTo(1000);
            Occurrences found = new Occurrences();
            assertThat(fresh.nearest(new int[] {5000 + i}, 1, 1, 0, found)).isEqualTo(1);
        }
        assertThat(fresh.tokens()).isGreaterThan(700);
        assertThat(fresh.nearest(new int[] {5000}, 1, 1, 0, new Occurrences())).isZero();
    }

    @Test
    void generationsLongerThanTheLimitAreNotKept() {
        FreshIndex fresh = new FreshIndex(3);
        fresh.add(new int[] {1, 2, 3, 4}, 1);
        fresh.add(new int[] {1, 2, 3}, 2);
        assertThat(fresh.tokens()).isEqualTo(3);
    }

    @Test
    void readersSearchWhileGenerationsAreAddedAndDropped() throws Exception {
        FreshIndex fresh = new FreshIndex(20_000);
        AtomicBoolean done = new AtomicBoolean();
        AtomicReference<Throwable> broken = new AtomicReference<>();
        Thread reader = new Thread(() -> {
            Occurrences found = new Occurrences();
            Random random = new Random(1);
            while (!done.get()) {
                found.clear();
                int[] context = {random.nextInt(50), random.nextInt(50)};
                fresh.nearest(context, 2, 16, 0, found);
                for (int i = 0; i < found.size(); i++) {
                    if (found.text(i).token(found.position(i)) != context[1]) {
                        done.set(true);
                        broken.set(new AssertionError("torn read"));
                    }
                }
            }
        });
        reader.setUncaughtExceptionHandler((thread, error) -> broken.set(error));
        reader.start();
        Random random = new Random(2);
        for (int i = 0; i < 2000 && !done.get(); i++) {
            fresh.add(random.ints(50, 0, 50).toArray(), i);
            if (i % 300 == 0) {
                fresh.dropCompletedUntil(i - 100L);
            }
        }
        done.set(true);
        reader.join();
        assertThat(broken.get()).isNull();
    }
}
