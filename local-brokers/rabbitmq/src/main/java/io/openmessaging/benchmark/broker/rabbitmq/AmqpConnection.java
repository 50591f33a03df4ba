package io.openmessaging.benchmark.broker.rabbitmq;

import io.openmessaging.benchmark.broker.launch.LoopbackPorts;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * As much of AMQP 0-9-1 as it takes to see that a node serves clients: log in, and declare a queue. A client library
 * would be one more thing in the class path of the harness. Used by one thread.
 */
final class AmqpConnection implements AutoCloseable {

    private static final int TIMEOUT_MS = 5000;

    private static final byte[] PROTOCOL_HEADER = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};

    private static final int METHOD_FRAME = 1;

    private static final int FRAME_END = 0xCE;

    /** Those of the handshake have some hundred bytes. */
    private static final int PAYLOAD_BYTES_MAX = 1 << 20;

    /** Methods by the number of their class and their own number, as they lie in a frame. */
    private static final int CONNECTION_START = method(10, 10);

    private static final int CONNECTION_START_OK = method(10, 11);
    private static final int CONNECTION_TUNE = method(10, 30);
    private static final int CONNECTION_TUNE_OK = method(10, 31);
    private static final int CONNECTION_OPEN = method(10, 40);
    private static final int CONNECTION_OPEN_OK = method(10, 41);
    private static final int CONNECTION_CLOSE = method(10, 50);
    private static final int CONNECTION_CLOSE_OK = method(10, 51);
    private static final int CHANNEL_OPEN = method(20, 10);
    private static final int CHANNEL_OPEN_OK = method(20, 11);
    private static final int QUEUE_DECLARE = method(50, 10);
    private static final int QUEUE_DECLARE_OK = method(50, 11);
    private static final int QUEUE_DELETE = method(50, 40);
    private static final int QUEUE_DELETE_OK = method(50, 41);

    private static final int PASSIVE = 1;
    private static final int DURABLE = 2;

    private static final int REPLY_SUCCESS = 200;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private Map<String, String> serverProperties = Map.of();

    private AmqpConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(socket.getInputStream());
        this.out = new DataOutputStream(socket.getOutputStream());
    }

    /**
     * Connects, logs in, and opens a channel.
     *
     * @throws IOException if the node does not let the user in, or not within seconds
     */
    static AmqpConnection open(int port, Login login) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(LoopbackPorts.HOST, port), TIMEOUT_MS);
            socket.setSoTimeout(TIMEOUT_MS);
            AmqpConnection connection = new AmqpConnection(socket);
            connection.shakeHands(login);
            return connection;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** What the node says of itself, such as {@code version}; only the texts of it. */
    Map<String, String> serverProperties() {
        return serverProperties;
    }

    /** Creates a queue, unless it is there. */
    void declareQueue(String queue) throws IOException {
        send(1, queueDeclare(queue, DURABLE));
        receive(QUEUE_DECLARE_OK);
    }

    /**
     * Looks for a queue.
     *
     * @throws IOException if the node does not know it
     */
    void findQueue(String queue) throws IOException {
        send(1, queueDeclare(queue, PASSIVE));
        receive(QUEUE_DECLARE_OK);
    }

    void deleteQueue(String queue) throws IOException {
        send(1, new Fields(QUEUE_DELETE).number16(0).shortText(queue).octet(0));
        receive(QUEUE_DELETE_OK);
    }

    private void shakeHands(Login login) throws IOException {
        out.write(PROTOCOL_HEADER);
        ByteBuffer start = receive(CONNECTION_START);
        start.getShort(); // the protocol's version
        serverProperties = texts(slice(start));
        send(
                0,
                new Fields(CONNECTION_START_OK)
                        .longText("")
                        .shortText("PLAIN")
                        .longText("\0" + login.user() + "\0" + login.password())
                        .shortText("en_US"));
        ByteBuffer tune = receive(CONNECTION_TUNE);
        int channelMax = tune.getShort();
        int frameMaxBytes = tune.getInt();
        send(
                0,
                new Fields(CONNECTION_TUNE_OK)
                        .number16(channelMax)
                        .number32(frameMaxBytes)
                        .number16(0));
        send(
                0,
                new Fields(CONNECTION_OPEN)
                        .shortText(login.virtualHost())
                        .shortText("")
                        .octet(0));
        receive(CONNECTION_OPEN_OK);
        send(1, new Fields(CHANNEL_OPEN).shortText(""));
        receive(CHANNEL_OPEN_OK);
    }

    private static Fields queueDeclare(String queue, int flags) {
        return new Fields(QUEUE_DECLARE)
                .number16(0)
                .shortText(queue)
                .octet(flags)
                .longText("");
    }

    private static int method(int type, int number) {
        return type << Short.SIZE | number;
    }

    private void send(int channel, Fields fields) throws IOException {
        byte[] payload = fields.bytes.toByteArray();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream frame = new DataOutputStream(bytes);
        frame.writeByte(METHOD_FRAME);
        frame.writeShort(channel);
        frame.writeInt(payload.length);
        frame.write(payload);
        frame.writeByte(FRAME_END);
        out.write(bytes.toByteArray());
    }

    /** The arguments of the next method, which must be this one. */
    private ByteBuffer receive(int method) throws IOException {
        int type = in.readUnsignedByte();
        in.readUnsignedShort(); // the channel: there is one
        int lengthBytes = in.readInt();
        if (type != METHOD_FRAME || lengthBytes < Integer.BYTES || lengthBytes > PAYLOAD_BYTES_MAX) {
            throw new IOException("not a method frame of AMQP: type " + type + ", " + lengthBytes + " bytes");
        }
        ByteBuffer payload = ByteBuffer.wrap(in.readNBytes(lengthBytes));
        in.readUnsignedByte(); // the end of the frame
        int received = payload.getInt();
        if (received != method) {
            throw new IOException("the broker answered " + (received >> Short.SIZE) + "." + (received & 0xFFFF)
                    + " in the place of " + (method >> Short.SIZE) + "." + (method & 0xFFFF));
        }
        return payload;
    }

    /** What a long text or a table holds, whose length is in front of it. */
    private static ByteBuffer slice(ByteBuffer buffer) {
        int lengthBytes = buffer.getInt();
        ByteBuffer content = buffer.slice(buffer.position(), lengthBytes);
        buffer.position(buffer.position() + lengthBytes);
        return content;
    }

    private static Map<String, String> texts(ByteBuffer table) throws IOException {
        Map<String, String> texts = new HashMap<>();
        while (table.hasRemaining()) {
            byte[] name = new byte[Byte.toUnsignedInt(table.get())];
            table.get(name);
            char type = (char) table.get();
            switch (type) {
                case 'S' -> texts.put(string(ByteBuffer.wrap(name)), string(slice(table)));
                case 'F' -> slice(table);
                case 't' -> table.get();
                default -> throw new IOException("unexpected type of a server property: " + type);
            }
        }
        return texts;
    }

    private static String string(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes).toString();
    }

    /** Says good-bye, so that the broker's log has no complaint; one that is gone is no error. */
    @Override
    public void close() {
        try (socket) {
            send(
                    0,
                    new Fields(CONNECTION_CLOSE)
                            .number16(REPLY_SUCCESS)
                            .shortText("")
                            .number32(0));
            receive(CONNECTION_CLOSE_OK);
        } catch (IOException e) {
            // It is not there any more: closed as well.
        }
    }

    /** The arguments of a method, being written. */
    private static final class Fields {

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Fields(int method) {
            number32(method);
        }

        Fields octet(int value) {
            bytes.write(value);
            return this;
        }

        Fields number16(int value) {
            return octet(value >> Byte.SIZE).octet(value);
        }

        Fields number32(int value) {
            return number16(value >> Short.SIZE).number16(value);
        }

        Fields shortText(String text) {
            byte[] content = text.getBytes(StandardCharsets.UTF_8);
            octet(content.length);
            bytes.writeBytes(content);
            return this;
        }

        /** An empty one is an empty table as well. */
        Fields longText(String text) {
            byte[] content = text.getBytes(StandardCharsets.UTF_8);
            number32(content.length);
            bytes.writeBytes(content);
            return this;
        }
    }
}
