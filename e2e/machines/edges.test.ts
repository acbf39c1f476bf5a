import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CreatedDomain } from '@panel/contract/domains'
import type { Machine as MachineView } from '@panel/contract/machines'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { edgeDirectories } from '../../packages/server/src/process/paths.ts'
import { type CertificateEnvironment, startCertificateEnvironment } from '../support/certificate-environment.ts'
import { dig } from '../support/dns-environment.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { startLoad } from '../support/load.ts'
import { type Client, type RunningPanel, type Site, visit } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { kill } from '../support/processes.ts'
import { makeRootDirectory } from '../support/root-directory.ts'
import { nodeSite } from '../support/sites.ts'
import { createSshMachine, type SshMachine } from '../support/ssh-machine.ts'
import { handshake } from '../support/tls-clients.ts'

// A second machine whose proxy answers for every site.

const publicIp = '198.51.100.7'
let machine: SshMachine
let git: GitHttpServer
let environment: CertificateEnvironment
let panel: RunningPanel
let admin: Client
let m2: MachineView
let near: Site
let far: Site
let domain: CreatedDomain

beforeAll(async () => {
  machine = await createSshMachine()
  git = await startGitHttpServer()
  const env = {
    DATA_DIR: await makeRootDirectory(),
    GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`,
    PANEL_DOMAIN: 'panel.test'
  }
  environment = await startCertificateEnvironment({ env })
  panel = environment.panel
  admin = environment.ann
  // Other machines have other files.
  await machine.run('mount', '-t', 'tmpfs', '-o', 'mode=755', 'none', panel.dataDir)
  m2 = await machine.addTo(admin, 'm2')
  await admin.call('PATCH', `/machines/${m2.id}`, { labels: ['far'] })
  near = await admin.createSite(git, nodeSite('near'))
  far = await admin.createSite(git, nodeSite('far'), { keepsFiles: false, machineLabels: ['far'] })
  for (const { id } of [near, far]) await admin.mustRun(id)
  domain = await environment.addManaged()
  await admin.call('PATCH', `/domains/${domain.id}`, { projectId: near.id })
})
afterAll(async () => {
  await environment?.close()
  await git?.stop()
  await machine?.remove()
})
afterEach(({ task }) => {
  if (task.result?.state === 'fail') console.error(panel?.output().slice(-5_000))
})

const visitEdge = (hostname: string, path = '/') => visit(machine.address, panel.proxyPort, hostname, path, {})
const body = (hostname: string, path?: string) => visitEdge(hostname, path).then((answer) => answer.body, () => undefined) // oxfmt-ignore
const serves = (site: Site, text: string) => until(() => body(site.hostname), (found) => found === text) // oxfmt-ignore
const edgePids = async () => {
  const { directory } = edgeDirectories({ DATA_DIR: panel.dataDir })
  const lines = await Promise.all((await machine.pids()).map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').then((line) => ({ pid, line }), () => undefined))) // oxfmt-ignore
  return lines.flatMap((found) => (found?.line.includes(`${directory}/haproxy.cfg`) === true ? [found.pid] : []))
}

test('answers for sites of every machine and the panel', async () => {
  await admin.call('PATCH', `/machines/${m2.id}`, { isEdge: true, publicIp })
  await serves(far, 'far /')
  await serves(near, 'near /')
  const headers = JSON.parse((await body(near.hostname, '/headers'))!) as Record<string, string>
  expect(headers).toMatchObject({ 'x-forwarded-for': machine.hostAddress, 'x-forwarded-proto': 'http' })
  expect(JSON.parse((await body(far.hostname, '/headers'))!)).toMatchObject({ 'x-forwarded-for': machine.hostAddress })
  expect(await body('panel.test', '/api/health')).toContain('"status"')
  expect((await visitEdge('unknown.test')).status).toBe(404)
})

test('has the certificates, and tells sites that a request was encrypted', async () => {
  const certificate = await environment.provision(domain.id)
  expect(certificate).toMatchObject({ status: 'ACTIVE' })
  const options = { host: machine.address, ca: await environment.pebble.rootPem() }
  await until(() => handshake(panel.proxyHttpsPort, domain.hostname, options), ({ serial }) => serial === certificate.serialNumber) // oxfmt-ignore
  const { stdout } = await curl(`https://${domain.hostname}:${panel.proxyHttpsPort}/headers`)
  expect(JSON.parse(stdout)).toMatchObject({ 'x-forwarded-proto': 'https', 'x-forwarded-for': machine.hostAddress })
})

async function curl(url: string): Promise<{ stdout: string }> {
  const to = `${domain.hostname}:${panel.proxyHttpsPort}:${machine.address}`
  return run(['curl', '--silent', '--insecure', '--max-time', '20', '--resolve', to, url], { timeoutMs: 30_000 })
}

const addresses = async () => (await dig(panel, domain.hostname, 'A')).values
test('is named by zones of the panel while it serves', async () => {
  await until(addresses, (found) => found.includes(publicIp))
  expect(await addresses()).toEqual(['127.0.0.1', publicIp])
  await machine.run('ip', 'link', 'set', 'uplink', 'down')
  await until(addresses, (found) => !found.includes(publicIp))
  await machine.run('ip', 'link', 'set', 'uplink', 'up')
  await until(addresses, (found) => found.includes(publicIp))
})

test('follows deployments without a failed request', async () => {
  await serves(far, 'far /')
  const loads = [near, far].map(({ hostname }) => startLoad(panel.proxyPort, hostname, (text) => /^(near|far|newer)( |$)/.test(text), { address: machine.address })) // oxfmt-ignore
  try {
    for (const site of [near, far]) {
      await git.commit(site.repository, nodeSite('newer'), 'Newer')
      await admin.mustRun(site.id)
      await serves(site, 'newer /')
    }
    await sleep(3_500) // Longest possible slow request of the old containers.
  } finally {
    for (const load of loads) await load.stop()
  }
  expect(loads.flatMap(({ failures }) => failures)).toEqual([])
})

test('serves sites of its machine while the panel does not run, and all when it is back', async () => {
  await panel.kill()
  expect(await body(far.hostname)).toBe('newer /')
  await panel.start()
  await serves(near, 'newer /')
  expect(await body(far.hostname)).toBe('newer /')
})

test('starts again after it was killed', async () => {
  for (const pid of await edgePids()) kill(pid, 'SIGKILL')
  await serves(far, 'newer /')
  await serves(near, 'newer /')
})

test('ends when visitors may no longer use it, and leaves no keys', async () => {
  await expect(admin.call('DELETE', `/machines/${m2.id}`)).rejects.toThrow()
  await admin.call('PATCH', `/machines/${m2.id}`, { isEdge: false })
  await until(addresses, (found) => !found.includes(publicIp))
  await until(edgePids, ({ length }) => length === 0)
  const { directory } = edgeDirectories({ DATA_DIR: panel.dataDir })
  await until(() => machine.run('ls', '-A', dirname(directory)), (names) => !names.split('\n').includes('edge')) // oxfmt-ignore
  expect(await panel.visit(far.hostname)).toMatchObject({ body: 'newer /' })
})
