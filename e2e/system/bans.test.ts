import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import type { AllowedNetwork, Ban, BanList } from '@panel/contract/bans'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createNftServerBans } from '../../packages/server/src/infra/server-firewall/nft-server-bans.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import type { Run } from '../../packages/server/src/infra/process/process.ts'
import { banTable } from '../../packages/server/src/net/network-names.ts'
import { describeServerBans } from '../../packages/server/test/contracts/server-bans.contract.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { createMachine, type Machine } from '../support/machine.ts'
import { chooseMailPorts, type MailPorts } from '../support/mail-panel.ts'
import { type Client, type RunningPanel, type Site, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'

const execute = promisify(execFile)
const nodeImage = 'node:24-trixie-slim'

/** A network namespace that ends with `close`. */
async function openNamespace() {
  const holder = spawn('unshare', ['--net', '--', 'sh', '-c', 'echo ready && exec sleep infinity'], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  await once(holder.stdout, 'data')
  const enter = ['nsenter', `--net=/proc/${holder.pid}/ns/net`, '--'] as const
  return { pid: holder.pid!, enter, close: () => void holder.kill('SIGKILL') }
}

async function createBans() {
  const { enter, close } = await openNamespace()
  const inside: Run = (argv, options) => run([...enter, ...argv], options)
  const table = 'panel_0000000000_bans'
  return {
    bans: createNftServerBans({ table, bridgePrefix: 'pntest', run: inside }),
    async banned() {
      const { stdout } = await inside(['nft', '--json', 'list', 'ruleset'], { timeoutMs: 10_000 })
      const { nftables } = JSON.parse(stdout) as { nftables: { set?: { elem?: unknown[] } }[] }
      const elements = nftables.flatMap(({ set }) => set?.elem ?? [])
      const values = elements.map((each) =>
        typeof each === 'string' ? each : (each as { elem: { val: string } }).elem.val
      )
      return values.map((each) => (each.includes(':') ? `${each}/64` : each)).sort()
    },
    dispose: async () => close()
  }
}
describeServerBans('nftables', createBans)

test('a ban ends on its own', async () => {
  const { bans, banned, dispose } = await createBans()
  try {
    await bans.add([{ address: '192.0.2.1', seconds: 2 }, { address: '192.0.2.2', seconds: null }]) // oxfmt-ignore
    expect(await banned()).toContain('192.0.2.1')
    await until(banned, (addresses) => addresses.join() === '192.0.2.2')
  } finally {
    await dispose()
  }
})

/** A client with an address of its own, connected to the machine and to nothing else. */
interface Outsider {
  address: string
  run(...argv: string[]): Promise<string>
  /** HTTP status; 0 without an answer. */
  status(url: string, ...args: string[]): Promise<number>
  close(): void
}

async function connectOutsider({ pid, run: inMachine }: Machine, number: number): Promise<Outsider> {
  const { pid: own, enter, close } = await openNamespace()
  const inside = async (...argv: string[]) => (await execute(enter[0], [...enter.slice(1), ...argv])).stdout
  const [name, address] = [`client${number}`, `203.0.113.${number * 16 + 2}`]
  const ends = ['name', name, 'netns', String(pid), 'type', 'veth', 'peer', 'name', 'cable', 'netns', String(own)]
  await execute('ip', ['link', 'add', ...ends])
  await inMachine('ip', 'address', 'add', `203.0.113.${number * 16 + 1}/28`, 'dev', name)
  await inMachine('ip', 'link', 'set', name, 'up')
  await inside('ip', 'address', 'add', `${address}/28`, 'dev', 'cable')
  await inside('ip', 'link', 'set', 'cable', 'up')
  await inside('ip', 'route', 'add', 'default', 'via', `203.0.113.${number * 16 + 1}`)
  return {
    address,
    run: inside,
    async status(url, ...args) {
      const curl = ['curl', '--silent', '--noproxy', '*', '--insecure', '--max-time', '3', '--output', '/dev/null']
      const answered = inside(...curl, '--write-out', '%{http_code}', ...args, url)
      return Number(await answered.catch(() => '0'))
    },
    close
  }
}

let machine: Machine
let panel: RunningPanel
let ports: MailPorts
let admin: Client
let git: GitHttpServer
let site: Site
let guesser: Outsider
let other: Outsider
beforeAll(async () => {
  machine = await createMachine([nodeImage])
  guesser = await connectOutsider(machine, 1)
  other = await connectOutsider(machine, 2)
  const mail = await chooseMailPorts()
  ports = mail.ports
  const images = ['STATIC', 'PYTHON', 'PHP', 'COMPILERS'].map((kind) => [`BUILD_IMAGE_${kind}`, nodeImage])
  git = await startGitHttpServer(machine.hostAddress)
  panel = await startPanel(
    {
      PANEL_MOCK_DNS: 'true',
      PANEL_DOMAIN: 'panel.example.test',
      GIT_EXTRA_HOSTS: `${machine.hostAddress}:${git.port}`,
      ...mail.env,
      ...Object.fromEntries(images)
    },
    machine
  )
  admin = await panel.signUp()
  // Answers like WordPress to a wrong password.
  site = await admin.createSite(git, {
    'package.json': JSON.stringify({ name: 'blog', scripts: { start: 'node server.js' } }),
    'server.js': `require('http').createServer((_, response) => response.end('the form again')).listen(process.env.PORT)`
  })
  await admin.mustRun(site.id)
})
afterAll(async () => {
  await panel?.dispose()
  await git?.stop()
  guesser?.close()
  other?.close()
  await machine?.remove()
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') console.error(panel?.output().slice(-5_000))
  for (const { id } of (await list()).bans) await admin.call('DELETE', `/firewall/bans/${id}`)
})

const list = () => admin.call<BanList>('GET', '/firewall/bans')
const banned = async () => (await list()).bans.map(({ address, reason }) => [address, reason])
const times = async (count: number, work: (index: number) => Promise<unknown>) => {
  for (let index = 0; index < count; index++) await work(index).catch(() => {})
}
/** Mail servers delay each rejection. */
const atOnce = (count: number, work: (index: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index).catch(() => {})))
const panelUrl = () => `http://${machine.address}:${new URL(panel.url).port}`
const reachesPanel = async (client: Outsider) => (await client.status(`${panelUrl()}/api/health`)) > 0
const siteArgs = () => ['--header', `Host: ${site.hostname}`]
const siteUrl = (path: string) => `http://${machine.address}:${panel.proxyPort}${path}`

const guesses: Record<string, (client: Outsider) => Promise<unknown>> = {
  PANEL: (client) =>
    times(10, (index) => {
      const data = JSON.stringify({ email: `nobody${index}@example.com`, password: 'a guess' })
      return client.status(`${panelUrl()}/api/auth/login`, '--json', data)
    }),
  SFTP: (client) =>
    times(
      10,
      () =>
      client.run('curl', '--silent', '--insecure', '--max-time', '10', '--user', 'vsftp_nobody:guess', `sftp://${machine.address}:${panel.sftpPort}/`) // oxfmt-ignore
    ),
  IMAP: (client) =>
    atOnce(
      20,
      (index) =>
      client.run('curl', '--silent', '--insecure', '--max-time', '10', '--user', `ann@one.test:guess${index}`, `imaps://${machine.address}:${ports.IMAPS}/`) // oxfmt-ignore
    ),
  SMTP: (client) =>
    atOnce(
      20,
      (index) =>
      client.run('curl', '--silent', '--insecure', '--max-time', '10', '--user', `ann@one.test:guess${index}`, '--mail-from', 'ann@one.test', '--mail-rcpt', 'ann@one.test', '--upload-file', '/dev/null', `smtps://${machine.address}:${ports.SUBMISSIONS}/`) // oxfmt-ignore
    ),
  WORDPRESS: (client) =>
    times(20, () => client.status(siteUrl('/wp-login.php'), '--data', 'log=admin&pwd=guess', ...siteArgs()))
}

describe('guesses ban that client from everything, and no other', () => {
  test.each(Object.keys(guesses))('at %s', async (reason) => {
    expect(await guesser.status(siteUrl('/'), ...siteArgs())).toBe(200)
    await guesses[reason]!(guesser)
    await until(banned, (bans) => bans.length > 0)
    expect(await banned()).toEqual([[guesser.address, reason]])
    await until(() => reachesPanel(guesser), (reaches) => !reaches) // oxfmt-ignore
    expect(await guesser.status(siteUrl('/'), ...siteArgs())).toBe(0)
    expect([await reachesPanel(other), await other.status(siteUrl('/'), ...siteArgs())]).toEqual([true, 200])
    const [ban] = (await list()).bans
    await admin.call('DELETE', `/firewall/bans/${ban!.id}`)
    expect([await reachesPanel(guesser), await guesser.status(siteUrl('/'), ...siteArgs())]).toEqual([true, 200])
  })
})

test('right sign-ins to WordPress, and those through a CDN, cause no ban', async () => {
  const through = ['--header', 'X-Forwarded-For: 198.51.100.1']
  await times(21, () => guesser.status(siteUrl('/wp-login.php'), '--data', 'log=admin', ...siteArgs(), ...through))
  await times(21, () => guesser.status(siteUrl('/wp-login.php'), ...siteArgs()))
  // Read after the others, from the same log.
  await guesses.WORDPRESS!(other)
  await until(banned, (bans) => bans.length > 0)
  expect(await banned()).toEqual([[other.address, 'WORDPRESS']])
})

test('the allow list', async () => {
  const { id } = await admin.call<AllowedNetwork>('POST', '/firewall/allow-list', { network: guesser.address })
  await guesses.PANEL!(guesser)
  await guesses.PANEL!(other)
  await until(banned, (bans) => bans.length > 0)
  expect(await banned()).toEqual([[other.address, 'PANEL']])
  expect(await reachesPanel(guesser)).toBe(true)
  await admin.call('DELETE', `/firewall/allow-list/${id}`)
})

const ban = (client: Outsider, seconds: number | null) =>
  admin.call<Ban>('POST', '/firewall/bans', { address: client.address, seconds })

test('kill -9 of the panel keeps bans, and a reboot loads them again', async () => {
  await ban(guesser, null)
  await panel.kill()
  expect(await guesser.status(siteUrl('/'), ...siteArgs())).toBe(0)
  await machine.run('nft', 'delete', 'table', 'inet', banTable(panel.instanceId))
  await panel.start()
  await until(() => reachesPanel(other), (reaches) => reaches) // oxfmt-ignore
  expect(await reachesPanel(guesser)).toBe(false)
})

test('without bans there is no table, and the rules are not needed', async () => {
  const tables = () => machine.run('nft', 'list', 'tables')
  await ban(guesser, 3600)
  expect(await tables()).toContain(banTable(panel.instanceId))
  expect(await tables()).not.toContain(`panel_${panel.instanceId}_server`)
  await admin.call('DELETE', `/firewall/bans/${(await list()).bans[0]!.id}`)
  expect(await tables()).not.toContain(banTable(panel.instanceId))
})

test('./panel firewall', async () => {
  const root = new URL('../../', import.meta.url).pathname
  const command = (...args: string[]) =>
    machine.run(
      'env',
      `DATA_DIR=${panel.dataDir}`,
      `PANEL_NODE=${process.execPath}`,
      `${root}panel`,
      'firewall',
      ...args
    )
  await command('ban', guesser.address, '2h', 'Crawler')
  expect(await reachesPanel(guesser)).toBe(false)
  expect(await command('bans', 'crawl')).toContain(guesser.address)
  expect(await command('status')).toMatch(/Bans +on, 1 in force/)
  await command('unban', guesser.address)
  expect(await reachesPanel(guesser)).toBe(true)
  await expect(command('ban', '127.0.0.1')).rejects.toThrow('cannot be banned')
})
