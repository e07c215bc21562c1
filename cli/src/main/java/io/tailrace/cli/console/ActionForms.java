package io.tailrace.cli.console;

import io.tailrace.cli.console.Page.Field;
import io.tailrace.cli.console.Page.Form;
import io.tailrace.cli.console.Page.Section;
import io.tailrace.cli.fleet.GenerationTrace;
import io.tailrace.cli.fleet.LaneView;
import io.tailrace.cli.snapshots.Deleted;
import io.tailrace.cli.snapshots.ProposedPolicy;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.Policy;
import io.tailrace.suffix.draft.Mixer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/** The forms that lead to actions' previews, and what they send. */
final class ActionForms {
    private static final String PREVIEW = "Preview";
    private static final String YES = "yes";
    private static final String NO = "no";
    private static final String SHIPPED = "shipped";
    private static final String EVERY = "every model and revision";

    private ActionForms() {}

    /** What may be done to a lane; nothing where no version of it is there. */
    static List<Section> ofLane(LaneView lane) {
        if (lane == null || lane.newest() == null) {
            return List.of();
        }
        List<String> versions =
                lane.versions().descendingKeySet().stream().map(String::valueOf).toList();
        Policy live = lane.newest().getPolicy();
        return List.of(
                section(
                        "Pin",
                        "Holds the workers at a version.",
                        "pin",
                        lane,
                        Field.choice("Version", "version", versions, versions.get(0))),
                section("Unpin", "Lets the workers follow the newest version.", "unpin", lane),
                section(
                        "Roll back",
                        "Goes back for good: what was indexed since is dropped.",
                        "rollback",
                        lane,
                        Field.choice("Version", "version", versions, versions.get(versions.size() > 1 ? 1 : 0))),
                section(
                        "Propose a policy",
                        "The job judges it before it is live, unless told otherwise.",
                        "propose",
                        lane,
                        Field.choice("Workers draft", "drafts", List.of(YES, NO), live.getEnabled() ? YES : NO),
                        Field.text("Budget", "budget", Integer.toString(live.getBudgetMax())),
                        Field.text("Probability floor", "floor", Float.toString(live.getProbabilityFloor())),
                        Field.choice("Weights", "weights", List.of("live", SHIPPED), "live"),
                        Field.choice("Judge it", "judge", List.of(YES, NO), YES)),
                section(
                        "Delete the scope",
                        "Forgets all that scope %s was answered so far."
                                .formatted(lane.lane().scope()),
                        "delete",
                        lane,
                        Field.choice("Of", "reach", List.of(EVERY, "this lane's"), EVERY)));
    }

    private static Section section(String heading, String note, String action, LaneView lane, Field... fields) {
        List<Field> all = new ArrayList<>(List.of(
                Field.hidden("action", action), Field.hidden("lane", lane.lane().toString())));
        all.addAll(Arrays.asList(fields));
        return Section.of(heading, note, new Form(Actions.PATH, PREVIEW, all));
    }

    /** A delete of the request from each scope that it was found in. */
    static List<Section> ofGeneration(GenerationTrace trace) {
        return trace.found().stream()
                .map(GenerationTrace.Found::lane)
                .filter(lane -> !lane.isEmpty())
                .distinct()
                .map(lane -> Section.of(
                        "Delete it from " + lane,
                        "Forgets this request's generations of the lane's scope.",
                        new Form(
                                Actions.PATH,
                                PREVIEW,
                                List.of(
                                        Field.hidden("action", "delete"),
                                        Field.hidden("lane", lane),
                                        Field.hidden("request", trace.requestId())))))
                .toList();
    }

    /**
     * The action that a form asks for.
     *
     * @param parameter gives a parameter's value; null: there is none
     * @throws IllegalArgumentException if it is none
     */
    static Action parse(UnaryOperator<String> parameter) {
        LaneId lane = LaneId.parse(given(parameter, "lane"));
        String action = given(parameter, "action");
        return switch (action) {
            case "pin" -> new VersionAction(lane, Command.PIN, version(parameter));
            case "rollback" -> new VersionAction(lane, Command.ROLLBACK, version(parameter));
            case "unpin" -> new VersionAction(lane, Command.UNPIN, 0);
            case "propose" -> proposal(lane, parameter);
            case "delete" -> forgetting(lane, parameter);
            default -> throw new IllegalArgumentException("there is no action '%s'".formatted(action));
        };
    }

    private static Action proposal(LaneId lane, UnaryOperator<String> parameter) {
        Policy policy = ProposedPolicy.of(
                YES.equals(given(parameter, "drafts")),
                (int) number(parameter, "budget", 9),
                floor(given(parameter, "floor")),
                SHIPPED.equals(given(parameter, "weights")) ? Mixer.defaults().weights() : new float[0]);
        return new Proposal(lane, policy, NO.equals(given(parameter, "judge")));
    }

    private static float floor(String text) {
        try {
            return Float.parseFloat(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("floor must be a number from 0 to 1, got '%s'".formatted(text), e);
        }
    }

    private static Action forgetting(LaneId lane, UnaryOperator<String> parameter) {
        String request = parameter.apply("request");
        String reach = parameter.apply("reach");
        boolean every = request != null || EVERY.equals(reach);
        return new Forgetting(
                new Deleted(lane.scope(), request, every ? null : lane.model(), every ? null : lane.revision()),
                lane.toString());
    }

    private static long version(UnaryOperator<String> parameter) {
        return number(parameter, "version", 18);
    }

    private static long number(UnaryOperator<String> parameter, String name, int digitsMax) {
        String text = given(parameter, name).strip();
        if (!text.matches("\\d{1,%s}".formatted(digitsMax))) {
            throw new IllegalArgumentException("%s must be a whole number, got '%s'".formatted(name, text));
        }
        return Long.parseLong(text);
    }

    private static String given(UnaryOperator<String> parameter, String name) {
        String value = parameter.apply(name);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("%s is missing".formatted(name));
        }
        return value;
    }
}
