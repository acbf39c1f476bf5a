import { mailGid, mailPaths, mailUid, type MailDirectories } from './mail-paths.ts'
import type { MailPorts } from './mail-ports.ts'
import { addressValue, hexValue, hostnameValue, portValue } from './mail-values.ts'

export interface DovecotConfigOptions extends MailDirectories {
  /** As it greets, and in what it adds to messages. */
  hostname: string
  /** IMAP and ManageSieve; the rest is on loopback. */
  listen: readonly string[]
  ports: Pick<MailPorts, 'imap' | 'imaps' | 'managesieve' | 'auth' | 'quota' | 'lmtp' | 'policy'>
  /** Of the questions about log-ins: hexadecimal. */
  policyKey: string
}

/** The folders that every mailbox has from the beginning (RFC 6154). */
const folders = ['Drafts', 'Sent', 'Junk', 'Trash', 'Archive']

/** The whole dovecot.conf. Throws on a value that has no place in it. */
export function renderDovecotConfig(options: DovecotConfigOptions): string {
  const paths = mailPaths(options)
  const { ports } = options
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
auth_mechanisms = plain login
auth_username_format = %Lu
# Looked at before the letters are made small.
auth_username_chars = abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_+=@
# A name without a domain is nobody's.
auth_default_realm = invalid
# The panel closes the door to who guesses. It goes on by itself where the panel is away.
auth_policy_server_url = http://127.0.0.1:${portValue(ports.policy)}/
auth_policy_server_api_header = X-Panel-Key: ${policyKey}
auth_policy_server_timeout_msecs = 1000
auth_policy_hash_nonce = ${policyKey}
auth_policy_request_attributes = login=%{requested_username} pwhash=%{hashed_password} remote=%{rip}
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
  sieve_before = file:${paths.dovecot.sieve}/%Ld/%Ln.sieve
  sieve_quota_max_scripts = 20
  sieve_quota_max_storage = 1M
  sieve_max_script_size = 256K
  # Mail goes on by aliases, which the panel knows.
  sieve_max_redirects = 0
}
protocol imap {
  mail_plugins = $mail_plugins imap_quota
  mail_max_userip_connections = 50
}
protocol lmtp {
  mail_plugins = $mail_plugins sieve
}

# A process for many sessions: with one for each, a hundred of them would be all that there can be.
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
  # For the largest hash that is taken: with too little memory, a right password is taken for a wrong one.
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
# Who fails keeps others of his address waiting otherwise, also with the right password: all of an office, or of webmail.
service anvil {
  client_limit = 8000
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}

!include_try ${paths.dovecot.certificates}
`
}

const renderFolder = (name: string): string => `  mailbox ${name} {
    special_use = \\${name}
    auto = subscribe
  }
`

/** The certificates by host name, each in a file with its key. */
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
