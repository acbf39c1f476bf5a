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
  /** Whether mail passes the filter of spam, which then learns from what is moved in and out of Junk. */
  hasFilter?: boolean
  /** An IPv4 address whose programs say themselves from where somebody logs in by them: of the webmail. */
  trusted?: string | undefined
}

/** The folders that every mailbox has from the beginning (RFC 6154). */
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

/** The whole dovecot.conf. Throws on a value that has no place in it. */
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
${options.trusted === undefined ? '' : `# Says itself from where somebody logs in by it.\nlogin_trusted_networks = ${addressValue(options.trusted)}/32\n`}auth_mechanisms = plain login
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
${hasFilter ? junk(paths) : ''}  sieve_before${hasFilter ? '2' : ''} = file:${paths.dovecot.sieve}/%Ld/%Ln.sieve
  sieve_quota_max_scripts = 20
  sieve_quota_max_storage = 1M
  sieve_max_script_size = 256K
  # Named, so that none is there that a later version brings. Not among them: regex, by which one pattern holds up or ends a delivery; enotify, which
  # sends mail to anybody; reject, which sends what its author likes to whoever is named as the sender.
  sieve_extensions = ${sieveExtensions.join(' ')}
  # Whose answer it is: the sender that others see is nobody.
  sieve_vacation_send_from_recipient = yes
  # Mail goes on by aliases, which the panel knows.
  sieve_max_redirects = 0
}
protocol imap {
  mail_plugins = $mail_plugins imap_quota${hasFilter ? ' imap_sieve' : ''}
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

/** What goes to Junk goes no further: neither is it answered, nor does the mailbox's own script see it. */
const junk = ({
  dovecot
}: ReturnType<typeof mailPaths>): string => `  sieve_before = file:${dovecot.spamScripts}/junk.sieve
  sieve_plugins = sieve_imapsieve sieve_extprograms
  # Of these scripts alone, and of no mailbox's own.
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
