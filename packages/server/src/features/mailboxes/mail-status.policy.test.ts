import { expect, test } from 'vitest'
import { mailStatus } from './mail-status.policy.ts'

const smtp = { port25Open: true, port465Open: true, port587Open: true, tlsEnforced: true }
const imap = { port143Open: true, port993Open: true, tlsEnforced: true, saslAuthConnected: true }
const none = {
  smtp: { port25Open: false, port465Open: false, port587Open: false, tlsEnforced: false },
  imap: { port143Open: false, port993Open: false, tlsEnforced: false, saslAuthConnected: false }
}

test.each([
  ['running', 'running', { smtp, imap }],
  ['stopped', 'stopped', none],
  ['degraded', 'running', { smtp: { ...smtp, port25Open: false }, imap }],
  ['degraded', 'running', { smtp: { ...smtp, tlsEnforced: false }, imap }],
  ['running', 'degraded', { smtp, imap: { ...imap, saslAuthConnected: false } }],
  ['running', 'degraded', { smtp, imap: { ...imap, tlsEnforced: false } }],
  ['running', 'degraded', { smtp, imap: { ...none.imap, saslAuthConnected: true } }]
])('SMTP is %s and IMAP %s', (first, second, probe) => {
  const status = mailStatus({ probe, filter: 'running', activeMailboxesCount: 3, checkedAt: new Date(0) })
  expect([status.status, status.imap.status]).toEqual([first, second])
  expect(status.imap).toMatchObject({ ...probe.imap, activeMailboxesCount: 3, lastChecked: '1970-01-01T00:00:00.000Z' })
})
