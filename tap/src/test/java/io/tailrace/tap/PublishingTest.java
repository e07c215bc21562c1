package io.tailrace.tap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.KafkaAccess;
import io.tailrace.client.ReportingOptions;
import io.tailrace.client.report.Reporter;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.TokenIds;
import io.tailrace.tap.answer.AskedCall;
import io.tailrace.tap.answer.ReadAnswer;
import io.tailrace.tap.proxy.Exchange;
import io.tailrace.tap.proxy.ProxyOptions;
import io.tailrace.tap.proxy.ScopeRule;
import io.tailrace.worker.model.ChatTemplate;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is published, what is not and why, and that nobody waits for it. */
class PublishingTest {
    private static final String CALL = "/v1/completions";
    private static final String CHAT = "/v1/chat/completions";
    private static final String JSON = "application/json";
    private static final String ASKED = "{'model':'small','prompt':'once','temperature':0.5}";
    private static final String SAID =
            "{'id':'cmpl-1','model':'small','choices':[{'index':0,'text':'upon','finish_reason':'length','prompt_token_ids':[7],'token_ids':[5,6]}],'usage':{'completion_tokens':2}}";
    private static final String TEXT =
            "{'id':'cmpl-1','model':'small','choices':[{'index':0,'text':'upon','finish_reason':'%s'}]%s}";
    private static final String CHAT_TEXT =
            "{'id':'chat-1','model':'small','choices':[{'index':0,'message':{'role':'assistant','content':'hi'%s},'finish_reason':'stop'}]}";
    private static final Optional<AnswerTokenizer> TOKENIZER = Optional.of(TestTap.TOKENIZER);

    @TempDir
    private Path folder;

    @Test
    void anAnswerWithIdsIsAGenerationOfItsLane() throws Exception {
        long before = System.currentTimeMillis();
        Generation generation = only(ASKED, SAID);
        assertThat(generation.getRequestId()).isEqualTo("cmpl-1");
        assertThat(generation.getLane().getModel()).isEqualTo("small");
        assertThat(generation.getLane().getRevision()).isEqualTo("main");
        assertThat(generation.getLane().getScope()).isEqualTo("chat");
        assertThat(generation.getProducer()).isEqualTo("tap");
        assertThat(TokenIds.toArray(generation.getPrompt())).containsExactly(7);
        assertThat(TokenIds.toArray(generation.getResponse())).containsExactly(5, 6);
        assertThat(generation.getTemperature()).isEqualTo(0.5f);
        assertThat(generation.getStartedAt().toEpochMilli()).isBetween(before, System.currentTimeMillis());
        assertThat(generation.getCompletedAt()).isAfterOrEqualTo(generation.getStartedAt());
    }

    /** The fleet would take them for one answer, and keep the first alone. */
    @Test
    void anAnswerWhoseIdWasThereBeforeGetsOneOfItsOwn() throws Exception {
        try (FakeServer server = FakeServer.saying(JSON, json(SAID));
                TestTap tap = TestTap.before(
                        ProxyOptions.to(server.url(), TestTap.CHAT_SCOPE),
                        TestTap.published(TOKENIZER),
                        new KeptReports())) {
            for (int i = 0; i < 3; i++) {
                tap.post(CALL, json(ASKED));
            }
            TestTap.await().until(() -> tap.reports.generations.size() == 3);
            assertThat(tap.reports.generations)
                    .extracting(Generation::getRequestId)
                    .doesNotHaveDuplicates()
                    .startsWith("cmpl-1")
                    .allMatch(id -> id.startsWith("cmpl-1"));
        }
    }

    /** Another tenant's answer with the same id is another answer, and can be forgotten by the id that its client knows. */
    @Test
    void anIdIsItsScopesOwn() throws Exception {
        try (FakeServer server = FakeServer.saying(JSON, json(SAID));
                TestTap tap = scoped(server, ScopeRule.header("X-Scope"))) {
            for (String scope : List.of("acme", "zeta")) {
                tap.post(CALL, json(ASKED), "X-Scope: " + scope);
            }
            TestTap.await().until(() -> tap.reports.generations.size() == 2);
            assertThat(tap.reports.generations)
                    .extracting(Generation::getRequestId)
                    .containsOnly("cmpl-1");
        }
    }

    /** As some servers keep a line open. */
    @Test
    void eventsWithoutDataArePassedOver() throws Exception {
        String stream = "data:\n\ndata: %s\n\ndata: \n\ndata: [DONE] \t\n\n".formatted(json(SAID));
        try (FakeServer server = FakeServer.saying("text/event-stream", stream);
                TestTap tap = TestTap.before(server.url())) {
            assertThat(tap.post(CALL, json(ASKED)).text()).isEqualTo(stream);
            assertThat(TokenIds.toArray(published(tap).getResponse())).containsExactly(5, 6);
        }
    }

    @Test
    void wherePromptsMayNotBePublishedTheAnswerIsAlone() throws Exception {
        PublishOptions usual = TestTap.published(TOKENIZER);
        PublishOptions silent =
                new PublishOptions(usual.name(), usual.model(), usual.revision(), false, usual.tokenizer());
        try (FakeServer server = FakeServer.saying(JSON, json(SAID));
                TestTap tap =
                        TestTap.before(ProxyOptions.to(server.url(), TestTap.CHAT_SCOPE), silent, new KeptReports())) {
            tap.post(CALL, json(ASKED));
            Generation generation = published(tap);
            assertThat(generation.getPrompt()).isNull();
            assertThat(TokenIds.toArray(generation.getResponse())).containsExactly(5, 6);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "no JSON | {} | unreadable",
                "{'prompt':'a'} | no JSON | unreadable",
                "{'prompt':'a'} | {'id':'x','model':'small','choices':[]} | unreadable",
                "{'prompt':'a'} | {'error':{'message':'no'}} | failed",
                "{'prompt':'a','store':false} | SAID | private",
                "{'prompt':'a','cache_salt':'mine'} | SAID | private",
                "{'prompt':'a','store':true,'cache_salt':''} | SAID | private",
                "{'prompt':'a'} | {'model':'other','choices':[{'index':0,'finish_reason':'stop','token_ids':[1]}]} | other_model",
                "{'prompt':'a'} | {'model':'small','choices':[{'index':0,'finish_reason':'stop','token_ids':[]}]} | empty",
                "{'prompt':'a'} | {'model':'small','choices':[{'index':0,'finish_reason':'stop','token_ids':[-1]}]} | unreadable",
                "{'prompt':'a'} | {'model':'small','choices':[{'index':0,'finish_reason':'stop','token_ids':[1.5]}]} | unreadable",
                "{'prompt':'a'} | {'model':'small','choices':[{'index':0,'finish_reason':'abort','token_ids':[1]}]} | aborted",
                "{'prompt':'a'} | {'model':'small','choices':[{'index':0,'finish_reason':'error','token_ids':[1]}]} | failed",
                "{'prompt':'a'} | {'model':'small','choices':[{'index':0,'finish_reason':'stop','token_ids':[1]}],'usage':{'completion_tokens':2}} | inexact",
                "{'prompt':'a','tools':[{'x':1}]} | {'model':'small','choices':[{'index':0,'finish_reason':'stop','token_ids':[1]}]} | inexact",
                "{'prompt':'a'} | {'model':'small','choices':[{'index':0,'text':'b','finish_reason':'stop'}]} | no_ids",
            })
    void whatIsNoGenerationIsCountedByReason(String asked, String said, String reason) throws Exception {
        assertSkipped(CALL, asked, said.equals("SAID") ? SAID : said, Optional.empty(), reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'prompt':[1,2]} | no_stop | not_text",
                "{'prompt':['a','b']} | no_stop | not_text",
                "{'prompt':'a','echo':true} | no_stop | not_text",
                "{'prompt':'a','stop':'x'} | stop | inexact",
                "{'prompt':'a','stop':['x']} | stop | inexact",
            })
    void aTextWhoseIdsCannotBeKnownIsNotPublished(String asked, String how, String reason) throws Exception {
        String said = TEXT.formatted(how.equals("stop") ? "stop" : "length", "");
        assertSkipped(CALL, asked, said, TOKENIZER, reason);
    }

    @Test
    void theServersCountDecidesWhetherATextsIdsAreRight() throws Exception {
        assertThat(response(ASKED, TEXT.formatted("length", ",'usage':{'completion_tokens':4}")))
                .containsExactly(new CharTokenizer().encode("upon", false));
        assertThat(response(ASKED, TEXT.formatted("stop", ",'usage':{'completion_tokens':5}")))
                .hasSize(5)
                .endsWith(CharTokenizer.END);
        assertThat(response(ASKED, TEXT.formatted("stop", ",'usage':{'completion_tokens':4}")))
                .hasSize(4);
        assertThat(response(ASKED, TEXT.formatted("length", ",'usage':{'prompt_tokens':5,'completion_tokens':4}")))
                .hasSize(4);
        assertSkipped(
                CALL,
                ASKED,
                TEXT.formatted("length", ",'usage':{'prompt_tokens':4,'completion_tokens':4}"),
                TOKENIZER,
                "inexact");
        assertSkipped(CALL, ASKED, TEXT.formatted("length", ",'usage':{'completion_tokens':5}"), TOKENIZER, "inexact");
        assertSkipped(CALL, ASKED, TEXT.formatted("stop", ",'usage':{'completion_tokens':6}"), TOKENIZER, "inexact");
    }

    /** The model's last token may have begun in what is left of the text and gone on in what was cut off. */
    @Test
    void ofATextThatAStopTextMayHaveCutTheLastWordIsLeftOut() throws Exception {
        String said = TEXT.replace("upon", "%s").formatted("upon a ti", "stop", ",'usage':{'completion_tokens':9}");
        int[] kept = new CharTokenizer().encode("upon a", false);
        assertThat(response("{'prompt':'once','stop':'me'}", said)).isEqualTo(kept);
        assertThat(response("{'prompt':'once','stop':['me']}", said.replace("upon a ti", "upon a \\n ")))
                .isEqualTo(kept);
        assertThat(response(ASKED, said.replace("'stop'", "'stop','stop_reason':'me'")))
                .isEqualTo(kept);
        assertThat(response("{'prompt':'once','stop':'me'}", said.replace("'stop'", "'length'")))
                .hasSize(9);
        String oneWord = TEXT.formatted("stop", ",'usage':{'completion_tokens':4}");
        assertSkipped(CALL, "{'prompt':'once','stop':'me'}", oneWord, TOKENIZER, "inexact");
    }

    /** Templates that write the date write that day's. */
    @Test
    void aChatIsSpelledOutAsItWasWhenItWasAsked() throws Exception {
        ChatTemplate dated = (messages, answerNext, now) -> now.toString();
        AnswerTokenizer tokenizer = new AnswerTokenizer(new CharTokenizer(), Optional.of(dated), Optional.empty());
        AskedCall asked = AskedCall.read(
                json("{'messages':[{'role':'user','content':'x'}]}").getBytes(UTF_8));
        ReadAnswer said = ReadAnswer.read(JSON, json(CHAT_TEXT.formatted("")).getBytes(UTF_8));
        Instant then = Instant.parse("2026-03-05T07:09:11Z");
        assertThat(tokenizer.ids(true, asked, said, then).prompt())
                .isEqualTo(new CharTokenizer()
                        .encode(
                                LocalDateTime.ofInstant(then, ZoneId.systemDefault())
                                        .toString(),
                                false));
    }

    @Test
    void aTextThatNoModelTakesIsNotTokenised() throws Exception {
        String asked = "{'prompt':'%s'}".formatted("a".repeat(AnswerTokenizer.CHARS_MAX - 3));
        assertSkipped(CALL, asked, TEXT.formatted("length", ""), TOKENIZER, "too_large");
    }

    @Test
    void aChatIsTokenisedByItsTemplate() throws Exception {
        String asked = "{'messages':[{'role':'user','content':[{'type':'text','text':'x'}]}]}";
        try (FakeServer server = FakeServer.saying(JSON, json(CHAT_TEXT.formatted("")));
                TestTap tap = TestTap.before(server.url(), TOKENIZER)) {
            tap.post(CHAT, json(asked));
            Generation generation = published(tap);
            assertThat(TokenIds.toArray(generation.getPrompt()))
                    .isEqualTo(new CharTokenizer().encode("<user>x<assistant>", false));
            assertThat(TokenIds.toArray(generation.getResponse())).hasSize(3).endsWith(CharTokenizer.END);
        }
    }

    @Test
    void aChatThatIsMoreThanItsTextsIsNotTokenised() throws Exception {
        String plain = "{'messages':[{'role':'user','content':'x'}]%s}";
        String image = "{'messages':[{'role':'user','content':[{'type':'image_url'}]}]}";
        String said = CHAT_TEXT.formatted("");
        assertSkipped(CHAT, plain.formatted(",'tools':[{'x':1}]"), said, TOKENIZER, "not_text");
        assertSkipped(CHAT, plain.formatted(",'chat_template':'x'"), said, TOKENIZER, "not_text");
        assertSkipped(CHAT, image, said, TOKENIZER, "not_text");
        assertSkipped(
                CHAT, plain.formatted(""), CHAT_TEXT.formatted(",'reasoning_content':'hm'"), TOKENIZER, "not_text");
        assertSkipped(
                CHAT, plain.formatted(""), CHAT_TEXT.formatted(",'tool_calls':[{'id':'1'}]"), TOKENIZER, "not_text");
        Optional<AnswerTokenizer> untaught =
                Optional.of(new AnswerTokenizer(new CharTokenizer(), Optional.empty(), Optional.empty()));
        assertSkipped(CHAT, plain.formatted(""), said, untaught, "no_template");
    }

    /** Small on the wire, large in a heap. */
    @Test
    void jsonOfTooManyPartsIsForwardedAndNotPublished() throws Exception {
        String asked = "{'prompt':[%s1]}".formatted("[],".repeat(1 << 19));
        assertSkipped(CALL, asked, SAID, Optional.empty(), "unreadable");
        assertSkipped(CALL, asked.replace("[],", "["), SAID, Optional.empty(), "unreadable");
    }

    /** Or a few bytes on the wire would take much of a heap. */
    @Test
    void aRequestMayHaveNoMoreBytesUnpackedThanOneThatWasNotPacked() throws Exception {
        try (FakeServer server = FakeServer.saying(JSON, json(SAID));
                TestTap tap = TestTap.before(server.url());
                Socket client = tap.connect()) {
            TestTap.send(client, CALL, gzip("{'prompt':'%s'}", Exchange.REQUEST_BYTES_MAX), "Content-Encoding: gzip");
            assertThat(RawHttp.read(client.getInputStream()).text()).isEqualTo(json(SAID));
            TestTap.await().until(() -> tap.skipped("unreadable") == 1);
            TestTap.send(client, CALL, gzip("{'prompt':'%s'}", 10_000), "Content-Encoding: gzip");
            assertThat(published(tap).getRequestId()).isEqualTo("cmpl-1");
        }
    }

    private static byte[] gzip(String pattern, int chars) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(json(pattern.formatted("a".repeat(chars))).getBytes(UTF_8));
        }
        return packed.toByteArray();
    }

    /** Not the client's body, and not a header that somebody else may have added to. */
    @Test
    void theScopeIsTheHeadersAlone() throws Exception {
        try (FakeServer server = FakeServer.saying(JSON, json(SAID));
                TestTap tap = scoped(server, ScopeRule.header("X-Scope"))) {
            tap.post(CALL, json("{'prompt':'a','scope':'mine','user':'mine'}"));
            tap.post(CALL, json(ASKED), "X-Scope: one", "X-Scope: two");
            tap.post(CALL, json(ASKED), "X-Scope:");
            tap.post(CALL, json(ASKED), "X-Scope: " + "s".repeat(201));
            TestTap.await().until(() -> tap.skipped("unknown_scope") == 4);
            tap.post(CALL, json(ASKED), "x-scope: acme");
            assertThat(published(tap).getLane().getScope()).isEqualTo("acme");
            assertThat(server.requests.get(4).headers()).contains("x-scope: acme");
        }
    }

    @Test
    void aKeyNamesItsScopeAndAnUnknownOneNone() throws Exception {
        try (FakeServer server = FakeServer.saying(JSON, json(SAID));
                TestTap tap = scoped(server, ScopeRule.keys(Map.of("k1", "acme", "k2", "zeta")))) {
            tap.post(CALL, json(ASKED));
            tap.post(CALL, json(ASKED), "Authorization: Bearer k");
            tap.post(CALL, json(ASKED), "Authorization: Basic k1");
            tap.post(CALL, json(ASKED), "Authorization: Bearer k1", "Authorization: Bearer k2");
            TestTap.await().until(() -> tap.skipped("unknown_scope") == 4);
            tap.post(CALL, json(ASKED), "Authorization: Bearer k2");
            assertThat(published(tap).getLane().getScope()).isEqualTo("zeta");
            assertThat(server.requests.get(4).headers()).contains("Authorization: Bearer k2");
        }
    }

    @Test
    void otherPathsAndMethodsAreForwardedAndNothingElse() throws Exception {
        try (FakeServer server = FakeServer.saying(JSON, json(SAID));
                TestTap tap = TestTap.before(server.url())) {
            assertThat(tap.post("/v1/embeddings", "{}").text()).isEqualTo(json(SAID));
            assertThat(tap.post("/v1/responses", "{}").text()).isEqualTo(json(SAID));
            TestTap.await().until(() -> tap.ended("200") == 2);
            assertThat(tap.scrape().lines().filter(line -> line.startsWith("tailrace_tap_skipped_total")))
                    .isNotEmpty()
                    .allMatch(line -> line.endsWith(" 0.0"));
        }
    }

    /** A disk or a broker that hangs stops the reporter; answers pass, and what is too much is dropped. */
    @Test
    void answersPassWhileTheReporterHangs() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        KeptReports hanging = new KeptReports() {
            @Override
            public void generation(Generation generation) {
                hangs.countDown();
                try {
                    free.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                super.generation(generation);
            }
        };
        try (FakeServer server = FakeServer.saying(JSON, json(SAID));
                TestTap tap =
                        TestTap.before(ProxyOptions.to(server.url(), TestTap.CHAT_SCOPE), Optional.empty(), hanging);
                Socket client = tap.connect()) {
            int passed = 1 + Publisher.EXCHANGES_WAITING_MAX + 50;
            for (int i = 0; i < passed; i++) {
                TestTap.send(client, CALL, json(ASKED).getBytes(StandardCharsets.UTF_8));
                assertThat(RawHttp.read(client.getInputStream()).text()).isEqualTo(json(SAID));
                assertThat(hangs.await(60, TimeUnit.SECONDS)).isTrue();
            }
            TestTap.await().until(() -> tap.skipped("behind") == 50);
            free.countDown();
            TestTap.await().until(() -> hanging.generations.size() == passed - 50);
            TestTap.await().until(() -> tap.meter("tailrace_tap_kept_bytes{worker=\"tap\"}") == 0);
        }
    }

    /** A class that cannot be loaded breaks it, too. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void answersPassWhateverBreaksBehindThem(boolean error) throws Exception {
        KeptReports breaking = new KeptReports() {
            @Override
            public void generation(Generation generation) {
                if (error) {
                    throw new ExceptionInInitializerError("on purpose");
                }
                throw new IllegalStateException("on purpose");
            }
        };
        try (FakeServer server = FakeServer.saying(JSON, json(SAID));
                TestTap tap =
                        TestTap.before(ProxyOptions.to(server.url(), TestTap.CHAT_SCOPE), Optional.empty(), breaking)) {
            for (int i = 0; i < 20; i++) {
                assertThat(tap.post(CALL, json(ASKED)).text()).isEqualTo(json(SAID));
            }
            TestTap.await().until(() -> tap.skipped("broken") == 20);
        }
    }

    @Test
    void answersPassWithoutABrokerAndWaitOnDisk() throws Exception {
        try (Socket held = TestTap.heldPort();
                FakeServer server = FakeServer.saying(JSON, json(SAID));
                Reporter reporter =
                        reportingTo("127.0.0.1:" + held.getLocalPort()).open("tap");
                Tap tap = Tap.start(
                        ProxyOptions.to(server.url(), TestTap.CHAT_SCOPE),
                        0,
                        TestTap.published(Optional.empty()),
                        reporter);
                Socket client = new Socket(InetAddress.getLoopbackAddress(), tap.port())) {
            for (int i = 0; i < 20; i++) {
                TestTap.send(client, CALL, json(ASKED).getBytes(StandardCharsets.UTF_8));
                assertThat(RawHttp.read(client.getInputStream()).text()).isEqualTo(json(SAID));
            }
            TestTap.await().until(() -> reporter.spool().orElseThrow().pendingRecords() == 20);
        }
    }

    private ReportingOptions reportingTo(String bootstrap) {
        KafkaAccess brokers = new KafkaAccess(bootstrap, "", Map.of());
        return new ReportingOptions(
                brokers, Optional.empty(), Optional.of(folder), Reporter.SPOOL_BYTES_MIN, true, Duration.ZERO);
    }

    private static TestTap scoped(FakeServer server, ScopeRule rule) throws Exception {
        return TestTap.before(ProxyOptions.to(server.url(), rule), Optional.empty(), new KeptReports());
    }

    private static Generation only(String asked, String said) throws Exception {
        try (FakeServer server = FakeServer.saying(JSON, json(said));
                TestTap tap = TestTap.before(server.url(), TOKENIZER)) {
            tap.post(CALL, json(asked));
            return published(tap);
        }
    }

    private static int[] response(String asked, String said) throws Exception {
        return TokenIds.toArray(only(asked, said).getResponse());
    }

    private static Generation published(TestTap tap) {
        TestTap.await().until(() -> !tap.reports.generations.isEmpty());
        assertThat(tap.reports.generations).hasSize(1);
        return tap.reports.generations.get(0);
    }

    private static void assertSkipped(
            String path, String asked, String said, Optional<AnswerTokenizer> tokenizer, String reason)
            throws Exception {
        try (FakeServer server = FakeServer.saying(JSON, json(said));
                TestTap tap = TestTap.before(server.url(), tokenizer)) {
            assertThat(tap.post(path, json(asked)).text()).isEqualTo(json(said));
            TestTap.await().until(() -> tap.skipped(reason) == 1);
            assertThat(tap.reports.generations).isEmpty();
        }
    }

    /** JSON is easier to read with single quotes. */
    private static String json(String text) {
        return text.replace('\'', '"');
    }
}
