package io.tidegate.connect.aws;

import io.tidegate.connect.common.credentials.CredentialsException;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** Who the sink is to AWS at the moment it is asked. Any thread. */
interface AwsIdentity {
    /**
     * The credentials now.
     *
     * @throws CredentialsException when there are none
     */
    AwsCredentialsIdentity now() throws CredentialsException;

    /** AWS has refused the credentials: they are fetched again. */
    void refused();
}
