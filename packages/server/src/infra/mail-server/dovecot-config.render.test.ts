import { expect, test } from 'vitest'
import { renderDovecotSend } from './dovecot-send.render.ts'
import { mailPaths } from './mail-paths.ts'
import { type DovecotConfigOptions, renderDovecotCertificates, renderDovecotConfig } from './dovecot-config.render.ts'

const options: DovecotConfigOptions = {
  directory: '/var/lib/panel-0123456789ab/mail',
  certificateDirectory: '/run/panel-0123456789ab/mail',
  hostname: 'mail.panel.test',
  listen: ['0.0.0.0', '::'],
  ports: { imap: 143, imaps: 993, managesieve: 4190, auth: 12_345, quota: 12_346, lmtp: 24, policy: 12_347 },
  policyKey: '0123456789abcdef'.repeat(4)
}

test('the whole configuration', async () => {
  await expect(renderDovecotConfig(options)).toMatchFileSnapshot('./dovecot-config.golden.conf')
  await expect(renderDovecotConfig({ ...options, hasFilter: true })).toMatchFileSnapshot(
    './dovecot-config-filtered.golden.conf'
  )
})

test.each<[string, Partial<DovecotConfigOptions>]>([
  ['a directory with a blank', { directory: '/var/lib/my panel' }],
  ['a directory with a variable', { directory: '/var/lib/$mail_plugins' }],
  ['a directory with a line feed', { directory: '/var/lib\nssl = no' }],
  ['a directory too long for a socket', { directory: `/${'a'.repeat(80)}` }],
  ['certificates in a relative directory', { certificateDirectory: 'run' }],
  ['a host name with a line feed', { hostname: 'mail.panel.test\nssl = no' }],
  ['a host name with a variable', { hostname: '%{env:PATH}' }],
  ['nothing to listen on', { listen: [] }],
  ['a host name to listen on', { listen: ['localhost'] }],
  ['an address with a comma behind it', { listen: ['127.0.0.1, *'] }],
  ['a key that is none', { policyKey: 'secret\nssl = no' }],
  ['port 0', { ports: { ...options.ports, imap: 0 } }],
  ['a port with a fraction', { ports: { ...options.ports, lmtp: 24.5 } }]
])('refuses %s', (_, change) => {
  expect(() => renderDovecotConfig({ ...options, ...change })).toThrow()
})

test('certificates by hostname', () => {
  const path = '/run/panel-0123456789ab/mail/1.pem'
  expect(renderDovecotCertificates([{ hostname: 'mail.one.test', path }])).toBe(`local_name mail.one.test {
  ssl_cert = <${path}
  ssl_key = <${path}
}
`)
  expect(renderDovecotCertificates([{ hostname: '*.one.test', path }])).toContain('local_name *.one.test {')
  for (const hostname of ['a b', 'a {', '*.*.test', '', 'a\nssl = no'])
    expect(() => renderDovecotCertificates([{ hostname, path }])).toThrow(TypeError)
})

test('what sends the answers of filters', async () => {
  await expect(renderDovecotSend(mailPaths(options))).toMatchFileSnapshot('./dovecot-send.golden.pl')
})
