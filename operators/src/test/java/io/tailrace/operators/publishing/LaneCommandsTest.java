package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.LANE;
import static io.tailrace.operators.Samples.deleteRequest;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.RawRecord;
import io.tailrace.operators.Samples;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.learning.LaneLearning;
import io.tailrace.operators.learning.LanePolicy;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.RecordCodec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A lane hears all of topic control again, as where a job moves to another Kafka: what it has obeyed it does not obey again, however long ago. */
final class LaneCommandsTest {
    private static final long START = 1_700_000_000_000L;
    /** More than are remembered by their ids. */
    private static final int MANY = AppliedCommands.LAST_MAX + 1;

    private final PublishingOptions options = PublishingOptions.defaults();
    private final Lane lane = new Lane(Lane.State.begin(LANE), options, LaneLearning.Options.defaults());
    private final List<ControlCommand> topic = new ArrayList<>();
    private long now = START;

    private ControlCommand command(String id, Command command, long version) {
        LanePolicy policy = command == Command.PROPOSE_POLICY ? LanePolicy.defaults() : null;
        return new ControlCommand(
                id, command, "toy", "1", "acme", version, 0, 0, "operator", now, policy, policy != null);
    }

    private void give(ControlCommand command) {
        topic.add(command);
        hear(command);
        now++;
    }

    private void hear(ControlCommand command) {
        lane.apply(new LaneInput.Commanded(command), now);
    }

    private void announce() {
        now += 1_000;
        lane.cadence().makeDue(AnnouncementCause.CADENCE);
        assertThat(lane.announce(now, Samples.MODELS.identity(LANE), 1)).isPresent();
    }

    private void rereadChangesNothing() {
        Lane.State before = lane.state();
        List.copyOf(topic).forEach(this::hear);
        assertThat(lane.state())
                .usingRecursiveComparison()
                .ignoringFields("commands.deletes.forgottenTo") // a delete that is known is remembered as the last
                .isEqualTo(before);
    }

    @Test
    void afterAnyNumberOfDeletesAForcedPolicyAndDeletesThatAreForgottenAreNotAppliedAgain() {
        announce();
        give(command("forced", Command.PROPOSE_POLICY, 0));
        for (int i = 0; i < MANY; i++) {
            give(deleteRequest("d" + i, "acme", "r" + i, now));
        }
        rereadChangesNothing();
        now += options.tombstoneMillis() + MANY;
        announce();
        assertThat(lane.deletes().tombstones()).isEmpty();
        lane.adopt(LanePolicy.defaults().withNumber(2));
        rereadChangesNothing();

        long seen = lane.deletes().seen();
        hear(deleteRequest("new", "acme", "r0", now));
        assertThat(lane.deletes().seen()).isEqualTo(seen + 1);
    }

    @Test
    void afterAnyNumberOfChoicesAnOldOneIsNotObeyedAgain() {
        announce();
        give(command("forced", Command.PROPOSE_POLICY, 0));
        give(command("unpin", Command.UNPIN, 0));
        for (int i = 0; i < MANY; i++) {
            give(command("pin" + i, Command.PIN, lane.versions().last()));
        }
        lane.adopt(LanePolicy.defaults().withNumber(2));
        rereadChangesNothing();
        assertThat(lane.versions().announced().orElseThrow().pinned()).isTrue();
        give(command("unpin again", Command.UNPIN, 0));
        assertThat(lane.versions().announced().orElseThrow().pinned()).isFalse();
    }

    /** It would be the newest until then, and every later one seem to be forgotten. */
    @Test
    void aPinByAClockThatIsYearsAheadSilencesNoneThatComeAfterManyOthers() throws Exception {
        announce();
        Control control = Control.newBuilder()
                .setCommandId("ahead")
                .setCommand(Command.PIN)
                .setScope("acme")
                .setVersion(lane.versions().last())
                .setIssuer("operator")
                .setIssuedAt(Instant.ofEpochMilli(now).plus(Duration.ofDays(3_000)))
                .build();
        give(ControlCommand.decode(new RawRecord("control", 0, 0, now, RecordCodec.CONTROL.encode(control))));
        for (int i = 0; i < MANY; i++) {
            give(command("pin" + i, Command.PIN, lane.versions().last()));
        }
        give(command("unpin", Command.UNPIN, 0));
        assertThat(lane.versions().announced().orElseThrow().pinned()).isFalse();
    }

    /** Its clock is behind: a delete is never left undone because others were given meanwhile. */
    @Test
    void aDeleteThatWasIssuedBeforeManyOthersAndComesAfterThemIsTakenUp() {
        announce();
        long issuedAt = now - Duration.ofHours(1).toMillis();
        for (int i = 0; i < MANY; i++) {
            give(deleteRequest("d" + i, "acme", "r" + i, now));
        }
        hear(deleteRequest("late", "acme", "r", issuedAt));
        assertThat(lane.deletes().seen()).isEqualTo(MANY + 1);
    }
}
