import { mailPaths, type MailDirectories } from '../mail-server/mail-paths.ts'

/** Daemon name of the Postfix service on which the panel submits mail, without authentication. */
export const panelDaemon = 'PANEL'

/** Signs by envelope sender, which Postfix checks against the login. From could be another customer's domain. */
export function renderOpendkimConfig(directories: MailDirectories): string {
  const { dkim } = mailPaths(directories)
  return `# Written by the panel.
Syslog no
Background no
UserID opendkim
Mode s
Socket local:${dkim.socket}
UMask 007
PidFile ${dkim.pid}
Canonicalization relaxed/relaxed
SignatureAlgorithm rsa-sha256
OversignHeaders From
SubDomains no
InternalHosts csl:[::1]
ExternalIgnoreList csl:127.0.0.1
MTA csl:${panelDaemon}
SenderMacro {mail_addr}
KeyTable file:${dkim.keyTable}
SigningTable file:${dkim.signingTable}
RequireSafeKeys yes
SendReports no
SetupPolicyScript ${dkim.senderRules}
FinalPolicyScript ${dkim.senderRules}
`
}
