import { expect, test } from 'vitest'
import { bestOf, chooseMailHost, mailServicesAt } from './client-settings.policy.ts'

const own = ['mail.panel.test', 'panel.test']

test.each<[string[], string, boolean]>([
  [[], 'mail.shop.test', false],
  [['mail.shop.test', 'panel.test'], 'mail.shop.test', true],
  [['*.shop.test'], 'mail.shop.test', true],
  [['shop.test'], 'mail.shop.test', false],
  [['panel.test'], 'panel.test', true],
  [['panel.test', '*.panel.test'], 'mail.panel.test', true],
  [['mail.other.test'], 'mail.shop.test', false]
])('with certificates for %j clients use %s', (trusted, host, isTrusted) =>
  expect(chooseMailHost('shop.test', own, new Set(trusted))).toEqual({ host, isTrusted })
)

test('implicit TLS comes first', () => {
  const ports = { IMAPS_PORT: 1, IMAP_PORT: 2, SUBMISSIONS_PORT: 3, SUBMISSION_PORT: 4, MANAGESIEVE_PORT: 5 }
  const services = mailServicesAt('mail.shop.test', ports)
  expect(services.map(({ service, port, security }) => [service, port, security])).toEqual([
    ['IMAP', 1, 'TLS'],
    ['IMAP', 2, 'STARTTLS'],
    ['SMTP', 3, 'TLS'],
    ['SMTP', 4, 'STARTTLS'],
    ['ManageSieve', 5, 'STARTTLS']
  ])
  expect([bestOf(services, 'IMAP').port, bestOf(services, 'SMTP').port]).toEqual([1, 3])
})
