import type { PostfixConfigOptions } from './postfix-config.render.ts'
import type { mailPaths } from './mail-paths.ts'
import { fingerprintValue, hostnameValue, portValue, wholeValue } from './mail-values.ts'

export const forRegexp = (hostname: string): string => hostname.replaceAll('.', String.raw`\.`)

/**
 * SRS. Only trivial-rewrite knows that a recipient is remote, and only cleanup, which runs earlier, can rewrite
 * envelope senders. So forwarded mail of foreign senders passes through a second smtpd and cleanup (master.cf), and
 * local mailboxes get mail with the original sender. Only addresses that look like SRS addresses are looked up: if
 * postsrsd is down, other mail is unaffected.
 */
export const forwarding = (options: PostfixConfigOptions, origins: string): string => {
  const hostname = forRegexp(hostnameValue(options.hostname))
  const { forward, srsReverse } = options.ports
  return String.raw`default_transport = forward:[127.0.0.1]:${portValue(forward)}
sender_dependent_default_transport_maps = regexp:{ { /^[^@]*$$/ smtp: }, { /@${hostname}$$/ smtp: } }, ${origins}
recipient_canonical_maps = pipemap:{ regexp:{ { /^(SRS[01][=+-].*@${hostname})$$/ $$1 } }, tcp:127.0.0.1:${portValue(srsReverse)} }
recipient_canonical_classes = envelope_recipient
`
}

/** Second pass of forwarded mail. The port accepts only the service `forward`; both authenticate with one key pair. */
export const forwardingServices = (
  { ports, messageLimit }: PostfixConfigOptions,
  paths: ReturnType<typeof mailPaths>,
  key: string
): string => `# Second pass of forwarded mail: rewrites the envelope sender (SRS), everything else is already done.
forward unix - - n - - smtp
  -o syslog_name=postfix/forward
  -o inet_protocols=ipv4
  -o smtp_tls_security_level=fingerprint
  -o smtp_tls_fingerprint_digest=sha256
  -o smtp_tls_fingerprint_cert_match=${fingerprintValue(key)}
  -o smtp_tls_chain_files=${paths.postfix.forwardingKey}
127.0.0.1:${portValue(ports.forward)} inet n - n - 20 smtpd
  -o syslog_name=postfix/forward
  -o smtpd_tls_security_level=encrypt
  -o smtpd_tls_chain_files=${paths.postfix.forwardingKey}
  -o tls_server_sni_maps=
  -o smtpd_tls_received_header=no
  -o smtpd_tls_ask_ccert=yes
  -o smtpd_tls_fingerprint_digest=sha256
  -o relay_clientcerts=inline:{${fingerprintValue(key)}=OK}
  -o smtpd_client_restrictions=permit_tls_clientcerts,reject
  -o smtpd_relay_restrictions=permit_tls_clientcerts,reject
  -o smtpd_recipient_restrictions=
  -o smtpd_end_of_data_restrictions=
  -o smtpd_milters=
  -o smtpd_discard_ehlo_keywords=etrn
  -o message_size_limit=${wholeValue(messageLimit) + roomForHeaders}
  -o cleanup_service_name=forward-cleanup
  -o content_filter=smtp:
forward-cleanup unix n - n - 0 cleanup
  -o syslog_name=postfix/forward
  -o sender_canonical_maps=tcp:127.0.0.1:${portValue(ports.srs)}
  -o sender_canonical_classes=envelope_sender
  -o recipient_canonical_maps=
  -o virtual_alias_maps=
  -o recipient_bcc_maps=
  -o header_checks=
  -o message_size_limit=${wholeValue(messageLimit) + roomForHeaders}
`
/** Headers that the first pass adds. */
const roomForHeaders = 2 ** 16
