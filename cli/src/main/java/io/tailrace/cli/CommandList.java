package io.tailrace.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;

/**
 * The launcher's commands: the product's, then the laboratory's under a heading of their own.
 *
 * @param laboratory how many of the last commands are the laboratory's
 */
record CommandList(int laboratory) implements IHelpSectionRenderer {
    @Override
    public String render(Help help) {
        List<Map.Entry<String, Help>> all = new ArrayList<>(help.subcommands().entrySet());
        int own = all.size() - laboratory;
        String product = help.commandList(map(all.subList(0, own)));
        return laboratory == 0
                ? product
                : product + String.format("%nLaboratory:%n") + help.commandList(map(all.subList(own, all.size())));
    }

    private static Map<String, Help> map(List<Map.Entry<String, Help>> entries) {
        Map<String, Help> map = new LinkedHashMap<>();
        entries.forEach(entry -> map.put(entry.getKey(), entry.getValue()));
        return map;
    }
}
