import { expect, test } from 'vitest'
import { type PostfixConfigOptions, renderPostfixMain, renderPostfixMaster } from './postfix-config.render.ts'

const options: PostfixConfigOptions = {
  directory: '/var/lib/panel-0123456789ab/mail',
  certificateDirectory: '/run/panel-0123456789ab/mail',
  hostname: 'mail.panel.test',
  listen: ['0.0.0.0', '::'],
  ports: {
    smtp: 25,
    submission: 587,
    submissions: 465,
    auth: 12_345,
    quota: 12_346,
    lmtp: 24,
    forward: 12_350,
    srs: 12_348,
    srsReverse: 12_349
  },
  messageLimit: 50 * 2 ** 20
}

test('the whole configuration', async () => {
  await expect(renderPostfixMain(options)).toMatchFileSnapshot('./postfix-main.golden.cf')
  await expect(renderPostfixMaster(options)).toMatchFileSnapshot('./postfix-master.golden.cf')
})

test('the whole configuration, with a filter of spam and SRS', async () => {
  const filtered = { ...options, hasFilter: true, forwardingKey: Array.from({ length: 32 }, () => 'AB').join(':') }
  await expect(renderPostfixMain(filtered)).toMatchFileSnapshot('./postfix-main-filtered.golden.cf')
  await expect(renderPostfixMaster(filtered)).toMatchFileSnapshot('./postfix-master-filtered.golden.cf')
})

test('without IPv6 on the machine it is not asked for', () => {
  expect(renderPostfixMain({ ...options, listen: ['0.0.0.0'] })).toContain('\ninet_protocols = ipv4\n')
})

test('no address may relay, in either file', () => {
  expect(renderPostfixMain(options)).toContain('\nmynetworks =\n')
  expect(renderPostfixMain(options) + renderPostfixMaster(options)).not.toContain('permit_mynetworks')
})

test.each<[string, Partial<PostfixConfigOptions>]>([
  ['a directory with a blank', { directory: '/var/lib/my panel' }],
  ['a directory with a variable', { directory: '/var/lib/$mail_owner' }],
  ['a directory with a line feed', { directory: '/var/lib\nmynetworks = 0.0.0.0/0' }],
  ['certificates in a relative directory', { certificateDirectory: 'run' }],
  ['a hostname with a line feed', { hostname: 'mail.panel.test\nmynetworks = 0.0.0.0/0' }],
  ['a hostname with a variable', { hostname: '$mydomain' }],
  ['nothing to listen on', { listen: [] }],
  ['a hostname to listen on', { listen: ['localhost'] }],
  ['an address with a line feed', { listen: ['127.0.0.1\n'] }],
  ['port 0', { ports: { ...options.ports, smtp: 0 } }],
  ['no limit of a message', { messageLimit: 0 }],
  ['a fingerprint with a line feed', { forwardingKey: `${Array.from({ length: 32 }, () => 'AB').join(':')}\n` }]
])('refuses %s', (_, change) => {
  expect(() => {
    renderPostfixMain({ ...options, ...change })
    renderPostfixMaster({ ...options, ...change })
  }).toThrow()
})
