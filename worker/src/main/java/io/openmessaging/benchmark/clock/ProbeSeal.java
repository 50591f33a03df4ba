package io.openmessaging.benchmark.clock;

import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;

/**
 * The seal of a datagram: an HMAC-SHA256 at its end, which proves that the sender has the session's key. Not
 * thread-safe.
 */
final class ProbeSeal {

    static final int KEY_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";

    private final Mac mac;
    private final byte[] expected = new byte[ProbeDatagram.SEAL_BYTES];

    /**
     * Creates seals with a session's key.
     *
     * @throws IllegalArgumentException if it does not have 32 bytes
     */
    ProbeSeal(byte[] key) {
        if (key.length != KEY_BYTES) {
            throw new IllegalArgumentException("A key for probes has " + KEY_BYTES + " bytes, not " + key.length);
        }
        try {
            mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("Every Java platform has " + ALGORITHM, e);
        }
    }

    void seal(byte[] datagram) {
        write(datagram, datagram, ProbeDatagram.SEAL);
    }

    /** Returns whether the seal is correct, in a time that does not depend on where it differs. */
    boolean isIntact(byte[] datagram) {
        write(datagram, expected, 0);
        byte[] found = Arrays.copyOfRange(datagram, ProbeDatagram.SEAL, ProbeDatagram.BYTES);
        return MessageDigest.isEqual(expected, found);
    }

    private void write(byte[] datagram, byte[] to, int at) {
        mac.update(datagram, 0, ProbeDatagram.SEAL);
        try {
            mac.doFinal(to, at);
        } catch (ShortBufferException e) {
            throw new IllegalStateException(e);
        }
    }
}
