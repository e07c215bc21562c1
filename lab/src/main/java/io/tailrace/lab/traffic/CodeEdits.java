package io.tailrace.lab.traffic;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Code edits: a function goes in with a wish, the whole function comes back with the change. A session makes a few edits to
 * one function, and the code base keeps what it made of it.
 */
final class CodeEdits implements Workload {
    private static final int FUNCTIONS = 60;
    private static final int EDITS_MAX = 4;
    private static final String[] STATEMENTS = {
        "int % = this . % . size ( ) ;",
        "if ( % == null ) { throw new Exception ( \" % \" ) ; }",
        "while ( % . next ( ) ) { % += % . get ( % ) ; }",
        "String % = % . get ( \" % \" ) ;",
        "log . info ( \" % \" , % ) ;",
        "if ( % . contains ( % ) ) { return % ; } else { % . add ( % ) ; }",
        "% . put ( % , new % ( % ) ) ;",
        "try { % . % ( % ) ; } catch ( Exception % ) { log . warn ( % ) ; }"
    };

    private final List<int[]> functions = new ArrayList<>();
    private final Workload.Zipf whichFunction = new Workload.Zipf(FUNCTIONS, 0.8);
    private final int[] names;

    CodeEdits(SplittableRandom random) {
        names = random.ints(120, 0, Vocabulary.IDENTIFIERS)
                .map(Vocabulary::identifier)
                .toArray();
        Workload.Zipf whichName = new Workload.Zipf(names.length, 0.9);
        for (int function = 0; function < FUNCTIONS; function++) {
            functions.add(function(whichName, random));
        }
    }

    @Override
    public String name() {
        return "code-edits";
    }

    @Override
    public List<Workload.Turn> session(SplittableRandom random) {
        int which = whichFunction.draw(random);
        int[] code = functions.get(which);
        TokenWriter said = new TokenWriter()
                .write(
                        "<system> You edit code . Answer with the whole Function and nothing else . <user> Here is the code :")
                .ids(code)
                .write(";");
        Workload.Session conversation = new Workload.Session();
        int edits = 1 + random.nextInt(EDITS_MAX);
        for (int edit = 0; edit < edits; edit++) {
            code = edit(code, said, random);
            conversation.turn(said, new TokenWriter().ids(code));
            said = new TokenWriter().write("<user> Good . Now");
        }
        functions.set(which, code);
        return conversation.turns();
    }

    /** Writes the wish and returns the code as it should become. */
    private int[] edit(int[] code, TokenWriter said, SplittableRandom random) {
        int old = anyIdentifierOf(code, random);
        int fresh = names[random.nextInt(names.length)];
        switch (random.nextInt(3)) {
            case 0 -> {
                said.write("Rename % to % .", old, fresh);
                return renamed(code, old, fresh);
            }
            case 1 -> {
                said.write("Add a check : if % is null return % .", old, fresh);
                TokenWriter check = new TokenWriter().write("if ( % == null ) { return % ; }", old, fresh);
                return inserted(code, check.toArray());
            }
            default -> {
                said.write("Add a log message about % before the body .", old);
                TokenWriter log = new TokenWriter().write("log . info ( \" % \" , % ) ;", fresh, old);
                return inserted(code, log.toArray());
            }
        }
    }

    private int[] function(Workload.Zipf whichName, SplittableRandom random) {
        TokenWriter code = new TokenWriter()
                .write("public static int % ( String % ) {", name(whichName, random), name(whichName, random));
        int statements = 3 + random.nextInt(6);
        for (int statement = 0; statement < statements; statement++) {
            String template = STATEMENTS[random.nextInt(STATEMENTS.length)];
            int holes = (int) template.chars().filter(c -> c == '%').count();
            int[] arguments = new int[holes];
            for (int hole = 0; hole < holes; hole++) {
                arguments[hole] = name(whichName, random);
            }
            code.write(template, arguments);
        }
        return code.write("return % ; }", name(whichName, random)).toArray();
    }

    private int name(Workload.Zipf whichName, SplittableRandom random) {
        return names[whichName.draw(random)];
    }

    private static int anyIdentifierOf(int[] code, SplittableRandom random) {
        int at = random.nextInt(code.length);
        while (!isIdentifier(code[at])) {
            at = (at + 1) % code.length;
        }
        return code[at];
    }

    private static boolean isIdentifier(int id) {
        return id >= Vocabulary.identifier(0) && id < Vocabulary.value(0);
    }

    private static int[] renamed(int[] code, int old, int fresh) {
        int[] renamed = code.clone();
        for (int i = 0; i < renamed.length; i++) {
            renamed[i] = renamed[i] == old ? fresh : renamed[i];
        }
        return renamed;
    }

    /** Inserts statements at the start of the body. */
    private static int[] inserted(int[] code, int[] statements) {
        int open = Vocabulary.id("{");
        TokenWriter longer = new TokenWriter();
        boolean done = false;
        for (int id : code) {
            longer.id(id);
            if (id == open && !done) {
                longer.ids(statements);
                done = true;
            }
        }
        return longer.toArray();
    }
}
