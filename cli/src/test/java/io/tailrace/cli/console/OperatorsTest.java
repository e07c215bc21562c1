package io.tailrace.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.cli.Tailrace;
import io.tailrace.terminal.BadInputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OperatorsTest {
    private static final String KEY = "0123456789abcdef0123456789abcdef";
    private static final String OTHER = "fedcba9876543210fedcba9876543210";

    @TempDir
    private Path folder;

    private Operators read(String text) throws IOException {
        return Operators.read(Files.writeString(folder.resolve("operators"), text));
    }

    static String basic(String name, String key) {
        return "Basic " + Base64.getEncoder().encodeToString((name + ":" + key).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void nameAndKeyMustBelongTogether() throws IOException {
        Operators operators = read("# who may\n%s anna\n%s bert\n".formatted(KEY, OTHER));
        assertThat(operators.signedOn(basic("anna", KEY))).isEqualTo("anna");
        assertThat(operators.signedOn(basic("bert", OTHER))).isEqualTo("bert");
        assertThat(operators.signedOn(basic("bert", KEY))).isNull();
        assertThat(operators.signedOn(basic("anna", KEY + "0"))).isNull();
        assertThat(operators.signedOn(basic("", ""))).isNull();
    }

    @Test
    void whatIsNoBasicAuthenticationIsNobodys() throws IOException {
        Operators operators = read(KEY + " anna\n");
        for (String header : new String[] {null, "", "Basic", "Basic ???", "Basic YW5uYQ==", "Bearer " + KEY}) {
            assertThat(operators.signedOn(header)).as("%s", header).isNull();
        }
    }

    @Test
    void aFileThatNamesNobodyOrHasAShortKeyIsRefusedWithoutItsKeys() {
        for (String text : new String[] {"", KEY + "\n", "secret anna\n", KEY + " anna bert\n"}) {
            assertThatThrownBy(() -> read(text))
                    .as("%s", text)
                    .isInstanceOf(BadInputException.class)
                    .hasMessageStartingWith("--operators: ")
                    .hasMessageNotContaining(KEY)
                    .hasMessageNotContaining("secret");
        }
        assertThatThrownBy(() -> read(KEY + " anna bert\n")).hasMessageContaining("line 1: expected KEY NAME, each");
        assertThatThrownBy(() -> Operators.read(folder.resolve("nowhere")))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("cannot be read");
    }

    @Test
    void keysAreNotTakenWhereOtherMachinesReachTheConsoleUnlessThatIsAskedFor() throws IOException {
        Path file = Files.writeString(folder.resolve("operators"), KEY + " anna\n");
        for (String host : new String[] {"0.0.0.0", "192.0.2.1"}) {
            assertThat(refusal("--host", host, "--operators", file.toString()))
                    .as(host)
                    .contains("would send keys over the network", "--operators-anywhere");
        }
        assertThat(refusal("--operators", file.toString())).doesNotContain("--operators-anywhere");
    }

    /** What the command says before it looks for brokers, or of them: there are none. */
    private static String refusal(String... arguments) {
        List<String> all = new ArrayList<>(List.of("console", "--bootstrap", "127.0.0.1:1", "--port", "0"));
        all.addAll(List.of(arguments));
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said, true);
        int code = Tailrace.commandLine().setOut(out).setErr(out).execute(all.toArray(String[]::new));
        assertThat(code).isEqualTo(2);
        return said.toString();
    }
}
