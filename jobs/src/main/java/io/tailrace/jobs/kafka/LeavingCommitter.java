package io.tailrace.jobs.kafka;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits as another does, but goes on where the brokers know nothing of a transaction. Nothing of it is there then to commit, and never will be. Lanes are announced
 * anew after a restore, and events tell their accounts anew; rejections of the transaction's moment are lost to this topic.
 */
@SuppressWarnings("try") // closing may be interrupted, as Flink's interface says
final class LeavingCommitter implements Committer<KafkaCommittable> {
    private static final Logger LOG = LoggerFactory.getLogger(LeavingCommitter.class);

    private final Committer<KafkaCommittable> committer;

    LeavingCommitter(Committer<KafkaCommittable> committer) {
        this.committer = committer;
    }

    @Override
    public void commit(Collection<CommitRequest<KafkaCommittable>> requests) throws IOException, InterruptedException {
        List<CommitRequest<KafkaCommittable>> leaving =
                requests.stream().map(Leaving::new).collect(Collectors.toList());
        committer.commit(leaving);
    }

    @Override
    public void close() throws Exception {
        committer.close();
    }

    private static boolean isUnknown(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InvalidPidMappingException) {
                return true;
            }
        }
        return false;
    }

    /** A request that is given up where its transaction is unknown. */
    private record Leaving(CommitRequest<KafkaCommittable> request) implements CommitRequest<KafkaCommittable> {
        @Override
        public KafkaCommittable getCommittable() {
            return request.getCommittable();
        }

        @Override
        public int getNumberOfRetries() {
            return request.getNumberOfRetries();
        }

        @Override
        public void signalFailedWithKnownReason(Throwable failure) {
            request.signalFailedWithKnownReason(failure);
        }

        @Override
        public void signalFailedWithUnknownReason(Throwable failure) {
            if (isUnknown(failure)) {
                LOG.warn(
                        "the brokers know nothing of transaction {}: it is of another Kafka, or too old, and is left",
                        getCommittable().getTransactionalId());
                request.signalFailedWithKnownReason(failure);
            } else {
                request.signalFailedWithUnknownReason(failure);
            }
        }

        @Override
        public void retryLater() {
            request.retryLater();
        }

        @Override
        public void updateAndRetryLater(KafkaCommittable committable) {
            request.updateAndRetryLater(committable);
        }

        @Override
        public void signalAlreadyCommitted() {
            request.signalAlreadyCommitted();
        }
    }
}
