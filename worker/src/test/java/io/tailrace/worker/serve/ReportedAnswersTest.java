package io.tailrace.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.KafkaAccess;
import io.tailrace.client.ReportingOptions;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.report.Reporter;
import io.tailrace.client.verification.DecodeResult;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.ReportTopics;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.Topic;
import io.tailrace.worker.engine.Answer;
import io.tailrace.worker.engine.DecodeRequest;
import io.tailrace.worker.engine.TokenLogprob;
import io.tailrace.worker.sampling.SamplingParameters;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class ReportedAnswersTest {
    private static final int[] PROMPT = {11, 12, 13, 14, 15};
    private static final int[] ANSWER = {21, 22, 23};

    private final MockProducer<byte[], byte[]> kafka =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());

    @Test
    void aPromptIsReported() throws Exception {
        Generation generation = only(reported(true, request(true), Answer.FinishReason.STOP));
        assertThat(TokenIds.toArray(generation.getPrompt())).containsExactly(PROMPT);
    }

    @Test
    void whereNoneMayBeReportedTheAnswerIsAlone() throws Exception {
        Generation generation = only(reported(false, request(true), Answer.FinishReason.STOP));
        assertThat(generation.getPrompt()).isNull();
        assertThat(TokenIds.toArray(generation.getResponse())).containsExactly(ANSWER);
    }

    @Test
    void nothingIsReportedOfWhatIsNotRememberedOrWasCancelled() {
        assertThat(reported(true, request(false), Answer.FinishReason.STOP)).isEmpty();
        assertThat(reported(true, request(true), Answer.FinishReason.CANCELLED)).isEmpty();
    }

    private static DecodeRequest request(boolean remembered) {
        return new DecodeRequest("a", "acme", PROMPT, 3, SamplingParameters.GREEDY, List.of(), true, remembered);
    }

    private List<ProducerRecord<byte[], byte[]>> reported(
            boolean prompts, DecodeRequest request, Answer.FinishReason reason) {
        ReportingOptions reporting = new ReportingOptions(
                KafkaAccess.of("127.0.0.1:1"),
                Optional.empty(),
                Optional.empty(),
                Reporter.SPOOL_BYTES_MIN,
                prompts,
                Duration.ZERO);
        ServingWorkerOptions options = ServingWorkerOptions.alone(
                        "worker", TestWorker.SERVED, FollowOptions.of(URI.create("file:/store"), Path.of("cache")))
                .withReporting(reporting);
        DecodeResult decoded = new DecodeResult(ANSWER, new DecodeTally(), 0, 0);
        try (ReportedAnswers answers =
                new ReportedAnswers(options, Reporter.buffered(() -> kafka, new ReportTopics("", Optional.empty())))) {
            answers.before(new Caller()).finished(new Answer(request, reason, decoded, 1_000, 2_000, 0, 0, 0));
        }
        return kafka.history();
    }

    private static Generation only(List<ProducerRecord<byte[], byte[]>> records) throws Exception {
        List<Generation> generations = new ArrayList<>();
        for (ProducerRecord<byte[], byte[]> each : records) {
            if (each.topic().equals(Topic.GENERATIONS.name(""))) {
                generations.add(RecordCodec.GENERATION.decode(each.value()));
            }
        }
        assertThat(generations).hasSize(1);
        return generations.get(0);
    }

    private static final class Caller implements Answer.Sink {
        @Override
        public void tokens(int[] tokens, int count, String text, List<TokenLogprob> logprobs) {}

        @Override
        public void finished(Answer answer) {}

        @Override
        public void failed(Throwable cause) {}
    }
}
