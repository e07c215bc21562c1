package io.tailrace.cli.inspect;

import picocli.CommandLine.Command;

/** {@code tailrace inspect}: looks into segment files. */
@Command(
        name = "inspect",
        description = "Looks into segment files: verifies, describes, searches and counts.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {CheckCommand.class, StatsCommand.class, MatchCommand.class, CountCommand.class, DumpCommand.class
        })
public final class InspectCommand {}
