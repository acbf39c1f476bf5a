import { mailGid, mailPaths, mailUid, type MailDirectories } from './mail-paths.ts'
import type { MailPorts } from './mail-ports.ts'
import { addressValue, hexValue, hostnameValue, portValue } from './mail-values.ts'

export interface DovecotConfigOptions extends MailDirectories {
  hostname: string
  listen: readonly string[]
  ports: Pick<MailPorts, 'imap' | 'imaps' | 'managesieve' | 'auth' | 'quota' | 'lmtp' | 'policy'>
  /** Authenticates requests to the login policy server; hexadecimal. */
  policyKey: string
  hasFilter?: boolean
  /** IPv4 address of webmail, which may report the addresses of its clients. */
  trusted?: string | undefined
}

/** Folders created in every mailbox (RFC 6154). */
const folders = ['Drafts', 'Sent', 'Junk', 'Trash', 'Archive']

const sieveExtensions = [
  'fileinto',
  'envelope',
  'encoded-character',
  'vacation',
  'subaddress',
  'comparator-i;ascii-numeric',
  'relational',
  'copy',
  'imap4flags',
  'date',
  'index',
  'body',
  'variables',
  'mailbox',
  'special-use',
  'duplicate',
  'ihave'
]

export function renderDovecotConfig(options: DovecotConfigOptions): string {
  const paths = mailPaths(options)
  const { ports, hasFilter = false } = options
  const hostname = hostnameValue(options.hostname)
  const policyKey = hexValue(options.policyKey)
  if (options.listen.length === 0) throw new TypeError('Dovecot has no address to listen on')
  const home = `${paths.mail}/%Ld/%Ln`
  const users = `username_format=%Lu ${paths.dovecot.users}/%Ld`
  return `# Written by the panel.
base_dir = ${paths.dovecot.base}
state_dir = ${paths.dovecot.base}-state
instance_name = panel
protocols = imap lmtp sieve
listen = ${options.listen.map(addressValue).join(', ')}
log_path = ${paths.dovecot.log}
auth_verbose = yes
hostname = ${hostname}
postmaster_address = postmaster@${hostname}
sendmail_path = ${paths.dovecot.send}
stats_writer_socket_path =

ssl = required
ssl_cert = <${paths.defaultCertificate}
ssl_key = <${paths.defaultCertificate}
ssl_min_protocol = TLSv1.2
ssl_prefer_server_ciphers = yes

disable_plaintext_auth = yes
${options.trusted === undefined ? '' : `# Webmail reports the address of its client.\nlogin_trusted_networks = ${addressValue(options.trusted)}/32\n`}auth_mechanisms = plain login
auth_username_format = %Lu
# Checked before the name is converted to lower case.
auth_username_chars = abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_+=@
# Names without a domain match no user.
auth_default_realm = invalid
# Brute-force protection by the panel. Logins continue if the panel is down.
auth_policy_server_url = http://127.0.0.1:${portValue(ports.policy)}/
auth_policy_server_api_header = X-Panel-Key: ${policyKey}
auth_policy_server_timeout_msecs = 1000
auth_policy_hash_nonce = ${policyKey}
auth_policy_request_attributes = login=%{requested_username} pwhash=%{hashed_password} remote=%{rip} protocol=%s
auth_policy_check_after_auth = no

mail_uid = ${mailUid}
mail_gid = ${mailGid}
first_valid_uid = ${mailUid}
last_valid_uid = ${mailUid}
first_valid_gid = ${mailGid}
last_valid_gid = ${mailGid}
mail_home = ${home}
mail_location = maildir:~/Maildir:LAYOUT=maildir++
mail_plugins = quota
recipient_delimiter = +
namespace inbox {
  inbox = yes
  separator = .
${folders.map(renderFolder).join('')}}

# One file for each domain.
passdb {
  driver = passwd-file
  args = scheme=ARGON2ID ${users}
}
userdb {
  driver = passwd-file
  args = ${users}
  default_fields = uid=${mailUid} gid=${mailGid} home=${home}
}

plugin {
  quota = count:User quota
  quota_vsizes = yes
  quota_rule = *:storage=1G
  quota_grace = 0
  quota_exceeded_message = Quota exceeded (mailbox is full)
  quota_status_success = DUNNO
  quota_status_nouser = DUNNO
  quota_status_overquota = "552 5.2.2 Mailbox is full"
  sieve = file:~/sieve;active=~/.dovecot.sieve
${hasFilter ? junk(paths) : ''}  sieve_before${hasFilter ? '2' : ''} = file:${paths.dovecot.sieve}/%Ld/%Ln.sieve
  sieve_quota_max_scripts = 20
  sieve_quota_max_storage = 1M
  sieve_max_script_size = 256K
  # Explicit, so that updates add none. Excluded: regex (a pattern can block or crash a delivery), enotify (sends mail to anyone),
  # reject (sends arbitrary text to a forged sender).
  sieve_extensions = ${sieveExtensions.join(' ')}
  # Tells the send program which mailbox replies; it replaces the envelope sender with <>.
  sieve_vacation_send_from_recipient = yes
  # Forwarding is done by aliases, which the panel limits.
  sieve_max_redirects = 0
}
protocol imap {
  mail_plugins = $mail_plugins imap_quota${hasFilter ? ' imap_sieve' : ''}
  mail_max_userip_connections = 50
}
protocol lmtp {
  mail_plugins = $mail_plugins sieve
}

# High-performance mode: with one process per session, the limit would be 100 sessions.
service imap-login {
  service_count = 0
  process_limit = 4
  client_limit = 2000
  vsz_limit = 512M
  inet_listener imap {
    port = ${portValue(ports.imap)}
  }
  inet_listener imaps {
    port = ${portValue(ports.imaps)}
    ssl = yes
  }
}
service imap {
  process_limit = 4000
}
service managesieve-login {
  service_count = 0
  process_limit = 2
  inet_listener sieve {
    port = ${portValue(ports.managesieve)}
  }
}
service lmtp {
  inet_listener lmtp {
    address = 127.0.0.1
    port = ${portValue(ports.lmtp)}
  }
}
service auth {
  # For the largest accepted hash: with too little memory, correct passwords fail.
  vsz_limit = 1G
  client_limit = 16000
  inet_listener {
    address = 127.0.0.1
    port = ${portValue(ports.auth)}
  }
}
service quota-status {
  executable = quota-status -p postfix
  client_limit = 5
  inet_listener {
    address = 127.0.0.1
    port = ${portValue(ports.quota)}
  }
}
# Off: a failed login would delay everyone at the same address, such as an office or webmail.
service anvil {
  client_limit = 8000
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}

!include_try ${paths.dovecot.certificates}
`
}

/** Runs before the mailbox's own script: spam goes to Junk and gets no autoreply. */
const junk = ({
  dovecot
}: ReturnType<typeof mailPaths>): string => `  sieve_before = file:${dovecot.spamScripts}/junk.sieve
  sieve_plugins = sieve_imapsieve sieve_extprograms
  # Only for global scripts, not for those of mailboxes.
  sieve_global_extensions = +vnd.dovecot.pipe +imapsieve +environment
  sieve_pipe_bin_dir = ${dovecot.spamPrograms}
  imapsieve_mailbox1_name = Junk
  imapsieve_mailbox1_causes = COPY
  imapsieve_mailbox1_before = file:${dovecot.spamScripts}/learn-spam.sieve
  imapsieve_mailbox2_name = *
  imapsieve_mailbox2_from = Junk
  imapsieve_mailbox2_causes = COPY
  imapsieve_mailbox2_before = file:${dovecot.spamScripts}/learn-ham.sieve
`

const renderFolder = (name: string): string => `  mailbox ${name} {
    special_use = \\${name}
    auto = subscribe
  }
`

export function renderDovecotCertificates(certificates: readonly { hostname: string; path: string }[]): string {
  return certificates
    .map(
      ({ hostname, path }) => `local_name ${certifiedName(hostname)} {
  ssl_cert = <${path}
  ssl_key = <${path}
}
`
    )
    .join('')
}

const certifiedName = (hostname: string): string =>
  hostname.startsWith('*.') ? `*.${hostnameValue(hostname.slice(2))}` : hostnameValue(hostname)
