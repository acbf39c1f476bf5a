import { expect, test } from 'vitest'
import { servedDomain } from './served-domain.policy.ts'

const mailbox = {
  localPart: 'ann',
  passwordHash: 'hash',
  quotaMb: 5,
  isEnabled: true,
  autoreplySubject: null,
  autoreplyText: null as string | null,
  autoreplyFrom: null,
  autoreplyUntil: null
}
const stored = {
  domain: { name: 'example.com' },
  owner: { email: 'owner@example.net', isSuspended: false, mailDomains: ['example.com', 'example.org'] },
  mailboxes: [mailbox],
  aliases: [
    { localPart: '', targets: ['ann@example.com'] },
    { localPart: 'sales', targets: ['ann@example.com', 'x@example.net'] },
    { localPart: 'abuse', targets: ['x@example.net'] }
  ]
}

test('a domain as the mail servers receive it', () => {
  expect(servedDomain(stored)).toEqual({
    name: 'example.com',
    isSuspended: false,
    mailboxes: [{ localPart: 'ann', passwordHash: 'hash', quotaMb: 5, mayLogIn: true, sieve: undefined }],
    aliases: [
      { localPart: undefined, targets: ['ann@example.com'], senders: ['ann@example.com'] },
      { localPart: 'sales', targets: ['ann@example.com', 'x@example.net'], senders: ['ann@example.com'] },
      { localPart: 'abuse', targets: ['x@example.net'], senders: [] },
      { localPart: 'postmaster', targets: ['owner@example.net'], senders: [] }
    ]
  })
})

test('a domain without addresses is not served', () => {
  expect(servedDomain({ ...stored, mailboxes: [], aliases: [] })).toBeUndefined()
})

test('the autoreply also covers aliases of the mailbox', () => {
  const served = servedDomain({ ...stored, mailboxes: [{ ...mailbox, autoreplyText: 'I am away.' }] })
  expect(served!.mailboxes[0]!.sieve).toContain(':addresses ["ann@example.com", "sales@example.com"]')
})
