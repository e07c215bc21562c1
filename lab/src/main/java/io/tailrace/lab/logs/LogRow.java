package io.tailrace.lab.logs;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One record of a log, whatever file it came from.
 *
 * @param fields an object
 * @param line where it begins, from 1, or its number
 */
record LogRow(JsonNode fields, long line) {}
