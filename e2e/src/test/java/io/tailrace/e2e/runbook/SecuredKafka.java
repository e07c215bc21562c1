package io.tailrace.e2e.runbook;

import io.tailrace.local.EmbeddedBroker;
import io.tailrace.local.cluster.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * A broker whose clients log in with names and passwords. Who is called {@code NAME} here logs in as {@code tailrace-NAME} with password
 * {@code NAME-secret}.
 */
final class SecuredKafka implements AutoCloseable {
    private static final String LOGIN = "org.apache.kafka.common.security.scram.ScramLoginModule required";
    private static final int ITERATIONS = 4_096;

    private final EmbeddedBroker broker;
    private final Admin admin;
    private final String bootstrap;
    private final Path logins;

    private SecuredKafka(EmbeddedBroker broker, String bootstrap, Path logins) {
        this.broker = broker;
        this.bootstrap = bootstrap;
        this.logins = logins;
        this.admin = Admin.create(Map.<String, Object>of("bootstrap.servers", broker.bootstrap()));
    }

    /**
     * Starts it.
     *
     * @param logins where properties files of users go
     * @param rights whether users have only the rights that they are given
     */
    static SecuredKafka start(Path folder, Path logins, boolean rights) throws IOException {
        int[] ports = Ports.free(2);
        Map<String, String> settings = new HashMap<>(Map.of(
                "sasl.enabled.mechanisms",
                "SCRAM-SHA-512",
                "listener.name.secured.scram-sha-512.sasl.jaas.config",
                LOGIN + ";"));
        if (rights) {
            settings.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
            settings.put("super.users", "User:ANONYMOUS"); // the broker's own door
        }
        EmbeddedBroker broker = EmbeddedBroker.start(
                folder,
                ports[0],
                List.of(new EmbeddedBroker.Listener("SECURED", ports[1], ports[1], "SASL_PLAINTEXT")),
                settings);
        return new SecuredKafka(broker, "127.0.0.1:" + ports[1], Files.createDirectories(logins));
    }

    /** Where users log in. */
    String bootstrap() {
        return bootstrap;
    }

    /** May do everything. */
    Admin admin() {
        return admin;
    }

    /** The user can log in from now on, with its file. */
    void add(String name) throws Exception {
        admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(
                        principal(name),
                        new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, ITERATIONS),
                        password(name))))
                .all()
                .get();
        login(name);
    }

    /** Writes the user's file, whether it can log in already or not. */
    void login(String name) throws IOException {
        Files.writeString(file(name), """
                security.protocol=SASL_PLAINTEXT
                sasl.mechanism=SCRAM-SHA-512
                sasl.jaas.config=%s username="%s" password="%s";
                """.formatted(LOGIN, principal(name), password(name)));
    }

    private static String principal(String name) {
        return "tailrace-" + name;
    }

    private static String password(String name) {
        return name + "-secret";
    }

    /** What {@code --client-config} takes. */
    Path file(String name) {
        return logins.resolve(name + ".properties");
    }

    /** What a client of the user is configured with. */
    Map<String, Object> client(String name) throws IOException {
        Properties file = new Properties();
        try (var reader = Files.newBufferedReader(file(name))) {
            file.load(reader);
        }
        Map<String, Object> client = new HashMap<>(Map.of("bootstrap.servers", bootstrap));
        file.forEach((key, value) -> client.put(key.toString(), value));
        return client;
    }

    /** The user may do this with all resources of the name, or whose names begin so. */
    void allow(String name, ResourceType type, PatternType pattern, String resource, AclOperation... operations)
            throws Exception {
        for (AclOperation operation : operations) {
            AccessControlEntry entry =
                    new AccessControlEntry("User:" + principal(name), "*", operation, AclPermissionType.ALLOW);
            admin.createAcls(List.of(new AclBinding(new ResourcePattern(type, resource, pattern), entry)))
                    .all()
                    .get();
        }
    }

    @Override
    public void close() {
        admin.close();
        broker.close();
    }
}
