package io.tailrace.cli.snapshots;

import io.tailrace.terminal.BrokerOptions;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.KeyOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace delete}: forgets what a scope, or one request of it, has answered so far. */
@Command(
        name = "delete",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Forgets the generations of a scope, or of one request in it, that were completed before now: in every announced version,"
                    + " every retained one, and after the restore of any older savepoint.",
            "Waits until the job has said so for every lane of the scope; exit code 1 if it has not in time. The command stands all the"
                    + " same: the job carries it out when it runs."
        },
        footerHeading = "%nExample:%n",
        footer = "  tailrace delete --bootstrap localhost:9092 --scope acme --request req-17")
public final class DeleteCommand implements Callable<Integer> {
    @Mixin
    private BrokerOptions kafka = new BrokerOptions();

    @Mixin
    private KeyOptions.Trusted trusted = new KeyOptions.Trusted();

    @Option(names = "--scope", required = true, paramLabel = "SCOPE", description = "The scope.")
    private String scope;

    @Option(
            names = "--request",
            paramLabel = "ID",
            description = "Only this request's generations. Default: all of the scope.")
    private String request;

    @Option(names = "--model", paramLabel = "MODEL", description = "Only this model's. Default: every model's.")
    private String model;

    @Option(
            names = "--revision",
            paramLabel = "REVISION",
            description = "Only this revision's. Default: every revision's.")
    private String revision;

    @Mixin
    private UserCommanding commanding;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        Deleted what = new Deleted(scope, request, model, revision);
        Commander commander = commanding.commander(() -> new LoopTopics(kafka, GivenKeys.trusted(trusted)), trusted);
        boolean done = commander.delete(
                what, UserCommanding.printing(spec.commandLine().getOut()));
        return done ? ExitCodes.DONE : ExitCodes.FELL_SHORT;
    }
}
