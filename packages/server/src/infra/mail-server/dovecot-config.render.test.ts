import { expect, test } from 'vitest'
import { renderDovecotSend } from './dovecot-send.render.ts'
import { mailPaths } from './mail-paths.ts'
import type { DovecotConfigOptions } from './dovecot-config.policy.ts'
import { renderDovecotCertificates, renderDovecotConfig } from './dovecot-config.render.ts'
import { dovecotLanguage } from './dovecot-language.ts'

const options: DovecotConfigOptions = {
  directory: '/var/lib/panel-0123456789ab/mail',
  certificateDirectory: '/run/panel-0123456789ab/mail',
  hostname: 'mail.panel.test',
  listen: ['0.0.0.0', '::'],
  ports: { imap: 143, imaps: 993, managesieve: 4190, auth: 12_345, quota: 12_346, lmtp: 24, policy: 12_347 },
  policyKey: '0123456789abcdef'.repeat(4)
}

const languages = {
  '2.3': dovecotLanguage('2.3.19.1 (9b53102964)'),
  '2.4': dovecotLanguage('2.4.1-4 (7d8c0e5759)')
}

test.each(['2.3', '2.4'] as const)('the whole configuration of Dovecot %s', async (version) => {
  const render = (more: Partial<DovecotConfigOptions>) =>
    renderDovecotConfig({ ...options, ...more }, languages[version])
  await expect(render({})).toMatchFileSnapshot(`./dovecot-${version}.golden.conf`)
  await expect(render({ hasFilter: true, trusted: '172.30.0.2' })).toMatchFileSnapshot(
    `./dovecot-${version}-filtered.golden.conf`
  )
})

test.each([
  ['2.3.21', '2.3'],
  ['2.4.0', '2.4'],
  ['2.10.1', '2.4'],
  ['3.0.0', '2.4']
] as const)('Dovecot %s has the language of %s', (version, language) => {
  expect(dovecotLanguage(version)).toBe(languages[language])
})

test('an unknown version is refused', () => {
  expect(() => dovecotLanguage('dovecot')).toThrow('Unknown version')
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
  for (const language of Object.values(languages))
    expect(() => renderDovecotConfig({ ...options, ...change }, language)).toThrow()
})

test('certificates by hostname', () => {
  const path = '/run/panel-0123456789ab/mail/1.pem'
  expect(renderDovecotCertificates([{ hostname: 'mail.one.test', path }], languages['2.3']))
    .toBe(`local_name mail.one.test {
  ssl_cert = <${path}
  ssl_key = <${path}
}
`)
  expect(renderDovecotCertificates([{ hostname: '*.one.test', path }], languages['2.4'])).toBe(`local_name *.one.test {
  ssl_server_cert_file = ${path}
  ssl_server_key_file = ${path}
}
`)
  for (const hostname of ['a b', 'a {', '*.*.test', '', 'a\nssl = no'])
    expect(() => renderDovecotCertificates([{ hostname, path }], languages['2.4'])).toThrow(TypeError)
})

test('what sends the answers of filters', async () => {
  await expect(renderDovecotSend(mailPaths(options))).toMatchFileSnapshot('./dovecot-send.golden.pl')
})
