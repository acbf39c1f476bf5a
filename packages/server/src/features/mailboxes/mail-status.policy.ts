import type { MailStatus } from '@panel/contract/mailboxes'
import type { MailServerProbe } from '../../infra/mail-server/mail-server.ts'

interface Facts {
  probe: MailServerProbe
  filter: MailStatus['spamFilter']['status']
  activeMailboxesCount: number
  checkedAt: Date
}

export function mailStatus({ probe, filter, activeMailboxesCount, checkedAt }: Facts): MailStatus {
  const lastChecked = checkedAt.toISOString()
  const { smtp, imap } = probe
  return {
    service: 'postfix',
    status: statusOf([smtp.port25Open, smtp.port465Open, smtp.port587Open], [smtp.tlsEnforced]),
    ...smtp,
    lastChecked,
    imap: {
      service: 'dovecot',
      status: statusOf([imap.port143Open, imap.port993Open, imap.saslAuthConnected], [imap.tlsEnforced]),
      ...imap,
      activeMailboxesCount,
      lastChecked
    },
    spamFilter: { service: 'rspamd', status: filter, lastChecked }
  }
}

/** `stopped` if no port responds, `degraded` if a port or a security requirement fails. */
function statusOf(doors: readonly boolean[], manners: readonly boolean[]): MailStatus['status'] {
  if (!doors.includes(true)) return 'stopped'
  return [...doors, ...manners].includes(false) ? 'degraded' : 'running'
}
