package io.tailrace.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.local.cluster.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LinkTest {
    private static final int PATIENCE_MILLIS = 10_000;
    private static final int SILENCE_MILLIS = 300;

    /** Says back what it is told, and notes it. */
    private final LinkedBlockingQueue<Integer> heard = new LinkedBlockingQueue<>();

    private ServerSocket echo;
    private Link link;

    @BeforeEach
    void open() throws IOException {
        echo = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(this::serve);
        thread.setDaemon(true);
        thread.start();
        link = new Link(Ports.free(1)[0], echo.getLocalPort());
    }

    @AfterEach
    void close() throws IOException {
        link.close();
        echo.close();
    }

    private void serve() {
        while (!echo.isClosed()) {
            try {
                Socket client = echo.accept();
                Thread thread = new Thread(() -> echo(client));
                thread.setDaemon(true);
                thread.start();
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void echo(Socket client) {
        try (client) {
            for (int read = client.getInputStream().read();
                    read >= 0;
                    read = client.getInputStream().read()) {
                heard.add(read);
                client.getOutputStream().write(read);
            }
        } catch (IOException brokenByTheLink) {
            heard.add(-1);
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), link.port());
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    private static void assertSilent(Socket socket) throws IOException {
        socket.setSoTimeout(SILENCE_MILLIS);
        assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(PATIENCE_MILLIS);
    }

    private static int ask(Socket socket, int value) throws IOException {
        socket.getOutputStream().write(value);
        return socket.getInputStream().read();
    }

    @Test
    void anOpenLinkPassesBothWays() throws Exception {
        try (Socket client = connect()) {
            assertThat(ask(client, 7)).isEqualTo(7);
        }
    }

    @Test
    void aCutLinkBreaksConnectionsAndEndsNewOnes() throws Exception {
        try (Socket client = connect()) {
            assertThat(ask(client, 7)).isEqualTo(7);
            link.become(Link.State.CUT);
            assertThat(endOf(client)).isTrue();
            try (Socket late = connect()) {
                assertThat(endOf(late)).isTrue();
            }
        }
        link.become(Link.State.OPEN);
        try (Socket again = connect()) {
            assertThat(ask(again, 8)).isEqualTo(8);
        }
    }

    private static boolean endOf(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    @Test
    void aSilentLinkKeepsConnectionsAndPassesLaterWhatItHeldBack() throws Exception {
        try (Socket client = connect()) {
            assertThat(ask(client, 7)).isEqualTo(7);
            link.become(Link.State.SILENT);
            client.getOutputStream().write(8);
            assertSilent(client);
            assertThat(heard).containsExactly(7);
            link.become(Link.State.OPEN);
            assertThat(client.getInputStream().read()).isEqualTo(8);
        }
    }

    @Test
    void aHalfOpenLinkPassesQuestionsAndHoldsAnswersBack() throws Exception {
        try (Socket client = connect()) {
            link.become(Link.State.ONE_WAY);
            client.getOutputStream().write(9);
            assertThat(heard.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo(9);
            assertSilent(client);
            link.become(Link.State.OPEN);
            assertThat(client.getInputStream().read()).isEqualTo(9);
        }
    }
}
