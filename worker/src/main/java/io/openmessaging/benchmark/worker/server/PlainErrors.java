package io.openmessaging.benchmark.worker.server;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers malformed requests with one line that reveals neither the request nor any internals. */
final class PlainErrors implements Request.Handler {

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
        byte[] line = ("refused: " + response.getStatus() + "\n").getBytes(StandardCharsets.UTF_8);
        response.write(true, ByteBuffer.wrap(line), callback);
        return true;
    }
}
