package io.tidegate.connect.elasticsearch.settings;

import io.tidegate.connect.common.settings.ServerUrl;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** The URLs of a cluster's nodes. */
final class NodeUrls {
    private NodeUrls() {}

    /** Parses the list. Throws {@link IllegalArgumentException} with the reason when a URL cannot be used. */
    static List<URI> parse(List<String> urls) {
        if (urls.isEmpty()) {
            throw new IllegalArgumentException("at least one URL is needed");
        }
        String scheme = urls.stream().anyMatch(url -> url.trim().startsWith("https://")) ? "https://" : "http://";
        List<URI> nodes = urls.stream()
                .map(url -> parse(url.contains("://") ? url : scheme + url.trim()))
                .toList();
        String path = nodes.get(0).getRawPath();
        for (URI node : nodes) {
            if (!node.getRawPath().equals(path)) {
                throw new IllegalArgumentException("all URLs must have the same path");
            }
        }
        return nodes;
    }

    /**
     * The address of a deployment on Elastic Cloud. Its id is {@code name:} and, in Base64, {@code
     * host[:port]$elasticsearch$kibana}, where {@code elasticsearch} is the name within the host.
     *
     * @throws IllegalArgumentException with the reason when it is no such id
     */
    static URI ofCloud(String id) {
        String wrong = "an id of Elastic Cloud is name:text, as the deployment's page shows it";
        String[] parts;
        try {
            byte[] text =
                    Base64.getDecoder().decode(id.trim().substring(id.trim().lastIndexOf(':') + 1));
            parts = new String(text, StandardCharsets.UTF_8).split("\\$", -1);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(wrong, e);
        }
        if (parts.length < 2 || parts[0].isBlank() || parts[1].isBlank()) {
            throw new IllegalArgumentException(wrong);
        }
        String[] host = parts[0].split(":", 2);
        String[] name = parts[1].split(":", 2);
        String port = name.length == 2 ? name[1] : host.length == 2 ? host[1] : "443";
        try {
            return parse("https://" + name[0] + "." + host[0] + ":" + port);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(wrong, e);
        }
    }

    private static URI parse(String url) {
        return ServerUrl.parse(
                url.trim().replaceFirst("/+$", ""),
                ConnectionSettings.CONNECTION_USERNAME + " and " + ConnectionSettings.CONNECTION_PASSWORD);
    }
}
