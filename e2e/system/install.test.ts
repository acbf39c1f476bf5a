import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Health } from '@panel/contract/system'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { repackage, replaceWebProcess } from '../support/release-variants.ts'
import { bootSystemdMachine, type SystemdMachine } from '../support/systemd-machine.ts'

const execute = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

let directory: string
let machine: SystemdMachine
let debian: string
let key: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'panel-install-test-'))
  key = join(directory, 'key')
  const publicKey = join(directory, 'key.pub')
  await execute('minisign', ['-G', '-W', '-s', key, '-p', publicKey])
  const argv = [join(root, 'scripts/release.mjs'), '--allow-changes', '--quick', '--to', directory, '--sign-key', key]
  await execute(process.execPath, argv, { cwd: root, maxBuffer: 2 ** 26 })
  debian = join(
    directory,
    (await readdir(directory)).find((name) => name.endsWith('.deb'))!
  )
  machine = await bootSystemdMachine('bookworm')
  await copyIn(debian, `${debian}.minisig`, publicKey, join(directory, 'install.sh'))
})
const copyIn = async (...paths: string[]) => {
  for (const path of paths) await machine.copyIn(path, join('/root', basename(path)))
}
afterAll(async () => {
  await machine?.remove()
  await rm(directory, { recursive: true, force: true })
})

const show = (unit: string, property: string) =>
  machine.run('systemctl', 'show', `--property=${property}`, '--value', unit)
const webUnit = async () => (await machine.run('sh', '-c', "systemctl list-units --plain --no-legend 'panel-web-*.service' | cut -d' ' -f1")) // oxfmt-ignore
const health = async () =>
  (
    await fetch(`http://${machine.address}:3000/api/health`, { signal: AbortSignal.timeout(10_000) })
  ).json() as Promise<Health>
const version = () => health().then((health) => health.version)

test('a package that was changed after it was signed is not installed', async () => {
  await machine.run('sh', '-c', `cp /root/${basename(debian)} /root/changed.deb && printf x >> /root/changed.deb`)
  await machine.run('cp', `/root/${basename(debian)}.minisig`, '/root/changed.deb.minisig')
  expect(await machine.succeeds('sh', '/root/install.sh', '--key', '/root/key.pub', '/root/changed.deb')).toBe(false)
  expect(await machine.succeeds('dpkg-query', '-W', 'hosting-panel')).toBe(false)
})

test('install.sh takes a bare machine to the setup link', async () => {
  const output = await machine.run('sh', '/root/install.sh', '--key', '/root/key.pub', `/root/${basename(debian)}`)
  expect(output).toMatch(/http:\/\/\S+:3000\/setup#\S+/)
  expect(await health()).toMatchObject({ status: expect.anything() })
  expect(await show('hosting-panel', 'UnitFileState')).toBe('enabled')
})

test('the programs run in units of their own and outlive a restart of the panel', async () => {
  const web = await webUnit()
  expect(web).toMatch(/^panel-web-\w+\.service$/)
  const scopes = await machine.run('sh', '-c', "systemctl list-units --plain --no-legend 'panel-*.scope'")
  expect(scopes).toMatch(/panel-reverse-proxy-/)
  const [before, worker] = [await show(web, 'MainPID'), await show('hosting-panel', 'MainPID')]
  await machine.run('systemctl', 'kill', '--signal=SIGKILL', '--kill-whom=main', 'hosting-panel')
  await expect.poll(() => show('hosting-panel', 'MainPID')).not.toBe(worker)
  await expect.poll(() => show('hosting-panel', 'ActiveState')).toBe('active')
  expect(await show(web, 'MainPID')).toBe(before)
})

test('Debian\u2019s own services of the programs do not run', async () => {
  const units = ['dovecot', 'haproxy', 'knot', 'opendkim', 'postfix', 'rspamd']
  const states = await machine.run(
    'sh',
    '-c',
    `systemctl is-active ${units.join(' ')}; systemctl is-enabled ${units.join(' ')}; true`
  )
  expect(states.trim().split('\n')).toEqual([...units.map(() => 'inactive'), ...units.map(() => 'disabled')])
  const imap = "systemctl list-units --plain --no-legend 'panel-imap-server-*.scope'"
  await expect.poll(() => machine.run('sh', '-c', imap)).toMatch(/running/)
})

test('the web process is confined', async () => {
  const table = await machine.run('systemd-analyze', 'security', '--no-pager', await webUnit())
  const exposure = Number(/Overall exposure level[^:]*: ([\d.]+)/.exec(table)?.[1])
  expect(exposure).toBeLessThanOrEqual(4)
})

test('the worker answers the watchdog', async () => {
  const seen = () => show('hosting-panel', 'WatchdogTimestampMonotonic')
  const before = await seen()
  await expect.poll(seen).not.toBe(before)
})

const placed = async (number: string, change?: (folder: string) => Promise<void>) => {
  const path = await repackage(debian, { key, version: number, ...(change && { change }) })
  await copyIn(path, `${path}.minisig`)
  return join('/root', basename(path))
}
const current = () => machine.run('readlink', '/opt/hosting-panel/current')

test('an upgrade that does not start is rolled back, and a good one stays after a restart', async () => {
  const broken = await placed('0.2.0', (folder) => replaceWebProcess(folder, 'process.exit(1)'))
  expect(await machine.succeeds('panel', 'upgrade', '--key', '/root/key.pub', broken)).toBe(false)
  expect(await version()).toBe('0.1.0')
  await machine.run('panel', 'upgrade', '--key', '/root/key.pub', await placed('0.3.0'))
  expect([await version(), await current()]).toEqual(['0.3.0', 'versions/0.3.0'])
  await machine.run('systemctl', 'restart', 'hosting-panel')
  await expect.poll(version).toBe('0.3.0')
})

test('a newer package replaces a version that the panel upgraded to', async () => {
  await machine.run('dpkg', '--install', await placed('0.4.0'))
  await expect.poll(version).toBe('0.4.0')
  expect(await current()).toBe('versions/0.4.0')
})

test('stops cleanly, and removal keeps the data until it is purged', async () => {
  await machine.run('systemctl', 'stop', 'hosting-panel')
  expect(await show('hosting-panel', 'Result')).toBe('success')
  expect(await webUnit()).toBe('')
  await machine.run('apt-get', '-qq', 'remove', '-y', 'hosting-panel')
  expect(machine.exists('/var/lib/hosting-panel/panel.env')).toBe(true)
  expect(machine.exists('/etc/hosting-panel/panel.env')).toBe(true)
  expect(machine.exists('/opt/hosting-panel')).toBe(false)
  await machine.run('apt-get', '-qq', 'purge', '-y', 'hosting-panel')
  for (const path of ['/var/lib/hosting-panel', '/etc/hosting-panel']) expect(machine.exists(path)).toBe(false)
})
