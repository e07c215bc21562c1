package io.tailrace.terminal;

import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Addresses of brokers on the command line: host:port, an IPv6 host in brackets, several separated by commas. A protocol before them is Kafka's to judge. */
public final class BrokerAddresses implements ITypeConverter<String> {
    private static final Pattern ADDRESS =
            Pattern.compile("\\s*(?:[\\w.%-]*://)?(?:[^\\s:/\\[\\]]+|\\[[0-9a-fA-F:.%\\w]+\\]):(\\d{1,5})\\s*");
    private static final int PORT_MAX = 65_535;

    @Override
    public String convert(String addresses) {
        for (String address : addresses.split(",", -1)) {
            var parts = ADDRESS.matcher(address);
            if (!parts.matches() || Integer.parseInt(parts.group(1)) > PORT_MAX) {
                throw new TypeConversionException(
                        "a broker is host:port, as in kafka:9092, several separated by commas; got '%s'"
                                .formatted(address));
            }
        }
        return addresses;
    }
}
