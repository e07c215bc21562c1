package io.tailrace.lab.traffic;

/** A question to a database, in words, as schema links and as SQL. All numbers are token ids. */
record Question(Kind kind, int table, int column, int filter, int otherTable, int otherColumn, int value, int number) {
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
            case GROUPED -> words.write("What is the most frequent % of all % ? Show % rows .", column, table, number);
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
                        "SELECT count ( * ) FROM % WHERE % = ' % ' AND % > % ;", table, filter, value, column, number);
            case GROUPED ->
                sql.write("SELECT % , count ( * ) FROM % GROUP BY %", column, table, column)
                        .write("ORDER BY count ( * ) DESC LIMIT % ;", number);
            case JOINED ->
                sql.write("SELECT T1 . % , T2 . % FROM % AS T1", column, otherColumn, table)
                        .write("JOIN % AS T2 ON T1 . id = T2 . id WHERE T1 . % = ' % ' ;", otherTable, filter, value);
            case AVERAGE ->
                sql.write(
                        "SELECT avg ( % ) FROM % WHERE % BETWEEN % AND ' % ' ;", column, table, filter, number, value);
            case NESTED ->
                sql.write("SELECT DISTINCT % FROM % WHERE % != ' % ' AND % IN", column, table, filter, value, column)
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
