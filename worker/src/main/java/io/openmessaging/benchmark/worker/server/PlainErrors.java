package io.openmessaging.benchmark.worker.server;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** What is answered to what is no request at all: a line, and nothing of what was sent or of what is inside. */
final class PlainErrors implements Request.Handler {

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
        byte[] line = ("refused: " + response.getStatus() + "\n").getBytes(StandardCharsets.UTF_8);
        response.write(true, ByteBuffer.wrap(line), callback);
        return true;
    }
}
