package io.tailrace.operators.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.operators.JobEpoch;
import io.tailrace.operators.Samples;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.Epochs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobInfo;
import org.apache.flink.api.common.JobInfoImpl;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SingleJobTest {
    private static final int LIVES = 200;
    private static final int STEPS = 60;

    /** The topics, in memory: static, since the function is serialised on its way into the harness. */
    private static final List<ControlCommand> CONTROL = new CopyOnWriteArrayList<>();

    /** Of the versions announced; 0: there are none. */
    private static long announced;

    /** Of the topics; null: none. */
    private static String trouble;

    /** So many records are written, and it seems as if they were not. */
    private static int answersLost;

    private static final class InMemory implements Installation {
        private static final long serialVersionUID = 1L;

        @Override
        public List<ControlCommand> commands() {
            return List.copyOf(CONTROL);
        }

        @Override
        public void say(Control ofAJob) throws IOException {
            CONTROL.add(ControlCommand.of(ofAJob));
            if (answersLost-- > 0) {
                throw new IOException("the answer is lost");
            }
        }

        @Override
        public OptionalLong announced() {
            return announced == 0 ? OptionalLong.empty() : OptionalLong.of(announced);
        }
    }

    /** A job's one task of that kind: it starts, reads the topic from a place of its own, fails and starts again. */
    private static final class Job {
        private final JobInfo info;
        private ClaimName name = ClaimName.fresh("");
        private OneInputStreamOperatorTestHarness<ControlCommand, Void> harness;
        private OperatorSubtaskState checkpoint;
        private int read;
        private int readAtCheckpoint;
        private boolean ended;

        Job() {
            this(new JobID());
        }

        Job(JobID id) {
            this.info = new JobInfoImpl(id, "index");
        }

        /** What keeps its cluster running makes the job anew. */
        void makeAnew(String takeOver) {
            name = ClaimName.fresh(takeOver);
        }

        /** All its tasks have started, or not: it does not know. */
        void open(boolean startEmpty) throws Exception {
            MockEnvironment environment =
                    new MockEnvironmentBuilder().setJobID(info.getJobId()).build();
            harness = new OneInputStreamOperatorTestHarness<>(
                    new ProcessOperator<>(
                            new SingleJob(new InMemory(), () -> Optional.ofNullable(trouble), startEmpty, name)),
                    environment);
            harness.setup();
            harness.initializeState(checkpoint);
            read = readAtCheckpoint;
            harness.open();
        }

        void open() throws Exception {
            open(false);
        }

        /** Flink tries a checkpoint as soon as all tasks run. */
        void start(boolean startEmpty) throws Exception {
            open(startEmpty);
            tryCheckpoint();
        }

        void start() throws Exception {
            start(false);
        }

        OperatorSubtaskState tryCheckpoint() throws Exception {
            return harness.snapshot(1, 1);
        }

        OptionalLong epoch() {
            return Claims.epoch(name.of(info), CONTROL);
        }

        boolean tookOver() {
            return Claims.tookOver(name.of(info), CONTROL);
        }

        void checkpoint() throws Exception {
            checkpoint = tryCheckpoint();
            readAtCheckpoint = read;
        }

        void fail() throws Exception {
            harness.close();
            harness = null;
        }

        boolean runs() {
            return harness != null && !ended;
        }

        void read() throws Exception {
            harness.processElement(CONTROL.get(read), read);
            read++;
        }

        void readAll() throws Exception {
            while (read < CONTROL.size()) {
                read();
            }
        }
    }

    @BeforeEach
    void nothingYet() {
        CONTROL.clear();
        announced = 0;
        answersLost = 0;
        trouble = null;
    }

    @Test
    void aJobWhoseTopicsAreNotAsItNeedsThemWritesNothingUntilTheyAre() throws Exception {
        Job job = new Job();
        trouble = "there is no topic snapshots";
        assertThatThrownBy(job::open).isInstanceOf(IOException.class).hasMessage(trouble);
        assertThat(CONTROL).isEmpty();
        trouble = null;
        job.start();
        assertThat(job.tookOver()).isTrue();
    }

    @Test
    void aJobClaimsWhenItStartsAndTakesOverWhenAllItsTasksRun() throws Exception {
        Job job = new Job();
        job.open();
        assertThat(CONTROL).extracting(ControlCommand::command).containsExactly(Command.CLAIM);
        CONTROL.add(Samples.deleteScope("c1", "acme", 1));
        job.readAll();
        job.checkpoint();
        job.checkpoint();
        job.fail();
        job.start();
        job.readAll();
        assertThat(CONTROL)
                .extracting(ControlCommand::command)
                .containsExactly(Command.CLAIM, Command.DELETE_SCOPE, Command.TAKE_OVER);
    }

    @Test
    void aJobEndsForGoodWhenAnotherTakesOver() throws Exception {
        Job first = new Job();
        first.start();
        first.readAll();
        Job second = new Job();
        second.start();
        assertThatThrownBy(first::readAll)
                .isInstanceOf(SuppressRestartsException.class)
                .hasStackTraceContaining("another job took this installation over at ")
                .hasStackTraceContaining("--take-over");
        second.readAll();
        first.fail();
        assertThatThrownBy(first::open).isInstanceOf(SuppressRestartsException.class);
        second.fail();
        second.start();
        second.readAll();
    }

    /** Such as one whose state can never be restored: it starts and fails, and starts and fails. */
    @Test
    void aJobWhoseTasksNeverAllRunEndsNoOther() throws Exception {
        Job good = new Job();
        good.start();
        Job second = new Job();
        for (int attempt = 0; attempt < 3; attempt++) {
            second.open();
            second.readAll();
            second.fail();
        }
        good.readAll();
        good.fail();
        good.start();
        good.readAll();
        second.start();
        assertThatThrownBy(good::readAll).isInstanceOf(SuppressRestartsException.class);
    }

    /** Its state could be restored in the end, when a third job had long taken over. */
    @Test
    void aJobThatRunsAfterALaterOneHasTakenOverEndsNoOtherAndEndsItself() throws Exception {
        new Job().start();
        Job late = new Job();
        late.open();
        Job third = new Job();
        third.start();
        third.readAll();
        int before = CONTROL.size();
        late.tryCheckpoint();
        assertThat(CONTROL).hasSize(before);
        assertThatThrownBy(late::readAll).isInstanceOf(SuppressRestartsException.class);
        CONTROL.add(takeOver(late));
        third.readAll();
        third.fail();
        third.start();
    }

    /** The brokers took it, and their answer was lost. */
    @Test
    void aTakeOverThatSeemedToFailCountsFromThen() throws Exception {
        Job job = new Job();
        job.open();
        answersLost = 1;
        assertThatThrownBy(job::tryCheckpoint).hasStackTraceContaining("the answer is lost");
        Job other = new Job();
        other.start();
        job.tryCheckpoint();
        other.readAll();
        assertThatThrownBy(job::readAll).isInstanceOf(SuppressRestartsException.class);
    }

    private static ControlCommand takeOver(Job job) {
        return new ControlCommand(
                Claims.takeOverId(job.name.of(job.info)), Command.TAKE_OVER, null, null, null, 0, 0, 0, "somebody", 0);
    }

    /** Nothing may be written before: the connector would abort what the job before has open. */
    @Test
    void whatWaitsForTheTakeOverGoesOnWhenAllTasksRunAndNotBesideALaterJob() throws Exception {
        Job job = new Job();
        ClaimedEpoch claimed = new ClaimedEpoch(new InMemory(), job.name);
        job.open();
        ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);
        Callable<Void> waiting = () -> {
            claimed.awaitTakeOver(job.info);
            return null;
        };
        try {
            Future<Void> waits = threads.submit(waiting);
            assertThatThrownBy(() -> waits.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            job.tryCheckpoint();
            waits.get();
            new Job().start();
            assertThatThrownBy(() -> claimed.awaitTakeOver(job.info))
                    .hasMessageContaining("another job took this installation over");
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aJobThatWasSupersededTakesOverWithAWord() throws Exception {
        Job first = new Job();
        first.start();
        Job second = new Job();
        second.start();
        first.fail();
        first.makeAnew("again");
        first.start();
        first.readAll();
        assertThatThrownBy(second::readAll).isInstanceOf(SuppressRestartsException.class);
    }

    /** With high availability Flink makes a job's id of its cluster's name, and two clusters may have one. */
    @Test
    void ofTwoJobsWithOneIdInFlinkTheLaterOneTakesOver() throws Exception {
        JobID id = new JobID();
        Job first = new Job(id);
        Job second = new Job(id);
        first.start();
        second.open();
        first.readAll();
        assertThat(second.epoch().getAsLong()).isGreaterThan(first.epoch().getAsLong());
        assertThat(second.tookOver()).isFalse();
        second.tryCheckpoint();
        assertThatThrownBy(first::readAll).isInstanceOf(SuppressRestartsException.class);
        second.readAll();
        second.fail();
        second.start();
    }

    /** An upgrade: its cluster's name stays, and so does its id. */
    @Test
    void aJobThatIsMadeAnewClaimsAnew() throws Exception {
        Job job = new Job();
        job.start();
        job.fail();
        job.makeAnew("");
        job.start();
        job.readAll();
        assertThat(job.epoch()).hasValue(2);
    }

    @Test
    void aJobThatAnotherEndedTakesNothingBackWhenItsClusterMakesItAnew() throws Exception {
        Job first = new Job();
        first.start();
        Job second = new Job();
        second.start();
        first.fail();
        first.makeAnew("");
        int before = CONTROL.size();
        assertThatThrownBy(first::open)
                .isInstanceOf(SuppressRestartsException.class)
                .hasStackTraceContaining("--take-over");
        assertThat(CONTROL).hasSize(before);
        second.readAll();
        first.makeAnew("again");
        first.start();
        first.fail();
        first.makeAnew("");
        first.start();
        assertThatThrownBy(second::readAll).isInstanceOf(SuppressRestartsException.class);
    }

    @Test
    void aJobWithoutStateDoesNotStartBesideAnnouncedVersionsUnlessToldTo() throws Exception {
        announced = 41;
        Job job = new Job();
        assertThatThrownBy(job::open)
                .isInstanceOf(SuppressRestartsException.class)
                .hasStackTraceContaining("versions are announced, and this job starts without state")
                .hasStackTraceContaining("--start-empty");
        assertThat(CONTROL).isEmpty();
        Job told = new Job();
        told.start(true);
        told.checkpoint();
        told.fail();
        told.start();
        assertThat(told.epoch()).hasValue(42);
    }

    @Test
    void ofTwoJobsThatClaimAtTheSameTimeTheLaterOneHasTheHigherEpoch() throws Exception {
        announced = 41;
        Job first = new Job();
        Job second = new Job();
        first.start(true);
        second.start(true);
        assertThat(first.epoch()).hasValue(42);
        assertThat(second.epoch()).hasValue(43);
        assertThat(new Job().epoch()).isEmpty();
    }

    /** Readers refuse an epoch beyond the highest: a claim that asked for it would silence every job to come. */
    @Test
    void aClaimThatAsksForMoreThanOthersCouldFollowIsOneLikeAnother() throws Exception {
        for (long junk : new long[] {Long.MAX_VALUE, Epochs.MAX, NewestClaim.FLOOR_MAX + 1, -1, Long.MIN_VALUE}) {
            CONTROL.clear();
            CONTROL.add(claim("a", 41));
            CONTROL.add(claim("b", junk));
            announced = junk;
            Job job = new Job();
            job.start(true);
            assertThat(job.epoch()).as("after a claim of %d", junk).hasValue(43);
        }
        CONTROL.add(claim("c", NewestClaim.FLOOR_MAX));
        announced = 0;
        Job job = new Job();
        job.start(true);
        assertThat(job.epoch()).hasValue(NewestClaim.FLOOR_MAX + 1);
        Epochs.check(job.epoch().getAsLong());
    }

    private static ControlCommand claim(String id, long floor) {
        return new ControlCommand(id, Command.CLAIM, null, null, null, floor, 0, 0, "somebody", 0);
    }

    @Test
    void anEpochIsWaitedForUntilTheClaimIsMade() throws Exception {
        Job job = new Job();
        JobEpoch epochs = new ClaimedEpoch(new InMemory(), job.name);
        ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
        Callable<Void> start = () -> {
            job.start();
            return null;
        };
        Future<Void> claiming = later.schedule(start, 300, TimeUnit.MILLISECONDS);
        try {
            assertThat(epochs.of(job.info)).isEqualTo(1);
            claiming.get();
        } finally {
            later.shutdownNow();
        }
    }

    /** However jobs start, claim, read, fail and start again: once all have read everything, of those that took over the one that claimed last runs, and those that claimed after it. */
    @Test
    void whoClaimedLastRunsAlone() throws Exception {
        for (int seed = 0; seed < LIVES; seed++) {
            CONTROL.clear();
            Random random = new Random(seed);
            List<Job> jobs = new ArrayList<>();
            for (int step = 0; step < STEPS; step++) {
                if (jobs.isEmpty() || random.nextInt(20) == 0) {
                    Job job = new Job();
                    jobs.add(job);
                    attempt(job, job::open);
                }
                Job job = jobs.get(random.nextInt(jobs.size()));
                act(job, random.nextInt(6));
            }
            long last = jobs.stream()
                    .filter(Job::tookOver)
                    .mapToLong(job -> job.epoch().getAsLong())
                    .max()
                    .orElse(0);
            for (Job job : jobs) {
                if (!job.ended && !job.runs()) {
                    attempt(job, job::open);
                }
                if (job.runs()) {
                    attempt(job, job::readAll);
                }
                assertThat(job.epoch().isEmpty() || job.epoch().getAsLong() <= CONTROL.size())
                        .isTrue();
                assertThat(job.runs())
                        .as("seed %d, %d jobs", seed, jobs.size())
                        .isEqualTo(job.epoch().getAsLong() >= last);
            }
        }
    }

    private interface Act {
        void run() throws Exception;
    }

    private static void act(Job job, int what) throws Exception {
        if (job.ended) {
            return;
        }
        if (!job.runs()) {
            attempt(job, job::open);
        } else if (what == 0) {
            job.fail();
        } else if (what == 1) {
            job.checkpoint();
        } else if (what == 2) {
            job.tryCheckpoint();
        } else if (job.read < CONTROL.size()) {
            attempt(job, job::read);
        }
    }

    private static void attempt(Job job, Act act) throws Exception {
        try {
            act.run();
        } catch (SuppressRestartsException e) {
            job.ended = true;
        }
    }
}
