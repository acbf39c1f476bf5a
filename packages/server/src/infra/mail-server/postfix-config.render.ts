import { deliveryTestAddress } from '../../text/delivery-test-address.ts'
import { intakeDomain } from '../mail-intake/intake-address.ts'
import { mailPaths, type MailDirectories, mailGid, mailUid } from './mail-paths.ts'
import type { MailPorts } from './mail-ports.ts'
import { panelDaemon } from '../mail-signer/opendkim-config.render.ts'
import { forRegexp, forwarding, forwardingServices } from './postfix-forwarding.render.ts'
import { addressValue, hostnameValue, portValue, wholeValue } from './mail-values.ts'

export interface PostfixConfigOptions extends MailDirectories {
  /** Name in greetings and in bounces. */
  hostname: string
  /** For SMTP; other listeners are on loopback. */
  listen: readonly string[]
  ports: Pick<
    MailPorts,
    'smtp' | 'submission' | 'submissions' | 'auth' | 'quota' | 'lmtp' | 'forward' | 'srs' | 'srsReverse'
  >
  /** Bytes per message. */
  messageLimit: number
  /** IPv4 address of webmail, exempt from rate limits per client. */
  trusted?: string | undefined
  hasFilter?: boolean
  /**
   * SHA-256 fingerprint of the forwarding key (forwarding-key.ts), `AB:CD:…`. Undefined: no SRS, forwarded mail keeps
   * its envelope sender.
   */
  forwardingKey?: string | undefined
}

/** If the filter is down mail is accepted; if it hangs, after half a minute. */
const filterMilter = (socket: string): string =>
  `{ unix:${socket}, connect_timeout=5s, command_timeout=10s, content_timeout=30s, default_action=accept }`
/** Never send unsigned mail; shorter than the client's own timeout. */
const signerMilter = (socket: string): string =>
  `{ unix:${socket}, connect_timeout=5s, command_timeout=10s, content_timeout=60s }`
/** Free disk space that the queue must leave. */
const leastFree = 2 ** 30
/** Per client address of incoming mail: messages, and recipients, even if no message follows. */
const [perMinuteFromServers, recipientsFromServers] = [600, 1_200]

/** Sending policy server; mail is accepted if it does not respond. */
const limitsOf = ({ postfix }: ReturnType<typeof mailPaths>): string =>
  `{ unix:${postfix.limits}, timeout=3s, try_limit=1, default_action=DUNNO }`

/** Renders main.cf. Throws on invalid values. */
export function renderPostfixMain(options: PostfixConfigOptions): string {
  const paths = mailPaths(options)
  const { ports } = options
  const map = (name: string) => `lmdb:${paths.postfix.maps}/${name}`
  const messageLimit = wholeValue(options.messageLimit)
  const hostname = hostnameValue(options.hostname)
  const intake = `intake:unix:${paths.postfix.intake}`
  return `# Written by the panel.
compatibility_level = 3.6
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
data_directory = ${paths.postfix.data}
queue_directory = ${paths.postfix.queue}
mail_owner = postfix
setgid_group = postdrop
sendmail_path = /usr/sbin/sendmail
newaliases_path = /usr/bin/newaliases
mailq_path = /usr/bin/mailq
html_directory = no
readme_directory = no
manpage_directory = /usr/share/man
sample_directory = no

myhostname = ${hostname}
myorigin = $myhostname
mydestination =
local_recipient_maps =
alias_maps =
alias_database =
local_transport = error:5.1.1 Mailbox not found
biff = no
append_dot_mydomain = no
recipient_delimiter = +
smtputf8_enable = no
notify_classes =
inet_interfaces = all
inet_protocols = ${options.listen.some((address) => address.includes(':')) ? 'all' : 'ipv4'}

# No relaying by client address, not even for this host or its containers.
mynetworks =
relay_domains =
parent_domain_matches_subdomains =
smtpd_relay_restrictions = permit_sasl_authenticated, reject_unauth_destination
smtpd_recipient_restrictions = reject_non_fqdn_recipient, check_recipient_access ${map('recipients')},
 reject_unlisted_recipient,
 check_policy_service { inet:127.0.0.1:${portValue(ports.quota)}, timeout=10s, default_action=DUNNO },
 check_policy_service ${limitsOf(paths)}
smtpd_helo_required = yes
disable_vrfy_command = yes
strict_rfc821_envelopes = yes
smtpd_data_restrictions = reject_unauth_pipelining
smtpd_end_of_data_restrictions = check_policy_service ${limitsOf(paths)}
smtpd_forbid_unauth_pipelining = yes
smtpd_forbid_bare_newline = yes
smtpd_reject_unlisted_sender = no
smtpd_client_connection_count_limit = 50
smtpd_client_message_rate_limit = ${perMinuteFromServers}
smtpd_client_recipient_rate_limit = ${recipientsFromServers}
# No DSN: success notifications would reveal alias targets.
smtpd_discard_ehlo_keywords = dsn, etrn
smtpd_client_auth_rate_limit = 30
smtpd_client_event_limit_exceptions = 127.0.0.0/8, [::1]/128${options.trusted === undefined ? '' : `, ${addressValue(options.trusted)}/32`}
local_header_rewrite_clients = permit_sasl_authenticated

virtual_transport = lmtp:inet:127.0.0.1:${portValue(ports.lmtp)}
virtual_mailbox_domains = inline:{ { ${hostname} = OK } }, ${map('domains')}
virtual_mailbox_maps = inline:{ { ${deliveryTestAddress(hostname)} = OK } }, ${map('mailboxes')}
virtual_alias_domains =
virtual_alias_maps = ${map('aliases')}
virtual_uid_maps = static:${mailUid}
virtual_gid_maps = static:${mailGid}
virtual_minimum_uid = ${mailUid}
virtual_mailbox_base = ${paths.mail}
# Mail that the panel reads. Rejected copies do not bounce to the sender.
transport_maps = inline:{ { ${intakeDomain} = ${intake} }, { ${hostname} = ${intake} } }, ${map('transports')}
recipient_bcc_maps = ${map('reports')}
intake_destination_recipient_limit = 1

enable_long_queue_ids = yes
maximal_queue_lifetime = 5d
bounce_queue_lifetime = 1d
message_size_limit = ${messageLimit}
mailbox_size_limit = 0
virtual_mailbox_limit = 0
queue_minfree = ${Math.max(2 * messageLimit, leastFree)}
bounce_size_limit = 1

smtpd_tls_chain_files = ${paths.defaultCertificate}
tls_server_sni_maps = lmdb:${paths.postfix.certificates}
smtpd_tls_security_level = may
smtpd_tls_auth_only = yes
smtpd_tls_protocols = >=TLSv1.2
smtpd_tls_mandatory_protocols = >=TLSv1.2
smtpd_tls_received_header = yes
smtp_tls_security_level = may
smtp_tls_CApath = /etc/ssl/certs
tls_random_source = dev:/dev/urandom

smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:${portValue(ports.auth)}
smtpd_sasl_auth_enable = no
smtpd_sasl_security_options = noanonymous
smtpd_sender_login_maps = ${map('senders')}

# DKIM signer, for authenticated senders: defer mail rather than send it unsigned.
milter_default_action = tempfail
milter_protocol = 6
${options.hasFilter ? filtering(paths) : ''}${options.forwardingKey === undefined ? '' : forwarding(options, map('origins'))}
# UTC, since log lines have no time zone. The rest is the default.
import_environment = MAIL_CONFIG MAIL_DEBUG MAIL_LOGTAG TZ=UTC XAUTHORITY DISPLAY LANG=C POSTLOG_SERVICE POSTLOG_HOSTNAME
maillog_file = ${paths.postfix.mailLog}
maillog_file_prefixes = ${paths.logs}
`
}

/** Removes spam headers set by others; the filter adds its own afterwards. */
const filtering = ({
  filter
}: ReturnType<typeof mailPaths>): string => `smtpd_milters = ${filterMilter(filter.incoming)}
header_checks = regexp:{ ${withoutSpamHeaders} }
`
const withoutSpamHeaders = '{ /^X-(Spam|Spamd|Rspamd)(-[!-9;-~]*)?:/ IGNORE }'

/** Received header of authenticated clients without name, address and TLS session. `$$`: main.cf expands `$`. */
const withoutClient = (hostname: string): string =>
  String.raw`{ /^Received: from .*[[:space:]]by (${forRegexp(hostname)} \(Postfix\) with E?SMTPS?A id .*)$$/ REPLACE Received: by $$1 }`

/** Messages per minute and client address. */
const perMinute = 100

const submission = (
  name: string,
  paths: ReturnType<typeof mailPaths>,
  hasFilter: boolean,
  more: readonly string[]
): string =>
  [
    `syslog_name=postfix/${name}`,
    'smtpd_tls_security_level=encrypt',
    'smtpd_sasl_auth_enable=yes',
    'smtpd_client_restrictions=permit_sasl_authenticated,reject',
    `smtpd_sender_restrictions=check_sasl_access,lmdb:${paths.postfix.maps}/logins,check_sender_access,inline:{<>=REJECT},reject_sender_login_mismatch`,
    'smtpd_relay_restrictions=permit_sasl_authenticated,reject',
    hasFilter
      ? `{ smtpd_milters = ${filterMilter(paths.filter.outgoing)}, ${signerMilter(paths.dkim.socket)} }`
      : `{ smtpd_milters = ${signerMilter(paths.dkim.socket)} }`,
    'milter_macro_daemon_name=ORIGINATING',
    'smtpd_discard_ehlo_keywords=etrn',
    // Also limits senders if the policy server is down.
    `smtpd_client_message_rate_limit=${perMinute}`,
    `smtpd_client_recipient_rate_limit=${5 * perMinute}`,
    // Checked before the message body is transferred.
    `{ smtpd_data_restrictions = reject_unauth_pipelining, check_policy_service ${limitsOf(paths)} }`,
    'smtpd_end_of_data_restrictions=',
    'cleanup_service_name=submission-cleanup',
    ...more
  ]
    .map((option) => `  -o ${option}\n`)
    .join('')

export function renderPostfixMaster(options: PostfixConfigOptions): string {
  const paths = mailPaths(options)
  const { ports, hasFilter = false, forwardingKey } = options
  if (options.listen.length === 0) throw new TypeError('Postfix has no address to listen on')
  const listen = (port: number, settings = '') =>
    options.listen.map((address) => `${socketAddress(address, port)} inet n - n - 300 smtpd\n${settings}`).join('')
  return `# Written by the panel.
# service type private unprivileged chroot wakeup maximum command
${listen(ports.smtp)}${listen(ports.submission, submission('submission', paths, hasFilter, []))}${listen(ports.submissions, submission('submissions', paths, hasFilter, ['smtpd_tls_wrappermode=yes']))}# Sieve responses: sender <>, on a socket that only Dovecot can open.
reply unix n - n - 10 smtpd
  -o syslog_name=postfix/reply
  -o smtpd_tls_security_level=none
${hasFilter ? '  -o smtpd_milters=\n' : ''}  -o smtpd_client_restrictions=permit
  -o smtpd_relay_restrictions=check_sender_access,inline:{<>=OK},reject
  -o smtpd_recipient_restrictions=
  -o smtpd_end_of_data_restrictions=
# Mail sent by the panel: only Postfix and root can reach the directory.
panel unix - - n - 5 smtpd
  -o syslog_name=postfix/panel
  -o smtpd_tls_security_level=none
  -o smtpd_client_restrictions=permit
  -o smtpd_relay_restrictions=check_client_access,static:OK,reject
  -o smtpd_recipient_restrictions=
  -o smtpd_end_of_data_restrictions=
  -o { smtpd_milters = ${signerMilter(paths.dkim.socket)} }
  -o milter_macro_daemon_name=${panelDaemon}
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
# Removes the client's address from the header. Attached messages are unchanged.
submission-cleanup unix n - n - 0 cleanup
  -o syslog_name=postfix/submission
  -o { header_checks = regexp:{ ${hasFilter ? `${withoutSpamHeaders}, ` : ''}${withoutClient(hostnameValue(options.hostname))} } }
  -o mime_header_checks=
  -o nested_header_checks=
# Adding a domain reloads Postfix; messages in the active queue then wait for the next scan.
qmgr unix n - n 30 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
# IPv4 only: the SPF record does not list the IPv6 address, and many receivers would reject such mail.
smtp unix - - n - - smtp
  -o inet_protocols=ipv4
relay unix - - n - - smtp
  -o inet_protocols=ipv4
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
lmtp unix - - n - - lmtp
intake unix - - n - 2 lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
${forwardingKey === undefined ? '' : forwardingServices(options, paths, forwardingKey)}`
}

const socketAddress = (address: string, port: number): string => {
  const checked = addressValue(address)
  return `${checked.includes(':') ? `[${checked}]` : checked}:${portValue(port)}`
}
