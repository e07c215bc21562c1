package io.tailrace.tap;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;

/** A call, its answer and how it goes, made by a seed together with what is to be published of it. */
final class RandomExchange {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String[] LETTERS = {
        "a", "b", " ", "\n", "\r", "\"", "\\", "{", "}", "data: ", "[DONE]", "é", "中", "\u2028", "😀", "\u0001", "\n\n"
    };
    private static final int[] ERRORS = {400, 401, 404, 422, 429, 500, 503};
    private static final String ERROR = "{\"error\":{\"message\":\"no\"}}";
    private static final int HUGE_LETTERS = 200_000;

    /** How it goes. */
    enum Fate {
        WHOLE,
        /** The server breaks off within the answer. */
        SERVER_BREAKS,
        /** The client leaves within the answer, and the server waits for its leaving. */
        CLIENT_LEAVES,
        /** The client leaves once it has read that the stream is done, before the answer has its end on the wire. */
        CLIENT_LEAVES_WHEN_DONE
    }

    /** How an answer says where it ends. */
    enum Framing {
        CHUNKS,
        LENGTH,
        /** The server closes the connection. */
        CLOSE
    }

    /** One generation that must come of it. */
    record Expected(String id, int[] prompt, int[] response) {}

    private record Choice(int index, List<String> pieces, List<int[]> ids, String finish, boolean hole) {}

    private final Random random;
    final long seed;
    final Fate fate;
    final Framing framing;
    final int status;
    final String path;
    final boolean stream;
    final boolean gzip;
    final boolean requestGzip;
    final boolean requestInChunks;
    /** Whether the client wants its connection closed behind the answer. */
    final boolean lastOfConnection;
    /** Values of the header that names the scope. */
    final List<String> scopes;

    final byte[] request;
    final byte[] answer;
    /** Places at which each is cut on its way, in order; the first is 0 and the last its length. */
    final int[] requestCuts;

    final int[] answerCuts;
    /** Bytes of the answer that the server says. */
    final int said;

    /** Behind an answer in chunks. */
    final List<String> trailers;

    final List<Expected> expected = new ArrayList<>();
    final List<SkipReason> skipped = new ArrayList<>();

    private final String id;
    private final String model;
    private final boolean chat;
    private final boolean isPrivate;
    private final boolean errorInStream;
    private final boolean withIds;
    private final int[] promptIds;
    private final boolean usage;
    private final List<Choice> choices = new ArrayList<>();

    RandomExchange(long seed) {
        this.seed = seed;
        random = new Random(seed);
        chat = random.nextBoolean();
        stream = random.nextInt(3) > 0;
        gzip = oneIn(8);
        requestGzip = oneIn(12);
        requestInChunks = oneIn(4);
        lastOfConnection = oneIn(6);
        withIds = random.nextInt(3) > 0;
        usage = random.nextBoolean();
        isPrivate = oneIn(20);
        errorInStream = stream && oneIn(20);
        model = oneIn(20) ? "other" : TestTap.MODEL;
        scopes = oneIn(15) ? List.of() : oneIn(30) ? List.of("chat", "chat") : List.of("chat");
        status = oneIn(12) ? ERRORS[random.nextInt(ERRORS.length)] : 200;
        framing = Framing.values()[random.nextInt(Framing.values().length)];
        fate = fate();
        path = chat ? "/v1/chat/completions" : "/v1/completions";
        id = (chat ? "chatcmpl-" : "cmpl-") + seed;
        promptIds = ids(random.nextInt(20));
        int count = oneIn(4) ? 2 + random.nextInt(2) : 1;
        for (int index = 0; index < count; index++) {
            choices.add(choice(index));
        }
        String prompt = text(random.nextInt(30));
        byte[] asked = bytes(request(prompt));
        request = requestGzip ? packed(asked) : asked;
        byte[] plain = status != 200 ? ERROR.getBytes(StandardCharsets.UTF_8) : stream ? events() : bytes(whole());
        answer = gzip ? packed(plain) : plain;
        said = fate == Fate.SERVER_BREAKS || fate == Fate.CLIENT_LEAVES
                ? 1 + random.nextInt(answer.length / 2)
                : answer.length;
        requestCuts = cuts(request.length);
        answerCuts = cuts(said);
        trailers = oneIn(6) ? List.of("X-Sum: " + seed, "X-Sum: 2", "X-Time: 3") : List.of();
        expect(prompt);
    }

    String type() {
        return stream && status == 200 ? "text/event-stream; charset=utf-8" : "application/json";
    }

    /** As the tap counts its end. */
    String how() {
        return switch (fate) {
            case WHOLE -> Integer.toString(status);
            case SERVER_BREAKS -> "broken_off";
            case CLIENT_LEAVES, CLIENT_LEAVES_WHEN_DONE -> "client_gone";
        };
    }

    private Fate fate() {
        if (oneIn(12)) {
            return Fate.CLIENT_LEAVES;
        }
        if (oneIn(12) && framing != Framing.CLOSE) {
            return Fate.SERVER_BREAKS;
        }
        boolean canBeDone = stream && !gzip && status == 200 && framing == Framing.CHUNKS;
        return canBeDone && oneIn(8) ? Fate.CLIENT_LEAVES_WHEN_DONE : Fate.WHOLE;
    }

    private int[] cuts(int length) {
        int most = oneIn(16) ? Math.min(length, 300) : 12;
        IntStream inner = random.ints(random.nextInt(most + 1), 0, length + 1);
        return IntStream.concat(IntStream.of(0, length), inner)
                .sorted()
                .distinct()
                .toArray();
    }

    private Choice choice(int index) {
        List<String> pieces = new ArrayList<>();
        List<int[]> ids = new ArrayList<>();
        int parts = stream ? 1 + random.nextInt(8) : 1;
        for (int part = 0; part < parts; part++) {
            pieces.add(text(oneIn(500) ? HUGE_LETTERS : 1 + random.nextInt(6)));
            ids.add(ids(1 + random.nextInt(4)));
        }
        String finish = oneIn(12) ? null : random.nextBoolean() ? "stop" : "length";
        boolean hole = parts > 1 && oneIn(12);
        return new Choice(index, pieces, ids, finish, hole);
    }

    private ObjectNode request(String prompt) {
        ObjectNode request = JsonNodeFactory.instance.objectNode().put("model", TestTap.MODEL);
        if (chat) {
            request.putArray("messages").addObject().put("role", "user").put("content", prompt);
        } else {
            request.put("prompt", prompt);
        }
        if (isPrivate) {
            request.put("store", false);
        }
        return request.put("stream", stream).put("n", choices.size()).put("return_token_ids", withIds);
    }

    private ObjectNode head() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", id)
                .put("object", "x")
                .put("created", 1)
                .put("model", model);
    }

    private ObjectNode whole() {
        ObjectNode root = head();
        ArrayNode list = root.putArray("choices");
        for (Choice choice : choices) {
            ObjectNode said = list.addObject().put("index", choice.index).put("finish_reason", choice.finish);
            if (chat) {
                said.putObject("message").put("role", "assistant").put("content", choice.pieces.get(0));
            } else {
                said.put("text", choice.pieces.get(0));
            }
            said.set("token_ids", withIds ? array(choice.ids.get(0)) : null);
            if (!chat && withIds) {
                said.set("prompt_token_ids", array(promptIds));
            }
        }
        if (chat && withIds) {
            root.set("prompt_token_ids", array(promptIds));
        }
        if (usage) {
            root.putObject("usage").put("completion_tokens", counted());
        }
        return root;
    }

    /** As vLLM streams: a chat's first events say who speaks and carry the prompt's ids, a completion's first piece does. */
    private byte[] events() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        if (chat) {
            for (Choice choice : choices) {
                ObjectNode root = head();
                root.putArray("choices")
                        .addObject()
                        .put("index", choice.index)
                        .putNull("finish_reason")
                        .putObject("delta")
                        .put("role", "assistant")
                        .put("content", "");
                root.set("prompt_token_ids", withIds ? array(promptIds) : null);
                event(all, root);
            }
        }
        int most =
                choices.stream().mapToInt(choice -> choice.pieces.size()).max().orElse(0);
        for (int part = 0; part < most; part++) {
            for (Choice choice : choices) {
                if (part < choice.pieces.size()) {
                    event(all, piece(choice, part));
                }
            }
        }
        if (errorInStream) {
            write(all, "data: " + ERROR + "\n\n");
        }
        if (usage) {
            ObjectNode root = head();
            root.putArray("choices");
            root.putObject("usage").put("completion_tokens", counted());
            event(all, root);
        }
        write(all, "data: [DONE]\n\n");
        return all.toByteArray();
    }

    private ObjectNode piece(Choice choice, int part) {
        ObjectNode root = head();
        boolean last = part == choice.pieces.size() - 1;
        ObjectNode said = root.putArray("choices").addObject().put("index", choice.index);
        if (chat) {
            said.putObject("delta").put("content", choice.pieces.get(part));
        } else {
            said.put("text", choice.pieces.get(part));
        }
        said.put("finish_reason", last ? choice.finish : null);
        boolean told = withIds && !(choice.hole && last);
        said.set("token_ids", told ? array(choice.ids.get(part)) : null);
        if (!chat && withIds && part == 0) {
            said.set("prompt_token_ids", array(promptIds));
        }
        return root;
    }

    private void event(ByteArrayOutputStream all, ObjectNode root) {
        String end = new String[] {"\n", "\r\n", "\r"}[random.nextInt(3)];
        if (oneIn(6)) {
            write(all, ": still there" + end + end);
        }
        if (oneIn(6)) {
            write(all, "event: message" + end + "id: 7" + end);
        }
        write(all, random.nextBoolean() ? "data: " : "data:");
        byte[] json = bytes(root);
        all.write(json, 0, json.length);
        write(all, end + end);
    }

    private long counted() {
        if (withIds) {
            return choices.stream()
                    .flatMap(choice -> choice.ids.stream())
                    .mapToInt(part -> part.length)
                    .sum();
        }
        return choices.stream()
                .mapToLong(choice -> String.join("", choice.pieces).length() + ("stop".equals(choice.finish) ? 1 : 0))
                .sum();
    }

    private void expect(String prompt) {
        boolean cut = fate == Fate.SERVER_BREAKS || fate == Fate.CLIENT_LEAVES;
        if (status != 200) {
            skipped.add(SkipReason.FAILED);
        } else if (scopes.size() != 1) {
            skipped.add(SkipReason.UNKNOWN_SCOPE);
        } else if (isPrivate) {
            skipped.add(SkipReason.PRIVATE);
        } else if (cut) {
            skipped.add(SkipReason.ABORTED);
        } else if (errorInStream) {
            skipped.add(SkipReason.FAILED);
        } else if (!model.equals(TestTap.MODEL)) {
            skipped.add(SkipReason.OTHER_MODEL);
        } else {
            choices.forEach(choice -> expect(prompt, choice));
        }
    }

    private void expect(String prompt, Choice choice) {
        if (choice.finish == null) {
            skipped.add(SkipReason.ABORTED);
        } else if (withIds) {
            expectGiven(choice);
        } else if (choices.size() > 1) {
            skipped.add(SkipReason.MANY_CHOICES);
        } else {
            expected.add(tokenised(prompt, choice));
        }
    }

    private void expectGiven(Choice choice) {
        boolean miscounted = usage && choices.stream().anyMatch(each -> each.hole);
        if (choice.hole || miscounted) {
            skipped.add(SkipReason.INEXACT);
        } else {
            int[] all = choice.ids.stream().flatMapToInt(Arrays::stream).toArray();
            expected.add(new Expected(requestId(choice), promptIds, all));
        }
    }

    private Expected tokenised(String prompt, Choice choice) {
        CharTokenizer tokenizer = new CharTokenizer();
        int[] before =
                chat ? tokenizer.encode("<user>" + prompt + "<assistant>", false) : tokenizer.encode(prompt, true);
        int[] text = tokenizer.encode(String.join("", choice.pieces), false);
        int[] end = "stop".equals(choice.finish) ? new int[] {CharTokenizer.END} : new int[0];
        int[] response =
                IntStream.concat(Arrays.stream(text), Arrays.stream(end)).toArray();
        return new Expected(requestId(choice), before, response);
    }

    private String requestId(Choice choice) {
        return choices.size() == 1 ? id : id + "/" + choice.index;
    }

    private boolean oneIn(int many) {
        return random.nextInt(many) == 0;
    }

    private int[] ids(int count) {
        return random.ints(count, 0, oneIn(10) ? Integer.MAX_VALUE : 32_000).toArray();
    }

    private String text(int letters) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < letters; i++) {
            text.append(LETTERS[random.nextInt(LETTERS.length)]);
        }
        return text.toString();
    }

    private static ArrayNode array(int[] ids) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        Arrays.stream(ids).forEach(array::add);
        return array;
    }

    private static byte[] bytes(ObjectNode root) {
        try {
            return JSON.writeValueAsBytes(root);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(ByteArrayOutputStream all, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        all.write(bytes, 0, bytes.length);
    }

    private static byte[] packed(byte[] plain) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }
}
