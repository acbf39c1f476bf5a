import { type DovecotPolicy, globalSieveExtensions, sieveExtensions } from './dovecot-config.policy.ts'
import type { DovecotLanguage } from './dovecot-language.ts'
import { mailGid, mailUid } from './mail-paths.ts'

const lowerUser = '%{user | lower}'
const lowerDomain = '%{user | domain | lower}'
const lowerLocalPart = '%{user | username | lower}'

const home = (mail: string): string => `${mail}/${lowerDomain}/${lowerLocalPart}`

/** Debian 13. */
export const dovecot24: DovecotLanguage = {
  // The storage version is that of Debian 12: a mailbox may be restored there.
  header: `dovecot_config_version = 2.4.0
dovecot_storage_version = 2.3.0
`,
  certificate: (path) => `ssl_server_cert_file = ${path}
ssl_server_key_file = ${path}
`,
  logIns: `ssl_server_prefer_ciphers = server
auth_allow_cleartext = no
auth_username_format = ${lowerUser}
# Names without a domain match no user.
auth_default_domain = invalid
`,
  logInPolicy: `auth_policy {
  http_client_request_absolute_timeout = 1s
}
auth_policy_request_attributes {
  login = %{requested_username}
  pwhash = %{hashed_password}
  remote = %{remote_ip}
  protocol = %{protocol}
}
`,
  mailboxes: ({ paths }) => `mail_home = ${home(paths.mail)}
mail_driver = maildir
mail_path = ~/Maildir
mailbox_list_layout = maildir++
mail_plugins = quota
`,
  users({ paths }) {
    const file = `  auth_username_format = ${lowerUser}
  passwd_file_path = ${paths.dovecot.users}/${lowerDomain}
`
    return `passdb passwd-file {
  default_password_scheme = ARGON2ID
${file}}
userdb passwd-file {
${file}  fields {
    uid:default = ${mailUid}
    gid:default = ${mailGid}
    home:default = ${home(paths.mail)}
  }
}
`
  },
  plugins: (policy) => `quota "User quota" {
  driver = count
}
quota_storage_size = 1G
quota_storage_grace = 0
quota_exceeded_message = Quota exceeded (mailbox is full)
quota_status_success = DUNNO
quota_status_nouser = DUNNO
quota_status_overquota = 552 5.2.2 Mailbox is full
# Without it, the answer to a message larger than the quota is empty, which Postfix takes for a configuration error.
quota_status_toolarge = 552 5.2.2 Mailbox is full
sieve_script personal {
  path = ~/sieve
  active_path = ~/.dovecot.sieve
}
${policy.hasFilter ? junk(policy) : ''}sieve_script rules {
  type = before
  path = ${policy.paths.dovecot.sieve}/${lowerDomain}/${lowerLocalPart}.sieve
}
sieve_quota_script_count = 20
sieve_quota_storage_size = 1M
sieve_max_script_size = 256K
sieve_max_cpu_time = 30s
sieve_extensions = ${sieveExtensions.join(' ')}
# Tells the send program which mailbox replies; it replaces the envelope sender with <>.
sieve_vacation_send_from_recipient = yes
# Forwarding is done by aliases, which the panel limits.
sieve_max_redirects = 0
protocol imap {
  mail_plugins {
    imap_quota = yes
${policy.hasFilter ? '    imap_sieve = yes\n' : ''}  }
  mail_max_userip_connections = 50
}
protocol lmtp {
  mail_plugins {
    sieve = yes
  }
}
`,
  sharedProcesses: 'restart_request_count = unlimited',
  listenerAddress: 'listen'
}

/** Runs before the mailbox's own script: spam goes to Junk and gets no autoreply. */
const junk = ({ paths: { dovecot } }: DovecotPolicy): string => `sieve_script junk {
  type = before
  path = ${dovecot.spamScripts}/junk.sieve
}
sieve_plugins = sieve_imapsieve sieve_extprograms
sieve_global_extensions {
${[...globalSieveExtensions, 'vnd.dovecot.imapsieve'].map((name) => `  ${name} = yes\n`).join('')}}
sieve_pipe_bin_dir = ${dovecot.spamPrograms}
mailbox Junk {
  sieve_script learn-spam {
    type = before
    cause = copy
    path = ${dovecot.spamScripts}/learn-spam.sieve
  }
}
imapsieve_from Junk {
  sieve_script learn-ham {
    type = before
    cause = copy
    path = ${dovecot.spamScripts}/learn-ham.sieve
  }
}
`
