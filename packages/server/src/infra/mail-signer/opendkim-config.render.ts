import { mailPaths, type MailDirectories } from '../mail-server/mail-paths.ts'

/** What Postfix calls the service by which the panel itself sends: nobody logs in there. */
export const panelDaemon = 'PANEL'

/**
 * The whole opendkim.conf. The sender is that of the envelope, which belongs to who has logged in: by the header, one customer's mail would
 * be signed for another's domain. Nobody is a customer by his address, so that only mail of who has logged in is signed.
 */
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
