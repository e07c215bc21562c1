package io.tailrace.cli.console;

import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import io.tailrace.cli.console.Page.Field;
import io.tailrace.cli.console.Page.Form;
import io.tailrace.cli.console.Page.Grid;
import io.tailrace.cli.console.Page.Section;
import io.tailrace.cli.fleet.FleetView;
import io.tailrace.cli.fleet.FollowedFleet;
import io.tailrace.cli.fleet.LaneView;
import io.tailrace.cli.snapshots.Commander;
import io.tailrace.client.UnreachableBrokersException;
import io.tailrace.schemas.LaneId;
import io.tailrace.terminal.BadInputException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows an operator who has signed on what an action would do, and does it once confirmed. One at a time. */
final class Actions {
    static final String PATH = "/act";

    private static final Logger LOG = LoggerFactory.getLogger(Actions.class);
    private static final String CHALLENGE = "Basic realm=\"Tailrace operators\", charset=\"UTF-8\"";

    /** As browsers send the pages' forms. What else could carry a token has more ways to be wrong. */
    private static final String FORM = "application/x-www-form-urlencoded";

    private final FollowedFleet fleet;
    private final Operators operators;
    private final Commander commander;
    private final Confirmations confirmations = new Confirmations(System::currentTimeMillis);
    private final Object oneAtATime = new Object();

    Actions(FollowedFleet fleet, Operators operators, Commander commander) {
        this.fleet = fleet;
        this.operators = operators;
        this.commander = commander;
    }

    /** The lane, of which something must have been heard. */
    static LaneView lane(FleetView fleet, LaneId lane) {
        return fleet.lane(lane.toString())
                .orElseThrow(() -> new IllegalArgumentException("nothing was heard of lane " + lane));
    }

    /** What would happen. */
    Page preview(Context context) {
        String operator = signedOn(context);
        if (operator == null) {
            return unknown(context);
        }
        try {
            Action action = ActionForms.parse(context::queryParam);
            List<Section> sections = new ArrayList<>(action.preview(fleet, System.currentTimeMillis()));
            Field token = Field.hidden("token", confirmations.show(operator, action));
            sections.add(Section.of(
                    "Confirm",
                    "Nothing has happened yet. It will be given as a command of %s.".formatted(operator),
                    new Form(PATH, true, action.title(), List.of(token))));
            sections.addAll(back(action, "Or go back"));
            return new Page(action.title(), action.effect(), List.of(), sections);
        } catch (BadInputException | IllegalArgumentException e) {
            return refused(context, HttpStatus.BAD_REQUEST, e.getMessage());
        } catch (UnreachableBrokersException | KafkaException | IllegalStateException e) {
            return refused(context, HttpStatus.BAD_GATEWAY, e.getMessage());
        }
    }

    /** Does what was confirmed. */
    Page carryOut(Context context) {
        if (!isOfThisSite(context)) {
            return refused(context, HttpStatus.FORBIDDEN, "this was not sent from a page of this console");
        }
        String operator = signedOn(context);
        if (operator == null) {
            return unknown(context);
        }
        if (!FORM.equalsIgnoreCase(context.contentType())) {
            return refused(
                    context,
                    HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                    "a form must be %s, got %s; send it from a page of this console"
                            .formatted(FORM, context.contentType()));
        }
        Optional<Action> action = confirmations.confirm(operator, context.formParam("token"));
        return action.map(confirmed -> done(context, operator, confirmed))
                .orElseGet(() -> refused(
                        context,
                        HttpStatus.CONFLICT,
                        "it was confirmed before, or shown more than ten minutes ago; look at it again"));
    }

    private Page done(Context context, String operator, Action action) {
        Grid said = new Grid("What happened", "said");
        try {
            boolean obeyed;
            synchronized (oneAtATime) {
                LOG.info("operator {}: {} ({})", operator, action.title(), action.lane());
                obeyed = action.carryOut(commander.by(operator), line -> {
                    LOG.info("operator {}: {}", operator, line);
                    said.row(line);
                });
            }
            List<Section> sections = new ArrayList<>();
            sections.add(Section.of("What happened", "", said));
            sections.addAll(back(action, "Go on"));
            return new Page(
                    action.title(),
                    obeyed ? "Done." : "Given, and not yet done by all. The command stands.",
                    List.of(),
                    sections);
        } catch (BadInputException e) {
            return refused(context, HttpStatus.CONFLICT, e.getMessage());
        } catch (UnreachableBrokersException | KafkaException | IllegalStateException e) {
            return refused(
                    context,
                    HttpStatus.BAD_GATEWAY,
                    said.none() ? e.getMessage() : "the command was given, and then: " + e.getMessage());
        }
    }

    private static List<Section> back(Action action, String heading) {
        return action.lane().isEmpty()
                ? List.of()
                : List.of(Section.of(
                        heading, "", new Form("/lane", "Show the lane", List.of(Field.hidden("lane", action.lane())))));
    }

    private String signedOn(Context context) {
        return operators.signedOn(context.header("Authorization"));
    }

    /** Browsers say with a POST where its page is from, and no page can make them say another. */
    private static boolean isOfThisSite(Context context) {
        String origin = context.header("Origin");
        String host = context.header("Host");
        if (origin == null || host == null) {
            return false;
        }
        try {
            return host.equalsIgnoreCase(URI.create(origin).getAuthority());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static Page unknown(Context context) {
        context.header("WWW-Authenticate", CHALLENGE);
        return refused(context, HttpStatus.UNAUTHORIZED, "sign on with an operator's name and key");
    }

    private static Page refused(Context context, HttpStatus status, String why) {
        context.status(status);
        return new Page("Not done", "Nothing was changed: " + why + ".", List.of(), List.of());
    }
}
