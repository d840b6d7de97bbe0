package io.tidegate.connect.aws;

import io.tidegate.connect.common.credentials.CredentialsException;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/**
 * The worker's own identity, where AWS's SDK finds it: environment, profile, web identity of Kubernetes (IRSA), EKS Pod
 * Identity, task of ECS, instance of EC2. The SDK keeps it and renews it. Any thread.
 */
final class WorkerIdentity implements AwsIdentity, AutoCloseable {
    private final DefaultCredentialsProvider chain =
            DefaultCredentialsProvider.builder().build();

    @Override
    public AwsCredentialsIdentity now() throws CredentialsException {
        try {
            return chain.resolveCredentials();
        } catch (SdkException e) {
            throw new CredentialsException("AWS knows no identity of this worker: " + e.getMessage(), e);
        }
    }

    /** The SDK cannot be told. It renews what expires by its own clock. */
    @Override
    public void refused() {}

    @Override
    public void close() {
        chain.close();
    }
}
