import { setTimeout as sleep } from 'node:timers/promises'
import type { MachineDetails, Machine as MachineView, MovedSite } from '@panel/contract/machines'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { findObjects } from '../support/engine.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { startLoad } from '../support/load.ts'
import { type Client, type RunningPanel, type Site, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { makeRootDirectory } from '../support/root-directory.ts'
import { nodeSite } from '../support/sites.ts'
import { createSshMachine, type SshMachine } from '../support/ssh-machine.ts'

// A project with two instances, one on each of two machines.

let machine: SshMachine
let git: GitHttpServer
let panel: RunningPanel
let admin: Client
let m2: MachineView
let site: Site

beforeAll(async () => {
  machine = await createSshMachine()
  git = await startGitHttpServer()
  panel = await startPanel({ DATA_DIR: await makeRootDirectory(), GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}` })
  // Other machines have other files.
  await machine.run('mount', '-t', 'tmpfs', '-o', 'mode=755', 'none', panel.dataDir)
  admin = await panel.signUp('admin')
  m2 = await machine.addTo(admin, 'm2')
  const files = nodeSite('up')
  const who = `if (request.url === '/who') return response.end(process.env.HOSTNAME)`
  const server = files['server.js']!.toString().replace("if (request.url === '/env')", `${who}\n  if (request.url === '/env')`) // oxfmt-ignore
  site = await admin.createSite(git, { ...files, 'server.js': server }, { keepsFiles: false, instances: 2 })
})
afterAll(async () => {
  await panel?.dispose()
  await git?.stop()
  await machine?.remove()
})
afterEach(({ task }) => {
  if (task.result?.state === 'fail') console.error(panel?.output().slice(-5_000))
})

const here = async () => (await findObjects(`panel.project=${site.id}`)).containers
const there = async () =>
  (await machine.run('docker', 'ps', '--all', '--quiet', '--filter', `label=panel.project=${site.id}`))
    .split('\n')
    .filter(Boolean)
const counts = async () => [(await here()).length, (await there()).length]
const are = (...wanted: [number, number]) => until(counts, (found) => found.join() === wanted.join())
const own = async () =>
  (await admin.call<{ machines: MachineView[] }>('GET', '/machines')).machines.find(({ isOwn }) => isOwn)!
const details = () => admin.call<MachineDetails>('GET', `/machines/${m2.id}`)
const load = () => startLoad(panel.proxyPort, site.hostname, (text) => /^up( |$)/.test(text))
const slowest = 3_500 // Longest possible slow request of an old container.
/** Requests go to the instance with the fewest connections. */
const answering = async () =>
  new Set(await Promise.all(Array.from({ length: 12 }, async () => (await panel.visit(site.hostname, '/who')).body)))

test('is on both machines, and both serve', async () => {
  await admin.mustRun(site.id)
  await are(1, 1)
  await until(answering, ({ size }) => size === 2)
  const { sites } = await details()
  expect(sites).toMatchObject([{ name: site.name, instances: 1, placement: { sentences: [{ code: 'INSTANCES' }] } }])
  const { logs } = await admin.call<{ logs: string }>('GET', `/projects/${site.id}/logs`)
  expect(logs.match(/listening on/g)).toHaveLength(2)
})

test('is redeployed without a failed request', async () => {
  const visitors = load()
  try {
    await git.commit(site.repository, { 'note.txt': 'second' }, 'Second')
    const { buildLogs } = await admin.mustRun(site.id)
    expect(buildLogs).toContain('Copied the image to m2')
    await are(1, 1)
    await sleep(slowest)
  } finally {
    await visitors.stop()
  }
  expect(visitors.failures).toEqual([])
  await until(answering, ({ size }) => size === 2)
})

const isAway = (wanted: boolean) => until(async () => (await details()).machine.status, (found) => (found === 'AWAY') === wanted) // oxfmt-ignore
const isFirstOn = async (id: string) => {
  const [project] = await panel.query<{ nodeId: string }>('select node_id as "nodeId" from projects where id = $1', [site.id]) // oxfmt-ignore
  return project!.nodeId === id
}
async function moveFirstTo(id: string) {
  if (await isFirstOn(id)) return
  const { deploymentId } = await admin.call<MovedSite>('POST', `/machines/${id}/sites`, { projectId: site.id })
  expect(await admin.waitFor(site.id, deploymentId)).toMatchObject({ status: 'RUNNING' })
  await are(1, 1)
}

test('keeps answering when the machine of its second instance is cut off, which is back with it', async () => {
  await moveFirstTo((await own()).id)
  const visitors = load()
  try {
    await sleep(1_000)
    const cutAt = Date.now()
    await machine.run('ip', 'link', 'set', 'uplink', 'down')
    await isAway(true)
    const answered = visitors.answered()
    await until(async () => visitors.answered() - answered, (n) => n > 200) // oxfmt-ignore
    expect((await details()).sites).toMatchObject([{ placement: { sentences: [{ code: 'WAITS' }] } }])
    const failed = visitors.failures.map((line) => `${line} ${Date.parse(line.split(' ')[0]!) - cutAt} ms after the cut`) // oxfmt-ignore
    console.log(`${failed.length} failed, ${visitors.answered()} answered`, failed)
    await machine.run('ip', 'link', 'set', 'uplink', 'up')
    await isAway(false)
    await until(answering, ({ size }) => size === 2)
    expect(await counts()).toEqual([1, 1])
  } finally {
    await visitors.stop()
  }
  // GET is repeated on the other instance, an upload that had begun is not.
  expect(visitors.failures.filter((line) => !line.includes('upload'))).toEqual([])
  expect(visitors.failures.length).toBeLessThanOrEqual(1)
})

test('is on the other machine alone while that of its first instance is cut off, and on both again when it is back', async () => {
  await moveFirstTo(m2.id)
  const visitors = load()
  try {
    await machine.run('ip', 'link', 'set', 'uplink', 'down')
    await isAway(true)
    await until(here, ({ length }) => length === 2)
    await until(() => isFirstOn(m2.id), (found) => !found) // oxfmt-ignore
    await machine.run('ip', 'link', 'set', 'uplink', 'up')
    await isAway(false)
    await are(1, 1)
    await until(answering, ({ size }) => size === 2)
    await sleep(slowest)
  } finally {
    await visitors.stop()
  }
  expect(visitors.failures.filter((line) => !line.includes('upload'))).toEqual([])
})

test('leaves a machine that is drained, and is spread again, without a failed request', async () => {
  const visitors = load()
  try {
    await admin.call('POST', `/machines/${m2.id}/drain`)
    await are(2, 0)
    expect((await details()).sites).toEqual([])
    await admin.call('PATCH', `/machines/${m2.id}`, { isPaused: false })
    await are(1, 1)
    await sleep(slowest)
  } finally {
    await visitors.stop()
  }
  expect(visitors.failures).toEqual([])
  await until(answering, ({ size }) => size === 2)
})
