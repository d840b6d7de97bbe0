package io.tidegate.connect.common.settings;

import java.net.URI;

/** The URL of a server's HTTP API, as a setting names it. */
public final class ServerUrl {
    private ServerUrl() {}

    /**
     * Parses a URL. It has a host, and perhaps a port and a path.
     *
     * @param credentials the settings for what must not be in it
     * @throws IllegalArgumentException with the reason when it has another form
     */
    public static URI parse(String text, String credentials) {
        URI url = URI.create(text.trim());
        if (!("http".equals(url.getScheme()) || "https".equals(url.getScheme())) || url.getHost() == null) {
            throw new IllegalArgumentException("a URL starts with http:// or https:// and a host");
        }
        if (url.getRawUserInfo() != null || url.getRawQuery() != null || url.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "a URL has only a host, a port and a path; for credentials see " + credentials);
        }
        return url;
    }
}
