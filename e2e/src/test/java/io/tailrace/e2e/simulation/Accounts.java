package io.tailrace.e2e.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;

/** Lives of the first seeds as a process of its own: writes down what happened in them. */
final class Accounts {
    private Accounts() {}

    /** How many seeds, a folder for them, and the file that gets their accounts. */
    public static void main(String[] arguments) throws IOException {
        Configurator.setAllLevels("io.tailrace", Level.OFF);
        Files.write(Path.of(arguments[2]), of(Integer.parseInt(arguments[0]), Path.of(arguments[1])));
    }

    static List<String> of(int seeds, Path folder) throws IOException {
        List<String> accounts = new ArrayList<>();
        for (long seed = 0; seed < seeds; seed++) {
            Life life = new Life(seed, Fault.NONE, Files.createDirectory(folder.resolve(Long.toString(seed))));
            life.live();
            accounts.add("seed " + seed);
            accounts.addAll(life.account());
        }
        return accounts;
    }
}
