package io.tailrace.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class BrokerAddressesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "kafka:9092",
                "127.0.0.1:1",
                "[::1]:9092",
                "a-b.c_d.example:65535,other:9092",
                "one:9092, two:9092",
                "SSL://kafka:9092"
            })
    void addressesAreTakenAsTheyAre(String addresses) {
        assertThat(new BrokerAddresses().convert(addresses)).isEqualTo(addresses);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "kafka",
                "kafka:",
                ":9092",
                "kafka:x",
                "kafka:65536",
                "kafka:999999",
                "::1:9092",
                "kafka:9092,"
            })
    void whatIsNoAddressIsRefusedWithWhatItIs(String addresses) {
        assertThatThrownBy(() -> new BrokerAddresses().convert(addresses))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("a broker is host:port");
    }
}
