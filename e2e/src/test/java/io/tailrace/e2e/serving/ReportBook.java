package io.tailrace.e2e.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.e2e.loop.TopicReader;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.worker.engine.AnswerText;
import io.tailrace.worker.model.TextTokenizer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecord;

/**
 * What Kafka has, held against what clients were told. A record may be there twice (a worker or broker that was killed between
 * sending and noting it), but then both copies are the same.
 */
final class ReportBook {
    private final TextTokenizer tokenizer;
    private final Map<String, List<Generation>> generations;
    private final Map<String, List<Outcome>> outcomes;

    private ReportBook(
            TextTokenizer tokenizer, Map<String, List<Generation>> generations, Map<String, List<Outcome>> outcomes) {
        this.tokenizer = tokenizer;
        this.generations = generations;
        this.outcomes = outcomes;
    }

    static ReportBook read(String bootstrap, TextTokenizer tokenizer) throws UndecodableRecordException {
        TopicReader topics = new TopicReader(bootstrap);
        return new ReportBook(
                tokenizer,
                byId(topics.read(Topic.GENERATIONS, RecordCodec.GENERATION), Generation::getRequestId),
                byId(topics.read(Topic.OUTCOMES, RecordCodec.OUTCOME), Outcome::getRequestId));
    }

    private static <T extends SpecificRecord> Map<String, List<T>> byId(List<T> records, Function<T, String> id) {
        return records.stream().collect(Collectors.groupingBy(id));
    }

    /** Every answer is there, as its client got it, with its outcome. */
    void requireAll(Collection<Told> answers) {
        assertThat(generations.keySet())
                .containsAll(answers.stream().map(Told::id).toList());
        assertThat(outcomes.keySet()).containsAll(answers.stream().map(Told::id).toList());
        answers.forEach(this::requireSame);
    }

    /** Records of these answers that are not there. */
    long missing(Collection<Told> answers) {
        return answers.stream()
                .mapToInt(told ->
                        (generations.containsKey(told.id()) ? 0 : 1) + (outcomes.containsKey(told.id()) ? 0 : 1))
                .sum();
    }

    /** Copies beyond the first. */
    long repeats() {
        return generations.values().stream()
                        .mapToLong(copies -> copies.size() - 1L)
                        .sum()
                + outcomes.values().stream()
                        .mapToLong(copies -> copies.size() - 1L)
                        .sum();
    }

    private void requireSame(Told told) {
        assertThat(generations.get(told.id()).stream().distinct()).hasSize(1);
        assertThat(outcomes.get(told.id()).stream().distinct()).hasSize(1);
        Generation generation = generations.get(told.id()).get(0);
        Outcome outcome = outcomes.get(told.id()).get(0);
        assertThat(generation.getResponse()).hasSize(told.tokens());
        assertThat(text(generation)).isEqualTo(told.text());
        assertThat(outcome.getResponseTokens()).isEqualTo(told.tokens());
        if (told.steps() >= 0) {
            assertThat(outcome.getSteps()).isEqualTo(told.steps());
        }
    }

    private String text(Generation generation) {
        int[] prompt = generation.getPrompt() == null ? new int[0] : TokenIds.toArray(generation.getPrompt());
        AnswerText text = new AnswerText(tokenizer.stream(prompt), List.of());
        StringBuilder all = new StringBuilder();
        generation.getResponse().forEach(token -> all.append(text.append(token)));
        return all.append(text.finish()).toString();
    }
}
