package io.tailrace.jobs.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // an interrupted close fails the test, as it should
class LeavingCommitterTest {
    /** What a committer said of a transaction, in one word. */
    private static final class Request implements Committer.CommitRequest<KafkaCommittable> {
        private final List<String> said = new ArrayList<>();

        @Override
        public KafkaCommittable getCommittable() {
            return new KafkaCommittable(1, (short) 2, "tailrace-index-snapshots-0-7", null);
        }

        @Override
        public int getNumberOfRetries() {
            return 3;
        }

        @Override
        public void signalFailedWithKnownReason(Throwable failure) {
            said.add("known");
        }

        @Override
        public void signalFailedWithUnknownReason(Throwable failure) {
            said.add("unknown");
        }

        @Override
        public void retryLater() {
            said.add("later");
        }

        @Override
        public void updateAndRetryLater(KafkaCommittable committable) {
            said.add("changed");
        }

        @Override
        public void signalAlreadyCommitted() {
            said.add("committed");
        }
    }

    /** What Flink's committer does with a request. */
    private interface Act {
        void on(Committer.CommitRequest<KafkaCommittable> request);
    }

    private static List<String> said(Act act) throws Exception {
        Request request = new Request();
        boolean[] closed = new boolean[1];
        try (LeavingCommitter committer = new LeavingCommitter(new Committer<>() {
            @Override
            public void commit(Collection<CommitRequest<KafkaCommittable>> requests) {
                requests.forEach(act::on);
            }

            @Override
            public void close() {
                closed[0] = true;
            }
        })) {
            committer.commit(List.of(request));
        }
        assertThat(closed[0]).isTrue();
        return request.said;
    }

    @Test
    void aTransactionThatTheBrokersDoNotKnowIsLeft() throws Exception {
        InvalidPidMappingException unknown = new InvalidPidMappingException("no such transactional id");
        assertThat(said(request -> request.signalFailedWithUnknownReason(unknown)))
                .containsExactly("known");
        assertThat(said(request -> request.signalFailedWithUnknownReason(new KafkaException("wrapped", unknown))))
                .containsExactly("known");
    }

    @Test
    void anyOtherFailureAndWhateverElseIsSaidStaysAsItIs() throws Exception {
        assertThat(said(request ->
                        request.signalFailedWithUnknownReason(new TransactionalIdAuthorizationException("no right"))))
                .containsExactly("unknown");
        assertThat(said(request -> {
                    request.signalFailedWithKnownReason(new KafkaException("fenced"));
                    request.retryLater();
                    request.updateAndRetryLater(request.getCommittable());
                    request.signalAlreadyCommitted();
                    assertThat(request.getNumberOfRetries()).isEqualTo(3);
                }))
                .containsExactly("known", "later", "changed", "committed");
    }
}
