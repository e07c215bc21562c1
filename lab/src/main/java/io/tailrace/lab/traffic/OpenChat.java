package io.tailrace.lab.traffic;

import java.util.List;
import java.util.SplittableRandom;

/**
 * Open chat: questions about topics, answered in prose. Each topic has sentences of its own that come back now and then; most
 * words are drawn one by one, so little of an answer was said before.
 */
final class OpenChat implements Workload {
    private static final int TOPICS = 400;
    private static final int SENTENCES = 40;
    private static final double REPEATED_SENTENCE = 0.3;
    private static final String[] OPENINGS = {
        "Sure ! Let us look at % .", "Good question . In short :", "% is a Good example .", "First , % matter because"
    };
    private static final String[] QUESTIONS = {
        "Tell me about % .", "why does % matter ?", "Please explain % simply .", "What would you like to know about % ?"
    };
    private static final String[] LINKS = {
        "however", "therefore", "also", "often", "usually", "because", "for example", "In short"
    };

    private final long seed;
    private final Workload.Zipf whichTopic = new Workload.Zipf(TOPICS, 0.7);
    private final Workload.Zipf whichSentence = new Workload.Zipf(SENTENCES, 0.8);
    private final Workload.Zipf whichWord = new Workload.Zipf(Vocabulary.PROSE, 1.0);

    OpenChat(SplittableRandom random) {
        seed = random.nextLong();
    }

    @Override
    public String name() {
        return "open-chat";
    }

    @Override
    public List<Workload.Turn> session(SplittableRandom random) {
        int topic = whichTopic.draw(random);
        int subject = Vocabulary.prose(topic * 17);
        Workload.Session conversation = new Workload.Session();
        int turns = 1 + random.nextInt(3);
        for (int turn = 0; turn < turns; turn++) {
            TokenWriter said =
                    new TokenWriter().write("<user>").write(QUESTIONS[random.nextInt(QUESTIONS.length)], subject);
            conversation.turn(said, answer(topic, subject, random));
        }
        return conversation.turns();
    }

    private TokenWriter answer(int topic, int subject, SplittableRandom random) {
        TokenWriter answer = new TokenWriter();
        String opening = OPENINGS[random.nextInt(OPENINGS.length)];
        answer.write(opening, subject);
        int sentences = 3 + random.nextInt(8);
        for (int sentence = 0; sentence < sentences; sentence++) {
            boolean repeated = random.nextDouble() < REPEATED_SENTENCE;
            SplittableRandom words = repeated
                    ? new SplittableRandom(seed + topic * (long) SENTENCES + whichSentence.draw(random))
                    : random;
            sentence(answer, subject, words);
        }
        return answer.write("I hope that helps !");
    }

    private void sentence(TokenWriter answer, int subject, SplittableRandom random) {
        answer.write(LINKS[random.nextInt(LINKS.length)]).id(subject);
        int words = 6 + random.nextInt(14);
        for (int word = 0; word < words; word++) {
            answer.id(Vocabulary.prose(whichWord.draw(random)));
        }
        answer.write(".");
    }
}
