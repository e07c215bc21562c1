package io.tailrace.cli.serving;

import io.tailrace.schemas.LaneId;
import io.tailrace.tap.proxy.ScopeRule;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Failures;
import io.tailrace.worker.http.ApiKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Whose a tap's requests are: one of three ways must be given. */
@Command(optionListHeading = "Whose the requests are")
final class ScopeArguments {
    private static final String UNNAMED = "";

    @Option(names = "--scope", paramLabel = "NAME", description = "Scope of all requests.")
    private String scope;

    @Option(
            names = "--scope-header",
            paramLabel = "NAME",
            description = "Or: the request header that names the scope; only where a gateway sets or removes it.")
    private String header;

    @Option(
            names = "--api-key-file",
            paramLabel = "FILE",
            description =
                    "Or: keys that clients give the server, a line 'KEY SCOPE' each. Answers to other keys are not published.")
    private Path apiKeyFile;

    ScopeRule rule() {
        if (Stream.of(scope, header, apiKeyFile).filter(each -> each != null).count() != 1) {
            throw new BadInputException("give one of --scope, --scope-header and --api-key-file");
        }
        if (apiKeyFile != null) {
            return ScopeRule.keys(keys());
        }
        if (header != null) {
            return ScopeRule.header(header);
        }
        requireScope("--scope", scope);
        return ScopeRule.fixed(scope);
    }

    private Map<String, String> keys() {
        try {
            Map<String, String> scopeByKey = ApiKeys.read(apiKeyFile, "KEY SCOPE", UNNAMED);
            if (scopeByKey.containsValue(UNNAMED)) {
                throw new BadInputException("--api-key-file %s: every line must be KEY SCOPE".formatted(apiKeyFile));
            }
            scopeByKey.values().forEach(each -> requireScope("--api-key-file", each));
            return scopeByKey;
        } catch (IOException | IllegalArgumentException e) {
            throw new BadInputException("--api-key-file: " + Failures.message(e), e);
        }
    }

    private static void requireScope(String option, String scope) {
        try {
            if (new LaneId("any", "any", scope).isStorable()) {
                return;
            }
        } catch (IllegalArgumentException e) {
            throw new BadInputException(option + ": " + e.getMessage(), e);
        }
        throw new BadInputException("%s: no store has room for a folder of the name %s".formatted(option, scope));
    }
}
