package io.tailrace.lab.traffic;

import java.util.List;
import java.util.SplittableRandom;

/** JSON extraction: a letter goes in, its fields come out under fixed keys; the values stand in the letter. */
final class JsonExtraction implements Workload {
    private static final String[] KINDS = {"invoice", "ticket", "order", "claim", "profile"};
    private static final String[] KEYS = {
        "number", "customer", "city", "amount", "status", "due", "priority", "contact", "reference"
    };
    private static final String[] STATES = {"open", "paid", "closed", "due"};
    private static final String[] PRIORITIES = {"normal", "high", "low"};

    private final Workload.Zipf whichKind = new Workload.Zipf(KINDS.length, 1.0);
    private final Workload.Zipf whichCustomer = new Workload.Zipf(150, 0.9);
    private final Workload.Zipf whichState = new Workload.Zipf(STATES.length, 1.0);
    private final Workload.Zipf whichPriority = new Workload.Zipf(PRIORITIES.length, 1.0);
    private final Workload.Zipf whichWord = new Workload.Zipf(Vocabulary.PROSE, 1.0);
    private final int customers;

    JsonExtraction(SplittableRandom random) {
        customers = random.nextInt(Vocabulary.VALUES);
    }

    @Override
    public String name() {
        return "json-extraction";
    }

    @Override
    public List<Workload.Turn> session(SplittableRandom random) {
        String kind = KINDS[whichKind.draw(random)];
        int[] values = values(random);
        TokenWriter said = new TokenWriter().write("<system> Extract the fields from the document . Keys are :");
        for (String key : KEYS) {
            said.write(key).write(",");
        }
        said.write("Answer with JSON and nothing else . <user>");
        letter(said, kind, values, random);
        Workload.Session conversation = new Workload.Session().turn(said, json(kind, values));
        return conversation.turns();
    }

    /** One value a key. A customer's city and contact are always the same. */
    private int[] values(SplittableRandom random) {
        int customer = customers + whichCustomer.draw(random) * 3;
        return new int[] {
            Vocabulary.number(random.nextInt(Vocabulary.NUMBERS)),
            Vocabulary.value(customer),
            Vocabulary.value(customer / 20 * 20 + 1),
            Vocabulary.number(random.nextInt(Vocabulary.NUMBERS)),
            Vocabulary.id(STATES[whichState.draw(random)]),
            Vocabulary.number(random.nextInt(366)),
            Vocabulary.id(PRIORITIES[whichPriority.draw(random)]),
            Vocabulary.value(customer + 2),
            Vocabulary.number(random.nextInt(Vocabulary.NUMBERS))
        };
    }

    private void letter(TokenWriter said, String kind, int[] values, SplittableRandom random) {
        int name = Vocabulary.id(kind);
        said.write("Dear team , this concerns % number % of customer % in % .", name, values[0], values[1], values[2]);
        prose(said, random);
        said.write("The amount total is % , the status is % and it is due on % .", values[3], values[4], values[5]);
        prose(said, random);
        said.write(
                "It has % priority , the contact is % and the reference is % . Regards",
                values[6], values[7], values[8]);
    }

    private void prose(TokenWriter said, SplittableRandom random) {
        int words = 10 + random.nextInt(20);
        for (int word = 0; word < words; word++) {
            said.id(Vocabulary.prose(whichWord.draw(random)));
        }
        said.write(".");
    }

    private static TokenWriter json(String kind, int[] values) {
        TokenWriter json = new TokenWriter().write("{ \" document \" : \" % \"", Vocabulary.id(kind));
        for (int key = 0; key < KEYS.length; key++) {
            json.write(", \" % \" : \" % \"", Vocabulary.id(KEYS[key]), values[key]);
        }
        return json.write("}");
    }
}
