package io.tidegate.connect.elasticsearch.settings;

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
        return parse("https://" + name[0] + "." + host[0] + ":" + port);
    }

    private static URI parse(String url) {
        URI node = URI.create(url.trim().replaceFirst("/+$", ""));
        if (!"http".equals(node.getScheme()) && !"https".equals(node.getScheme())) {
            throw new IllegalArgumentException("a URL must start with http:// or https://");
        }
        if (node.getHost() == null) {
            throw new IllegalArgumentException("a URL must name a host");
        }
        if (node.getRawUserInfo() != null) {
            throw new IllegalArgumentException("a URL must not hold credentials; use "
                    + ConnectionSettings.CONNECTION_USERNAME + " and " + ConnectionSettings.CONNECTION_PASSWORD);
        }
        if (node.getRawQuery() != null || node.getRawFragment() != null) {
            throw new IllegalArgumentException("a URL must end with its path");
        }
        return node;
    }
}
