import { expect, test } from 'vitest'
import { proxyLimits } from '../../net/connection-limits.policy.ts'
import { haproxyFingerprint, renderHaproxyConfig } from './haproxy-config.render.ts'
import type { HaproxyConfigOptions } from './haproxy-options.ts'
import { renderPages } from './haproxy-pages.render.ts'

const limits = proxyLimits({ openFiles: 20_000, memoryBytes: 8 * 2 ** 30 })
const panel = {
  host: '127.0.0.1',
  port: 3000,
  source: '127.0.0.2',
  header: 'x-panel-proxy',
  secret: 'ab'.repeat(32),
  connections: 1_024,
  liveConnections: 1_250
}
const network = { subnet: '172.28.0.0/20', gateway: '172.28.0.1', pools: ['172.29.0.0/16'], networkPrefix: 27 }
const options: HaproxyConfigOptions = {
  directory: '/var/lib/panel/proxy',
  runtimeDirectory: '/run/panel/proxy',
  certificateDirectory: '/dev/shm/panel/proxy',
  httpBinds: ['0.0.0.0:80', '[::]:80'],
  httpsBinds: ['0.0.0.0:443', '[::]:443'],
  tcpBinds: ['0.0.0.0:20000-20099', '[::]:20000-20099'],
  tcpTlsBinds: ['0.0.0.0:20100', '[::]:20100'],
  limits,
  unlimitedSources: ['127.0.0.0/8', '::1'],
  network,
  panel,
  loginKey: 'cd'.repeat(32),
  user: { uid: 106, gid: 108 }
}

test('the full configuration', async () => {
  await expect(renderHaproxyConfig(options)).toMatchFileSnapshot('./haproxy-config.golden.cfg')
})

test('the configuration contains a fingerprint that changes with it', () => {
  expect(renderHaproxyConfig(options)).toContain(`  description ${haproxyFingerprint(options)}\n`)
  expect(haproxyFingerprint({ ...options, limits: { ...limits, connections: 100 } })).not.toBe(
    haproxyFingerprint(options)
  )
  expect(haproxyFingerprint({ ...options })).toBe(haproxyFingerprint(options))
})

const edge = {
  relays: { plain: 40_001, tls: 40_002, traffic: 40_003 },
  pools: [{ number: 2, isSticky: true, members: [{ address: '10.0.0.2', port: 30_001 }] }],
  certificates: 'ef'.repeat(32)
}
const edgeOptions: HaproxyConfigOptions = {
  ...options,
  directory: '/var/lib/panel/edge',
  runtimeDirectory: '/run/panel-edge',
  certificateDirectory: '/var/lib/panel/edge',
  network: { ...network, machines: new Set(['10.0.0.2']) },
  tcpBinds: [],
  tcpTlsBinds: [],
  panel: undefined,
  edge
}

test('an edge relays what is for the panel, and knows no secret of it', () => {
  const config = renderHaproxyConfig(edgeOptions)
  expect(config).toContain('server panel 127.0.0.1:40002 send-proxy-v2')
  expect(config).toContain('server 10.0.0.2-30001 10.0.0.2:30001 check')
  expect(config).not.toMatch(/127\.0\.0\.1:3000|edge\.sock|backend (panel|live|mail|acme|sleeping)\n/)
  expect(config).not.toContain(panel.secret)
})

test('what changes while an edge runs is not in its fingerprint, new certificates are', () => {
  const fingerprint = haproxyFingerprint(edgeOptions)
  expect(haproxyFingerprint({ ...edgeOptions, edge: { ...edge, relays: undefined, pools: [] } })).toBe(fingerprint)
  expect(haproxyFingerprint({ ...edgeOptions, edge: { ...edge, certificates: 'ab' } })).not.toBe(fingerprint)
})

test('without published ports there is no frontend for them', () => {
  const config = renderHaproxyConfig({ ...options, tcpBinds: [], tcpTlsBinds: [] })
  expect(config).not.toMatch(/tcp_|tcp\.map/)
})

test('without root there is no user and no chroot', () => {
  const { user: _, ...unprivileged } = options
  expect(renderHaproxyConfig(unprivileged)).not.toMatch(/^ +(uid|gid|chroot) /m)
})

test.each<[string, Partial<HaproxyConfigOptions>]>([
  ['a directory with a blank', { directory: '/var/lib/my panel' }],
  ['a range that ends before it begins', { tcpBinds: ['0.0.0.0:20099-20000'] }],
  ['a directory with a line feed', { directory: '/var/lib\nglobal' }],
  ['a relative directory', { directory: 'proxy' }],
  ['a certificate directory with a line feed', { certificateDirectory: '/run/x\nglobal' }],
  ['a runtime directory too long for a socket', { runtimeDirectory: `/${'a'.repeat(100)}` }],
  ['an address with a word behind it', { httpBinds: ['0.0.0.0:80 user root'] }],
  ['a hostname to listen on', { httpBinds: ['localhost:80'] }],
  ['port 0', { httpsBinds: ['0.0.0.0:0'] }],
  ['nothing to listen on', { httpBinds: [], httpsBinds: [] }],
  ['no connections', { limits: { ...limits, connections: 0 } }],
  ['no number of connections', { limits: { ...limits, siteRequests: Number.NaN } }],
  ['no requests of a client', { limits: { ...limits, perAddress: { ...limits.perAddress, requests: 0.5 } } }],
  ['a source that is none', { unlimitedSources: ['::1', 'all }'] }],
  ['no unlimited source', { unlimitedSources: [] }],
  ['a subnet with bits of the host', { network: { ...network, subnet: '172.28.0.1/20' } }],
  ['a gateway elsewhere', { network: { ...network, gateway: '10.0.0.1' } }],
  ['a pool that is none', { network: { ...network, pools: ['172.29.0.0/16', 'all'] } }],
  ['networks of another size', { network: { ...network, networkPrefix: 20 } }],
  ['a panel address that is a command', { panel: { ...panel, host: '127.0.0.1:1\n' } }],
  ['a panel without a port', { panel: { ...panel, port: 0 } }],
  ['a header with a line feed', { panel: { ...panel, header: 'x-panel\nglobal' } }],
  ['a key for logins that is none', { loginKey: 'key' }],
  ['a secret that is none', { panel: { ...panel, secret: 'secret' } }],
  ['root as the user', { user: { uid: 0, gid: 108 } }],
  ['a user that is no number', { user: { uid: 106, gid: Number.NaN } }]
])('refuses %s', (_, change) => {
  expect(() => renderHaproxyConfig({ ...options, ...change })).toThrow()
})

test('pages load no external resources, and raw ones have a Content-Length', () => {
  for (const [name, content] of renderPages()) {
    expect(content).not.toMatch(/https?:\/\/|src=|href=/)
    if (!name.endsWith('.http')) continue
    const [head = '', body = ''] = content.split('\r\n\r\n')
    expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}\r\n`)
  }
})
