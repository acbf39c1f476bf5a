import { expect, test } from 'vitest'
import { renderDropIn, renderSshdConfig, type SshdConfigOptions } from './sshd-config.render.ts'

const options: SshdConfigOptions = {
  group: 'sftp-panel-0123456789ab',
  projectsDirectory: '/var/lib/panel/100% mine',
  keysDirectory: '/var/lib/panel-0123456789ab/sftp-keys',
  listen: ['0.0.0.0', '::'],
  port: 2222,
  hostKeys: [
    '/var/lib/panel-0123456789ab/sftp/ssh_host_ed25519_key',
    '/var/lib/panel-0123456789ab/sftp/ssh_host_rsa_key'
  ],
  pidFile: '/var/lib/panel-0123456789ab/sftp/sshd.pid'
}

test('the configuration of a dedicated server', async () => {
  await expect(renderSshdConfig(options)).toMatchFileSnapshot('./sshd-config.golden.conf')
})

test('the block in the configuration of the machine’s server', async () => {
  await expect(renderDropIn(options)).toMatchFileSnapshot('./sshd-drop-in.golden.conf')
})

test.each<[string, Partial<SshdConfigOptions>]>([
  ['a directory with a quotation mark', { projectsDirectory: '/srv/"' }],
  ['a directory with a backslash', { keysDirectory: '/srv/\\' }],
  ['a directory with a line feed', { projectsDirectory: '/srv\nPermitTTY yes' }],
  ['a relative directory', { projectsDirectory: 'srv' }],
  ['a group with a pattern', { group: 'sftp,*' }],
  ['a group that is two', { group: 'sftp root' }],
  ['an address with a word behind it', { listen: ['0.0.0.0 0.0.0.0'] }],
  ['port 0', { port: 0 }]
])('refuses %s', (_, change) => {
  expect(() => renderSshdConfig({ ...options, ...change })).toThrow()
})
