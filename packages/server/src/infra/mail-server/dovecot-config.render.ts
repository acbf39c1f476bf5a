import { type DovecotConfigOptions, dovecotPolicy, folders } from './dovecot-config.policy.ts'
import type { DovecotLanguage } from './dovecot-language.ts'
import { mailGid, mailUid } from './mail-paths.ts'
import { hostnameValue } from './mail-values.ts'

/** dovecot.conf in the language of the installed version. */
export function renderDovecotConfig(options: DovecotConfigOptions, language: DovecotLanguage): string {
  const policy = dovecotPolicy(options)
  const { hostname, listen, paths, policyKey, ports, trusted } = policy
  const local = (name: string, port: number) => `  inet_listener ${name} {
    ${language.listenerAddress} = 127.0.0.1
    port = ${port}
  }
`
  return `${language.header}# Written by the panel.
base_dir = ${paths.dovecot.base}
state_dir = ${paths.dovecot.base}-state
instance_name = panel
protocols = imap lmtp sieve
listen = ${listen.join(', ')}
log_path = ${paths.dovecot.log}
auth_verbose = yes
hostname = ${hostname}
postmaster_address = postmaster@${hostname}
sendmail_path = ${paths.dovecot.send}
stats_writer_socket_path =

ssl = required
${language.certificate(paths.defaultCertificate)}ssl_min_protocol = TLSv1.2

${trusted === undefined ? '' : `# Webmail reports the address of its client.\nlogin_trusted_networks = ${trusted}/32\n`}auth_mechanisms = plain login
# Checked before the name is converted to lower case.
auth_username_chars = abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_+=@
${language.logIns}# Brute-force protection by the panel. Logins continue if the panel is down.
auth_policy_server_url = http://127.0.0.1:${ports.policy}/
auth_policy_server_api_header = X-Panel-Key: ${policyKey}
auth_policy_hash_nonce = ${policyKey}
auth_policy_check_after_auth = no
${language.logInPolicy}
mail_uid = ${mailUid}
mail_gid = ${mailGid}
first_valid_uid = ${mailUid}
last_valid_uid = ${mailUid}
first_valid_gid = ${mailGid}
last_valid_gid = ${mailGid}
${language.mailboxes(policy)}recipient_delimiter = +
namespace inbox {
  inbox = yes
  separator = .
${folders.map(renderFolder).join('')}}

# One file for each domain.
${language.users(policy)}
${language.plugins(policy)}
# High-performance mode: with one process per session, the limit would be 100 sessions.
service imap-login {
  ${language.sharedProcesses}
  process_limit = 4
  client_limit = 2000
  vsz_limit = 512M
  inet_listener imap {
    port = ${ports.imap}
  }
  inet_listener imaps {
    port = ${ports.imaps}
    ssl = yes
  }
}
service imap {
  process_limit = 4000
}
service managesieve-login {
  ${language.sharedProcesses}
  process_limit = 2
  inet_listener sieve {
    port = ${ports.managesieve}
  }
}
service lmtp {
${local('lmtp', ports.lmtp)}}
service auth {
  # For the largest accepted hash: with too little memory, correct passwords fail.
  vsz_limit = 1G
  client_limit = 16000
${local('auth', ports.auth)}}
service quota-status {
  executable = quota-status -p postfix
  client_limit = 5
${local('quota', ports.quota)}}
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

const renderFolder = (name: string): string => `  mailbox ${name} {
    special_use = \\${name}
    auto = subscribe
  }
`

/** By hostname (SNI); included in dovecot.conf. */
export function renderDovecotCertificates(
  certificates: readonly { hostname: string; path: string }[],
  language: Pick<DovecotLanguage, 'certificate'>
): string {
  return certificates
    .map(
      ({ hostname, path }) => `local_name ${certifiedName(hostname)} {
${language.certificate(path).replaceAll(/^/gm, '  ').trimEnd()}
}
`
    )
    .join('')
}

const certifiedName = (hostname: string): string =>
  hostname.startsWith('*.') ? `*.${hostnameValue(hostname.slice(2))}` : hostnameValue(hostname)
