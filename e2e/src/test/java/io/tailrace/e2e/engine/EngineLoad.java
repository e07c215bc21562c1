package io.tailrace.e2e.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.lab.engine.EngineFleet;
import io.tailrace.lab.engine.EngineFleet.Replica;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/**
 * Clients that ask one question after the other, of each engine in turn, until they are told to stop. A request that fails ends it all, but for an
 * engine that is known to be away: the next engine is asked then, as a gateway does.
 */
final class EngineLoad implements AutoCloseable {
    /** Half of them ask the one engine, half the other. */
    static final int CLIENTS = 8;

    private static final Duration ANSWERED_MAX = Duration.ofMinutes(2);

    private final List<Replica> engines;
    private final Map<Question, List<Integer>> truth;
    private final List<Question> questions;
    private final Queue<Answered> answered = new ConcurrentLinkedQueue<>();
    private final Set<String> away = ConcurrentHashMap.newKeySet();
    private final AtomicInteger askedAgain = new AtomicInteger();
    private final ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    private final List<Future<?>> asking = new ArrayList<>();
    private volatile boolean stopped;

    /** Begins to ask questions whose answers are known. */
    EngineLoad(EngineFleet fleet, Map<Question, List<Integer>> truth, long seed) {
        this.engines = fleet.replicas();
        this.truth = truth;
        this.questions = List.copyOf(truth.keySet());
        for (int client = 0; client < CLIENTS; client++) {
            int number = client;
            asking.add(threads.submit(() -> askOn(number, new Random(seed + number))));
        }
    }

    /** From now on requests to this engine may fail. */
    void away(String engine) {
        away.add(engine);
    }

    /** From now on they may not. */
    void back(String engine) {
        away.remove(engine);
    }

    /** Waits until so many more answers have come of each engine that is not away. */
    void awaitMore(int answers) {
        for (Replica engine : engines) {
            if (!away.contains(engine.name())) {
                long enough = count(engine.name()) + answers;
                Awaitility.await(answers + " answers of " + engine.name())
                        .atMost(ANSWERED_MAX)
                        .failFast(this::requireAsking)
                        .until(() -> count(engine.name()) >= enough);
            }
        }
    }

    /** Goes on for so long. */
    void awaitTime(Duration time) {
        long until = System.nanoTime() + time.toNanos();
        Awaitility.await("time to pass")
                .atMost(time.plus(ANSWERED_MAX))
                .failFast(this::requireAsking)
                .until(() -> System.nanoTime() - until >= 0);
    }

    /** Requests that broke with an engine that was away. */
    int askedAgain() {
        return askedAgain.get();
    }

    /** Every answer; none is missing and none differs. */
    List<Answered> stop() throws InterruptedException, ExecutionException {
        stopped = true;
        for (Future<?> client : asking) {
            client.get();
        }
        assertThat(answered).noneMatch(Answered::differs);
        return new ArrayList<>(answered);
    }

    private long count(String engine) {
        return answered.stream().filter(each -> each.engine().equals(engine)).count();
    }

    private void requireAsking() throws InterruptedException, ExecutionException {
        for (Future<?> client : asking) {
            if (client.isDone()) {
                client.get();
            }
        }
    }

    private Void askOn(int firstEngine, Random random) throws IOException, InterruptedException {
        for (int turn = firstEngine; !stopped; turn++) {
            Question question = questions.get(random.nextInt(questions.size()));
            while (!isAnswered(engines.get(turn % engines.size()), question)) {
                turn++;
            }
        }
        return null;
    }

    private boolean isAnswered(Replica replica, Question question) throws IOException, InterruptedException {
        try {
            answered.add(ask(replica, question, truth.get(question)));
            return true;
        } catch (IOException e) {
            if (!away.contains(replica.name())) {
                throw e;
            }
            askedAgain.incrementAndGet();
            return false;
        }
    }

    /** Asks one question. */
    static Answered ask(Replica replica, Question question, List<Integer> truth)
            throws IOException, InterruptedException {
        return new Answered(
                replica.name(),
                question,
                replica.engine().complete(question.prompt(), question.tokens()),
                truth,
                System.nanoTime());
    }

    @Override
    public void close() {
        stopped = true;
        threads.shutdown();
    }
}
