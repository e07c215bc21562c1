package io.tailrace.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.cli.snapshots.Deleted;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.LaneId;
import io.tailrace.suffix.draft.Mixer;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ActionFormsTest {
    private static final LaneId LANE = LaneId.parse("toy@1/acme");

    /** Of {@code name=value} pairs. */
    private static Action parse(String... parameters) {
        Map<String, String> given = new HashMap<>(Map.of("lane", LANE.toString()));
        for (String parameter : parameters) {
            String[] parts = parameter.split("=", 2);
            given.put(parts[0], parts[1]);
        }
        return ActionForms.parse(given::get);
    }

    @Test
    void versionsAreChosenAsTheFormSays() {
        assertThat(parse("action=pin", "version=7")).isEqualTo(new VersionAction(LANE, Command.PIN, 7));
        assertThat(parse("action=rollback", "version=7")).isEqualTo(new VersionAction(LANE, Command.ROLLBACK, 7));
        assertThat(parse("action=unpin")).isEqualTo(new VersionAction(LANE, Command.UNPIN, 0));
    }

    @Test
    void aProposalHasItsLimitsAndOnlyShippedWeightsAreSent() {
        Proposal live =
                (Proposal) parse("action=propose", "drafts=yes", "budget=8", "floor=0.25", "weights=live", "judge=yes");
        assertThat(live.force()).isFalse();
        assertThat(live.policy().getEnabled()).isTrue();
        assertThat(live.policy().getBudgetMax()).isEqualTo(8);
        assertThat(live.policy().getProbabilityFloor()).isEqualTo(0.25f);
        assertThat(live.policy().getWeights()).isEmpty();
        Proposal off =
                (Proposal) parse("action=propose", "drafts=no", "budget=16", "floor=0", "weights=shipped", "judge=no");
        assertThat(off.force()).isTrue();
        assertThat(off.policy().getEnabled()).isFalse();
        assertThat(off.policy().getWeights()).hasSize(Mixer.defaults().weights().length);
    }

    @Test
    void aDeleteReachesWhatItsFormSays() {
        assertThat(parse("action=delete", "reach=every model and revision"))
                .isEqualTo(new Forgetting(new Deleted("acme", null, null, null), LANE.toString()));
        assertThat(parse("action=delete", "reach=this lane's"))
                .isEqualTo(new Forgetting(new Deleted("acme", null, "toy", "1"), LANE.toString()));
        assertThat(parse("action=delete", "request=r1"))
                .isEqualTo(new Forgetting(new Deleted("acme", "r1", null, null), LANE.toString()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "action=",
                "action=destroy",
                "action=pin",
                "action=pin&version=-1",
                "action=pin&version=newest",
                "action=pin&version=7&lane=no lane",
                "action=propose&drafts=yes&budget=65&floor=0&weights=live&judge=yes",
                "action=propose&drafts=yes&budget=1&floor=2&weights=live&judge=yes",
                "action=propose&drafts=yes&budget=1&floor=x&weights=live&judge=yes",
                "action=propose&drafts=yes&budget=1&floor=0&weights=live",
                "action=delete&request= "
            })
    void whatIsNoActionIsRefused(String parameters) {
        assertThatThrownBy(() -> parse(parameters.split("&", -1))).isInstanceOf(RuntimeException.class);
    }

    /** Without saying how far it reaches, a delete of a scope is of the lane alone. */
    @Test
    void aDeleteWithoutItsReachIsTheSmallerOne() {
        assertThat(parse("action=delete"))
                .isEqualTo(new Forgetting(new Deleted("acme", null, "toy", "1"), LANE.toString()));
    }
}
