package io.tidegate.docker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.testkit.net.Http;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The Connect workers of a cluster. Requests go to any worker that responds. Thread-safe. */
final class Workers {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration ANSWER = Duration.ofSeconds(3);
    private static final int OK = 200;

    private final List<URI> workers;
    private final HttpClient http = Http.plain(ANSWER);

    Workers(List<URI> workers) {
        this.workers = List.copyOf(workers);
    }

    /** A task of a connector: its state, its worker, and its trace if it has FAILED. */
    record Task(String name, String state, String worker, String trace) {}

    /** All tasks. Empty if no worker responds at the moment. */
    List<Task> tasks() {
        return workers.stream()
                .map(worker -> ask(worker.resolve("/connectors?expand=status")))
                .flatMap(Optional::stream)
                .findFirst()
                .map(Workers::tasks)
                .orElseGet(List::of);
    }

    private static List<Task> tasks(JsonNode connectors) {
        List<Task> tasks = new ArrayList<>();
        for (JsonNode connector : connectors) {
            JsonNode status = connector.path("status");
            for (JsonNode task : status.path("tasks")) {
                tasks.add(new Task(
                        status.path("name").asText() + "-" + task.path("id").asText(),
                        task.path("state").asText(),
                        task.path("worker_id").asText(),
                        task.path("trace").asText()));
            }
        }
        return tasks;
    }

    /** Whether every worker responds and has a task, and exactly this number of tasks runs. */
    boolean areInOrder(int tasks) {
        List<Task> all = tasks();
        return workers.stream().allMatch(worker -> Http.status(http, worker.resolve("/health"), Map.of()) == OK)
                && all.size() == tasks
                && all.stream().allMatch(task -> task.state().equals("RUNNING"))
                && all.stream().map(Task::worker).distinct().count() == workers.size();
    }

    private Optional<JsonNode> ask(URI uri) {
        try {
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(uri).timeout(ANSWER).build(), HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() == OK ? Optional.of(JSON.readTree(answer.body())) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
