package io.tailrace.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServingWorkerOptionsTest {
    private static final FollowOptions FOLLOW = FollowOptions.of(URI.create("file:///store"), Path.of("cache"));

    private static ServingWorkerOptions drafting(String strategy) {
        return ServingWorkerOptions.alone("worker", new ServedModel("model", "1", 2_048, "tokenizer"), FOLLOW)
                .withDrafts(new DraftOptions(strategy, true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "prompt-lookup", "token-recycling", "draft-model:dir=folder"})
    void whereNothingDraftsFromAnswersNoneAreKept(String strategy) {
        assertThat(drafting(strategy).follow().freshTokensMax()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"adaptive", "adaptive:candidates=8", "suffix-decoding"})
    void elseAsManyAsWasAsked(String strategy) {
        assertThat(drafting(strategy).follow()).isEqualTo(FOLLOW);
    }

    @Test
    void anotherStrategyBringsThemBack() {
        ServingWorkerOptions options = drafting("none").withDrafts(DraftOptions.defaults());
        assertThat(options.follow()).isEqualTo(FOLLOW);
    }
}
