import { expect, test } from 'vitest'
import { type KnotConfigOptions, knotFingerprint, renderKnotConfig } from './knot-config.render.ts'

const options: KnotConfigOptions = {
  directory: '/var/lib/panel-0123456789ab/dns',
  runtimeDirectory: '/var/lib/panel-0123456789ab/dns/run',
  user: 'knot:knot',
  listen: [
    { address: '0.0.0.0', port: 53 },
    { address: '::', port: 53 }
  ],
  transferKey: `${'A'.repeat(43)}=`,
  secondaries: [
    { address: '192.0.2.53', port: 53 },
    { address: '2001:db8::53', port: 5353 }
  ]
}

test('the full configuration', async () => {
  await expect(renderKnotConfig(options)).toMatchFileSnapshot('./knot-config.golden.conf')
})

test('without a secondary there is no notify and no transfer ACL', async () => {
  const { user: _, ...alone } = { ...options, secondaries: [] }
  await expect(renderKnotConfig(alone)).toMatchFileSnapshot('./knot-config-alone.golden.conf')
})

test('the configuration contains a fingerprint that changes with it', () => {
  expect(renderKnotConfig(options)).toContain(`    comment: "${knotFingerprint(options)}"\n`)
  expect(knotFingerprint({ ...options, secondaries: [] })).not.toBe(knotFingerprint(options))
  expect(knotFingerprint({ ...options })).toBe(knotFingerprint(options))
})

test.each<[string, Partial<KnotConfigOptions>]>([
  ['a directory with a blank', { directory: '/var/lib/my panel' }],
  ['a directory with a quotation mark', { directory: '/var/lib/"' }],
  ['a directory with a formatter of Knot', { directory: '/var/lib/%s' }],
  ['a directory with a line feed', { directory: '/var/lib\nserver:' }],
  ['a relative directory', { directory: 'dns' }],
  ['a runtime directory too long for a socket', { runtimeDirectory: `/${'a'.repeat(100)}` }],
  ['nothing to listen on', { listen: [] }],
  ['a hostname to listen on', { listen: [{ address: 'localhost', port: 53 }] }],
  ['an address with a word behind it', { listen: [{ address: '127.0.0.1, 0.0.0.0', port: 53 }] }],
  ['an address with a zone', { listen: [{ address: 'fe80::1%"', port: 53 }] }],
  ['port 0', { listen: [{ address: '127.0.0.1', port: 0 }] }],
  ['a port with a fraction', { secondaries: [{ address: '192.0.2.53', port: 53.5 }] }],
  ['a second server that is a name', { secondaries: [{ address: 'ns2.example.com', port: 53 }] }],
  ['a key with a line feed', { transferKey: `${'A'.repeat(42)}\n=` }],
  ['a short key', { transferKey: 'AAAA' }]
])('refuses %s', (_, change) => {
  expect(() => renderKnotConfig({ ...options, ...change })).toThrow()
})
