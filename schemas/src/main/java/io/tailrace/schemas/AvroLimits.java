package io.tailrace.schemas;

/**
 * Bounds what Avro allocates for a length that a record claims. Avro believes lengths before it sees the bytes: twenty bytes
 * that claim a string of 2 GiB would end the process. Avro reads these limits from system properties, once, when it first
 * decodes; a value that the operator set stays.
 */
final class AvroLimits {
    private AvroLimits() {}

    static void apply() {
        String max = Integer.toString(Topic.RECORD_BYTES_MAX);
        for (String what : new String[] {"bytes", "string", "collectionItems"}) {
            String property = "org.apache.avro.limits." + what + ".maxLength";
            if (System.getProperty(property) == null) {
                System.setProperty(property, max);
            }
        }
    }
}
