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

    /** A question to a database, in words, as schema links and as SQL. All numbers are token ids. */
    record Question(
            Kind kind, int table, int column, int filter, int otherTable, int otherColumn, int value, int number) {
        enum Kind {
            LOOK_UP,
            COUNT,
            GROUPED,
            JOINED,
            AVERAGE,
            NESTED
        }

        /** The same question about another column. */
        Question withColumn(int otherColumnOfTable) {
            return new Question(kind, table, otherColumnOfTable, filter, otherTable, otherColumn, value, number);
        }

        TokenWriter asked() {
            TokenWriter words = new TokenWriter();
            return switch (kind) {
                case LOOK_UP -> words.write("Which % have the % whose % is % ?", table, column, filter, value);
                case COUNT -> words.write("How many % have % and more % than % ?", table, value, column, number);
                case GROUPED ->
                    words.write("What is the most frequent % of all % ? Show % rows .", column, table, number);
                case JOINED ->
                    words.write("Show the % of all % and the % of their %", column, table, otherColumn, otherTable)
                            .write("whose % is % .", filter, value);
                case AVERAGE ->
                    words.write(
                            "What is the average % of % whose % is between % and % ?",
                            column, table, filter, number, value);
                case NESTED -> words.write("Which % have a % that no % have ?", table, column, otherTable);
            };
        }

        TokenWriter links() {
            TokenWriter json = new TokenWriter();
            json.write("{ \" tables \" : [ \" % \"", table);
            if (joins()) {
                json.write(", \" % \"", otherTable);
            }
            json.write("] , \" columns \" : [ \" % . % \" , \" % . % \"", table, column, table, filter);
            if (joins()) {
                json.write(", \" % . % \" , \" % . id \"", otherTable, otherColumn, otherTable);
            }
            return json.write("] }");
        }

        TokenWriter sql() {
            TokenWriter sql = new TokenWriter();
            return switch (kind) {
                case LOOK_UP -> sql.write("SELECT % FROM % WHERE % = ' % ' ;", column, table, filter, value);
                case COUNT ->
                    sql.write(
                            "SELECT count ( * ) FROM % WHERE % = ' % ' AND % > % ;",
                            table, filter, value, column, number);
                case GROUPED ->
                    sql.write("SELECT % , count ( * ) FROM % GROUP BY %", column, table, column)
                            .write("ORDER BY count ( * ) DESC LIMIT % ;", number);
                case JOINED ->
                    sql.write("SELECT T1 . % , T2 . % FROM % AS T1", column, otherColumn, table)
                            .write(
                                    "JOIN % AS T2 ON T1 . id = T2 . id WHERE T1 . % = ' % ' ;",
                                    otherTable, filter, value);
                case AVERAGE ->
                    sql.write(
                            "SELECT avg ( % ) FROM % WHERE % BETWEEN % AND ' % ' ;",
                            column, table, filter, number, value);
                case NESTED ->
                    sql.write(
                                    "SELECT DISTINCT % FROM % WHERE % != ' % ' AND % IN",
                                    column, table, filter, value, column)
                            .write("( SELECT % FROM % WHERE % > % ) ;", otherColumn, otherTable, otherColumn, number);
            };
        }

        TokenWriter words(int result) {
            return new TokenWriter()
                    .write("The answer to your question about the % of % is % .", column, table, result)
                    .write("The query looked at % and returned %", filter, result)
                    .write("for the table % .", table);
        }

        private boolean joins() {
            return kind == Kind.JOINED || kind == Kind.NESTED;
        }
    }
}
