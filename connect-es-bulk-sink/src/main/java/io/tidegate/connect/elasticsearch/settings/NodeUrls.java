package io.tidegate.connect.elasticsearch.settings;

import java.net.URI;
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
        String path = nodes.get(0).getPath();
        for (URI node : nodes) {
            if (!node.getPath().equals(path)) {
                throw new IllegalArgumentException("all URLs must have the same path");
            }
        }
        return nodes;
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
