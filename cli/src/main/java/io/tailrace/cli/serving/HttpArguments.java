package io.tailrace.cli.serving;

import io.tailrace.cli.terminal.BadInputException;
import io.tailrace.cli.terminal.Failures;
import io.tailrace.cli.terminal.Require;
import io.tailrace.jobs.options.Bounds;
import io.tailrace.worker.http.ApiKeys;
import io.tailrace.worker.http.EndpointOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Where and for whom the API answers. */
@Command(optionListHeading = "HTTP")
final class HttpArguments {
    /** Requests beside those of the API: metrics, health. */
    private static final int OTHER_REQUESTS_MAX = 64;

    @Option(
            names = "--host",
            defaultValue = "127.0.0.1",
            paramLabel = "ADDRESS",
            description =
                    "Where the API, /metrics and /health answer; in a container 0.0.0.0. Default: ${DEFAULT-VALUE}.")
    private String host;

    @Bounds(min = 0, max = 65_535)
    @Option(
            names = "--port",
            defaultValue = "8000",
            paramLabel = "P",
            description = "Their port; 0: any free one. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--api-key-file",
            paramLabel = "FILE",
            description =
                    "Keys that clients must give, a line 'KEY' or 'KEY SCOPE' each. Default: no key is asked for.")
    private Path apiKeyFile;

    @Option(
            names = "--scope-header",
            hidden = true,
            paramLabel = "NAME",
            description =
                    "Request header that names the scope; only where a gateway sets it, and not beside --api-key-file, whose keys name the scopes. Default: none.")
    private String scopeHeader;

    @Option(
            names = "--scope",
            defaultValue = "default",
            paramLabel = "NAME",
            description = "Scope of requests that name none. Default: ${DEFAULT-VALUE}.")
    private String scope;

    @Bounds(min = 0)
    @Option(
            names = "--drain-seconds",
            hidden = true,
            defaultValue = "30",
            paramLabel = "N",
            description =
                    "How long requests may take that are being answered when it is told to end. Default: ${DEFAULT-VALUE}.")
    private int drainSeconds;

    void check() {
        if (apiKeyFile != null && scopeHeader != null) {
            throw new BadInputException(
                    "--scope-header does nothing with --api-key-file, whose keys name the scopes; leave one of them out");
        }
        Require.freePort("--port", host, port);
    }

    EndpointOptions endpoint(int requestsMax) {
        return new EndpointOptions(
                host,
                port,
                EndpointOptions.defaults().requestBytesMax(),
                requestsMax + OTHER_REQUESTS_MAX,
                scope,
                scopeHeader,
                apiKeyFile == null ? Map.of() : keys());
    }

    private Map<String, String> keys() {
        try {
            return ApiKeys.read(apiKeyFile, scope);
        } catch (IOException | IllegalArgumentException e) {
            throw new BadInputException("--api-key-file: " + Failures.message(e), e);
        }
    }

    String host() {
        return host;
    }

    Duration drainTime() {
        return Duration.ofSeconds(drainSeconds);
    }
}
