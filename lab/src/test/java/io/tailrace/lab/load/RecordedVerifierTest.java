package io.tailrace.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.client.verification.Verdict;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RecordedVerifierTest {
    private final Verdict verdict = new Verdict();

    @Test
    void acceptsThePathThatSpellsTheAnswerAndAddsTheBonusToken() {
        RecordedVerifier session = session(1, 2, 3, 4);
        session.verify(
                new FakeDraft().node(-1, 9).node(-1, 1).node(0, 2).node(1, 2).node(3, 8), verdict);
        assertThat(emitted()).containsExactly(1, 2, 3);
        assertThat(verdict.accepted()).isEqualTo(2);
        assertThat(verdict.acceptedNode(0)).isEqualTo(1);
        assertThat(verdict.acceptedNode(1)).isEqualTo(3);
        assertThat(verdict.finished()).isFalse();
    }

    @Test
    void emptyDraftGivesTheModelsOwnToken() {
        RecordedVerifier session = session(1, 2);
        session.verify(new FakeDraft(), verdict);
        assertThat(emitted()).containsExactly(1);
        assertThat(verdict.verifiedTokens()).isEqualTo(1);
        assertThat(verdict.micros()).isEqualTo(1_010);
    }

    @Test
    void draftThatReachesTheEndFinishesWithoutABonusToken() {
        RecordedVerifier session = session(1, 2);
        session.verify(new FakeDraft().node(-1, 1).node(0, 2).node(1, 3), verdict);
        assertThat(emitted()).containsExactly(1, 2);
        assertThat(verdict.finished()).isTrue();
    }

    @Test
    void finishedRequestIsNotVerifiedOnceMore() {
        RecordedVerifier session = session(1);
        session.verify(new FakeDraft(), verdict);
        assertThatThrownBy(() -> session.verify(new FakeDraft(), verdict)).isInstanceOf(IllegalStateException.class);
    }

    private int[] emitted() {
        return Arrays.copyOf(verdict.tokens(), verdict.length());
    }

    private static RecordedVerifier session(int... answer) {
        return new RecordedVerifier(new RecordedVerifier.StepTime(1_000, 10), answer);
    }
}
