import { type DovecotPolicy, globalSieveExtensions, sieveExtensions } from './dovecot-config.policy.ts'
import type { DovecotLanguage } from './dovecot-language.ts'
import { mailGid, mailUid } from './mail-paths.ts'

const home = (mail: string): string => `${mail}/%Ld/%Ln`

/** Debian 12. */
export const dovecot23: DovecotLanguage = {
  header: '',
  certificate: (path) => `ssl_cert = <${path}
ssl_key = <${path}
`,
  logIns: `ssl_prefer_server_ciphers = yes
disable_plaintext_auth = yes
auth_username_format = %Lu
# Names without a domain match no user.
auth_default_realm = invalid
`,
  logInPolicy: `auth_policy_server_timeout_msecs = 1000
auth_policy_request_attributes = login=%{requested_username} pwhash=%{hashed_password} remote=%{rip} protocol=%s
`,
  mailboxes: ({ paths }) => `mail_home = ${home(paths.mail)}
mail_location = maildir:~/Maildir:LAYOUT=maildir++
mail_plugins = quota
`,
  users({ paths }) {
    const file = `username_format=%Lu ${paths.dovecot.users}/%Ld`
    return `passdb {
  driver = passwd-file
  args = scheme=ARGON2ID ${file}
}
userdb {
  driver = passwd-file
  args = ${file}
  default_fields = uid=${mailUid} gid=${mailGid} home=${home(paths.mail)}
}
`
  },
  plugins: (policy) => `plugin {
  quota = count:User quota
  quota_vsizes = yes
  quota_rule = *:storage=1G
  quota_grace = 0
  quota_exceeded_message = Quota exceeded (mailbox is full)
  quota_status_success = DUNNO
  quota_status_nouser = DUNNO
  quota_status_overquota = "552 5.2.2 Mailbox is full"
  sieve = file:~/sieve;active=~/.dovecot.sieve
${policy.hasFilter ? junk(policy) : ''}  sieve_before${policy.hasFilter ? '2' : ''} = file:${policy.paths.dovecot.sieve}/%Ld/%Ln.sieve
  sieve_quota_max_scripts = 20
  sieve_quota_max_storage = 1M
  sieve_max_script_size = 256K
  sieve_max_cpu_time = 30s
  sieve_extensions = ${sieveExtensions.join(' ')}
  # Tells the send program which mailbox replies; it replaces the envelope sender with <>.
  sieve_vacation_send_from_recipient = yes
  # Forwarding is done by aliases, which the panel limits.
  sieve_max_redirects = 0
}
protocol imap {
  mail_plugins = $mail_plugins imap_quota${policy.hasFilter ? ' imap_sieve' : ''}
  mail_max_userip_connections = 50
}
protocol lmtp {
  mail_plugins = $mail_plugins sieve
}
`,
  sharedProcesses: 'service_count = 0',
  listenerAddress: 'address'
}

/** Runs before the mailbox's own script: spam goes to Junk and gets no autoreply. */
const junk = ({ paths: { dovecot } }: DovecotPolicy): string => `  sieve_before = file:${dovecot.spamScripts}/junk.sieve
  sieve_plugins = sieve_imapsieve sieve_extprograms
  sieve_global_extensions = ${globalSieveExtensions.map((name) => `+${name}`).join(' ')}
  sieve_pipe_bin_dir = ${dovecot.spamPrograms}
  imapsieve_mailbox1_name = Junk
  imapsieve_mailbox1_causes = COPY
  imapsieve_mailbox1_before = file:${dovecot.spamScripts}/learn-spam.sieve
  imapsieve_mailbox2_name = *
  imapsieve_mailbox2_from = Junk
  imapsieve_mailbox2_causes = COPY
  imapsieve_mailbox2_before = file:${dovecot.spamScripts}/learn-ham.sieve
`
