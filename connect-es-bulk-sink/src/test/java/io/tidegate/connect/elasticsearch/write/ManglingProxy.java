package io.tidegate.connect.elasticsearch.write;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidegate.connect.testkit.elasticsearch.ElasticsearchNode;
import io.tidegate.connect.testkit.net.Certificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A proxy before a node that takes something from each bulk request: its body, its start, its end, or a header. */
final class ManglingProxy implements AutoCloseable {
    private static final int END = 5;

    /** What it takes. */
    enum Taken {
        BODY,
        START,
        END,
        CONTENT_ENCODING
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient http;
    private final ElasticsearchNode node;
    private final Taken taken;

    ManglingProxy(ElasticsearchNode node, Taken taken) throws IOException {
        this.node = node;
        this.taken = taken;
        this.http = HttpClient.newBuilder()
                .sslContext(Certificates.trusting(node.caCertificate()))
                .build();
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::pass);
        server.setExecutor(threads);
        server.start();
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    private void pass(HttpExchange exchange) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(node.url().resolve(exchange.getRequestURI()))
                .method(
                        exchange.getRequestMethod(),
                        HttpRequest.BodyPublishers.ofByteArray(
                                mangled(exchange.getRequestBody().readAllBytes())));
        for (String header : List.of("Authorization", "Content-Type", "Accept")) {
            exchange.getRequestHeaders()
                    .getOrDefault(header, List.of())
                    .forEach(value -> request.header(header, value));
        }
        try {
            HttpResponse<byte[]> response = http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            response.headers().map().forEach((name, values) -> exchange.getResponseHeaders()
                    .put(name, values));
            exchange.sendResponseHeaders(
                    response.statusCode(), response.body().length == 0 ? -1 : response.body().length);
            exchange.getResponseBody().write(response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            exchange.close();
        }
    }

    private byte[] mangled(byte[] body) {
        return switch (taken) {
            case BODY -> new byte[0];
            case START -> Arrays.copyOfRange(body, Math.min(1, body.length), body.length);
            case END -> Arrays.copyOf(body, Math.max(0, body.length - END));
            case CONTENT_ENCODING -> body;
        };
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
