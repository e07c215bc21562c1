/**
 * Who wrote a record of topics snapshots and control: Ed25519 signatures that travel as record headers, and the keys they are made and
 * checked with.
 *
 * <p>Whoever writes has a {@link io.tailrace.schemas.signing.RecordSigner}; whoever reads has
 * {@link io.tailrace.schemas.signing.TrustedKeys}, and leaves out what they refuse. {@link io.tailrace.schemas.signing.WriterKeys} are
 * both, for whoever reads back what it writes. {@link io.tailrace.schemas.signing.SignatureFormat} says byte by byte what is signed.
 *
 * <pre>{@code
 * RecordSigner signer = RecordSigner.read(Path.of("signing.pem"));
 * byte[] header = signer.sign(topic, key, value);
 * TrustedKeys trusted = TrustedKeys.read(List.of(Path.of("trusted.pem")));
 * trusted.check(topic, key, value, header); // throws UntrustedRecordException
 * }</pre>
 *
 * <p>A signature says who wrote a record. It hides nothing, and it does not say that the record is new or that none is missing.
 */
package io.tailrace.schemas.signing;
