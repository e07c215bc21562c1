package io.tailrace.lab.traffic;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Text-to-SQL agents: first link the question to the schema, then write the query, correct it if the database refuses it,
 * and put the result into words. Few databases, tables, columns and values are asked for most of the time.
 */
final class TextToSql implements Workload {
    private static final List<Question.Kind> KINDS = List.of(Question.Kind.values());
    private static final int DATABASES = 8;
    private static final int TABLES = 6;
    private static final int COLUMNS = 8;
    private static final double REFUSED = 0.25;
    private static final double RETRIED = 0.15;

    private record Table(int name, int[] columns) {}

    private final List<List<Table>> databases = new ArrayList<>();
    private final Zipf whichDatabase = new Zipf(DATABASES, 1.1);
    private final Zipf whichTable = new Zipf(TABLES, 0.9);
    private final Zipf whichColumn = new Zipf(COLUMNS, 0.8);
    private final Zipf whichValue = new Zipf(300, 1.0);
    private final Zipf whichKind = new Zipf(KINDS.size(), 0.6);

    TextToSql(SplittableRandom random) {
        for (int database = 0; database < DATABASES; database++) {
            List<Table> tables = new ArrayList<>();
            for (int table = 0; table < TABLES; table++) {
                tables.add(new Table(anyIdentifier(random), anyIdentifiers(random, COLUMNS)));
            }
            databases.add(tables);
        }
    }

    @Override
    public String name() {
        return "text-to-sql";
    }

    @Override
    public List<Turn> session(SplittableRandom random) {
        List<Table> database = databases.get(whichDatabase.draw(random));
        Question question = question(database, random);
        SessionTurns conversation = new SessionTurns();
        conversation.turn(linkRequest(database, question), question.links());
        retry(conversation, random);
        TokenWriter ask = new TokenWriter().write("<user> Now write the SQL query");
        if (random.nextDouble() < REFUSED) {
            Question wrong = question.withColumn(anyIdentifier(random));
            conversation.turn(ask, wrong.sql());
            ask = new TokenWriter()
                    .write("<tool> error : no such column : % <user> It failed . Correct the query", wrong.column());
        }
        conversation.turn(ask, question.sql());
        retry(conversation, random);
        int result = Vocabulary.value(random.nextInt(Vocabulary.VALUES));
        conversation.turn(
                new TokenWriter().write("<tool> Result : % <user> In words please", result), question.words(result));
        return conversation.turns();
    }

    private Question question(List<Table> database, SplittableRandom random) {
        Table first = database.get(whichTable.draw(random));
        Table second = database.get(whichTable.draw(random));
        return new Question(
                KINDS.get(whichKind.draw(random)),
                first.name(),
                first.columns()[whichColumn.draw(random)],
                first.columns()[whichColumn.draw(random)],
                second.name(),
                second.columns()[whichColumn.draw(random)],
                Vocabulary.value(first.name() * 31 + whichValue.draw(random)),
                Vocabulary.number(1 + whichValue.draw(random)));
    }

    private static TokenWriter linkRequest(List<Table> database, Question question) {
        TokenWriter prompt = new TokenWriter()
                .write("<system> You are an expert who translates questions into SQL .")
                .write("Use only the given tables and columns . Answer with JSON and nothing else .")
                .write("Here is the database schema :");
        for (Table table : database) {
            prompt.write("table % ( id integer primary key", table.name());
            for (int column : table.columns()) {
                prompt.write(", % %", column, Vocabulary.id(column % 3 == 0 ? "integer" : "text"));
            }
            prompt.write(") ;");
        }
        return prompt.write("<user>").ids(question.asked().toArray()).write("First list the tables and columns needed");
    }

    private static void retry(SessionTurns conversation, SplittableRandom random) {
        if (random.nextDouble() < RETRIED) {
            conversation.retryLast();
        }
    }

    private static int anyIdentifier(SplittableRandom random) {
        return Vocabulary.identifier(random.nextInt(Vocabulary.IDENTIFIERS));
    }

    private static int[] anyIdentifiers(SplittableRandom random, int count) {
        int[] identifiers = new int[count];
        for (int i = 0; i < count; i++) {
            identifiers[i] = anyIdentifier(random);
        }
        return identifiers;
    }
}
