import { expect, test } from 'vitest'
import { type AlertFacts, alertOf } from './alert.policy.ts'

const now = new Date('2030-01-10T12:00:00.000Z')
const day = 24 * 3600 * 1000
const inDays = (days: number) => new Date(now.getTime() + days * day)
const facts = (values: Partial<AlertFacts> = {}): AlertFacts => ({
  status: 'ACTIVE',
  type: 'LETS_ENCRYPT',
  validTo: inDays(60),
  failures: 0,
  errorMessage: null,
  errorSentences: [],
  renewAt: inDays(30),
  autoRenew: true,
  ...values
})

test.each<[string, Partial<AlertFacts>, unknown]>([
  ['all is well', {}, undefined],
  ['one failed renewal', { failures: 1 }, undefined],
  ['a first order', { status: 'PENDING', validTo: null, renewAt: null }, undefined],
  ['8 days', { validTo: inDays(7.001) }, undefined],
  ['7 days', { validTo: inDays(7) }, { reason: 'EXPIRING_SOON', daysLeft: 7 }],
  ['an hour', { validTo: inDays(1 / 24) }, { reason: 'EXPIRING_SOON', daysLeft: 0 }],
  ['no time', { validTo: now }, { reason: 'EXPIRED', daysLeft: 0 }],
  ['a day ago', { validTo: inDays(-1) }, { reason: 'EXPIRED', daysLeft: -1 }],
  ['a renewal does not hide the end', { status: 'PENDING', validTo: inDays(-1) }, { reason: 'EXPIRED' }],
  ['two failed renewals', { failures: 2 }, { reason: 'RENEWAL_FAILING', daysLeft: 60 }],
  ['the same while it is tried', { failures: 2, status: 'PENDING' }, { reason: 'RENEWAL_FAILING' }],
  ['the end counts more', { failures: 9, validTo: inDays(1) }, { reason: 'EXPIRING_SOON' }],
  ['nothing to serve', { status: 'ERROR', validTo: null, failures: 1 }, { reason: 'ISSUANCE_FAILED', daysLeft: null }],
  ['nothing to serve, tried again', { status: 'PENDING', validTo: null, failures: 1 }, { reason: 'ISSUANCE_FAILED' }]
])('%s', (_name, values, expected) => {
  const alert = alertOf('shop.example', facts(values), now)
  if (expected === undefined) expect(alert).toBeUndefined()
  else expect(alert).toMatchObject(expected as object)
})

test.each<[Partial<AlertFacts>, RegExp]>([
  [
    { failures: 2, errorMessage: 'No address' },
    /^.*valid until 2030-03-11.* Last attempt: No address\. The next automatic attempt is on 2030-02-09 at 12:00 UTC\.$/
  ],
  [
    {
      failures: 2,
      errorMessage: 'x',
      errorSentences: [{ code: 'AUTHORITY_REFUSED', values: { answer: 'No address' } }]
    },
    / Last attempt: The certificate authority rejected the order: No address\. The next automatic attempt is on /
  ],
  [{ validTo: inDays(1), type: 'CUSTOM', renewAt: null }, /Upload a new certificate/],
  [{ validTo: inDays(1), autoRenew: false, renewAt: null }, /enable automatic renewal/],
  [{ validTo: null, status: 'ERROR', failures: 4, renewAt: null }, /no automatic retry/],
  [{ failures: 3, status: 'PENDING', renewAt: null }, /attempt is in progress/]
])('the message of %j names the next step', (values, message) =>
  expect(alertOf('shop.example', facts(values), now)!.message).toMatch(message)
)
