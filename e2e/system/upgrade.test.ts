import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Health } from '@panel/contract/system'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installOtherNode, newestNode } from '../../packages/server/src/cli/testing/other-node.ts'
import { majorOfStore } from '../../packages/server/src/db/embedded-postgres.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { startLoad } from '../support/load.ts'
import { usePreviousPostgres } from '../support/other-postgres.ts'
import { type Client, type RunningPanel, type Site, startPanel } from '../support/panel.ts'
import { addMigration, damage, makeReleases, type Releases, replaceWebProcess } from '../support/release-variants.ts'
import { nodeSite } from '../support/sites.ts'

const execute = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

let directory: string
let releases: Releases
/** The version that is upgraded, with the previous major version of PostgreSQL. */
let previous: string
let git: GitHttpServer
let panel: RunningPanel
let user: Client
let site: Site
let load: ReturnType<typeof startLoad>
// A running panel is upgraded on Node.js 22.15 and newer.
let node: string

beforeAll(async () => {
  node = Number.parseInt(process.versions.node, 10) >= 24 ? process.execPath : newestNode(root)
  if (node !== process.execPath) await installOtherNode(root, run)
  directory = await mkdtemp(join(tmpdir(), 'panel-upgrade-test-'))
  releases = await makeReleases(directory)
  previous = join(directory, 'previous')
  await cp(releases.folder, previous, { recursive: true, verbatimSymlinks: true })
  await usePreviousPostgres(previous)
  git = await startGitHttpServer()
  panel = await startPanel({ PANEL_NODE: node, GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}` }, undefined, previous)
  user = await panel.signUp()
  site = await user.createSite(git, nodeSite('kept'))
  await user.mustRun(site.id)
  load = startLoad(panel.proxyPort, site.hostname, (body) => body.startsWith('kept'), { pauseMs: 200 })
})
afterAll(async () => {
  await load?.stop()
  await panel?.dispose()
  await git?.stop()
  await rm(directory, { recursive: true, force: true })
})

const upgrade = (archive: string) =>
  execute(join(previous, 'panel'), ['upgrade', archive, '--key', releases.publicKey], {
    env: { PATH: process.env.PATH, PANEL_NODE: node, DATA_DIR: panel.dataDir }
  }).then(
    () => '',
    (failure: { stderr: string }) => failure.stderr
  )
const version = async () => (await user.call<Health>('GET', '/health')).version
const phase = async () => {
  const text = await readFile(join(panel.dataDir, 'upgrade/state.json'), 'utf8').catch(() => '{}')
  return (JSON.parse(text) as { phase?: string }).phase
}
const isTable = async (name: string) =>
  (await panel.query<{ found: boolean }>('select to_regclass($1) is not null as found', [name]))[0]!.found
const storeMajor = () => majorOfStore(join(panel.dataDir, 'postgres'))
const containerOf = async () => (await user.call<{ containerId: string }>('GET', `/projects/${site.id}`)).containerId

/** The previous version with its store; visitors noticed nothing. */
async function expectPrevious() {
  await expect.poll(version).toBe('0.1.0')
  expect(await user.call('GET', '/projects')).toMatchObject({ projects: [{ id: site.id, status: 'ACTIVE' }] })
  expect(await isTable('upgrade_test')).toBe(false)
  expect(await storeMajor()).toBe('17')
  expect(load.failures).toEqual([])
}

test('a release with another content than was signed is refused', async () => {
  const archive = await releases.build('0.2.0')
  await damage(archive)
  expect(await upgrade(archive)).toContain('signature')
  expect(await phase()).toBeUndefined()
  await expectPrevious()
})

test('a version that is broken in its migration is rolled back automatically', async () => {
  const broken = 'create table upgrade_test (id int);--> statement-breakpoint\nselect 1 / 0;'
  const archive = await releases.build('0.2.1', (folder) => addMigration(folder, broken))
  expect(await upgrade(archive)).toContain('0.2.1 was not kept')
  await expectPrevious()
})

test('a version that is broken at its start is rolled back automatically, with the store from before its migration', async () => {
  const archive = await releases.build('0.2.2', async (folder) => {
    await addMigration(folder, 'create table upgrade_test (id int);')
    await replaceWebProcess(folder, 'process.exit(1)')
  })
  expect(await upgrade(archive)).toContain('0.2.2 was not kept')
  await expectPrevious()
})

test('kill -9 while the new version starts: the next start goes back', async () => {
  const archive = await releases.build('0.2.3', async (folder) => {
    await addMigration(folder, 'create table upgrade_test (id int);')
    await replaceWebProcess(folder, 'setInterval(() => {}, 1000)')
  })
  const ended = upgrade(archive)
  await expect.poll(phase).toBe('trying')
  await expect.poll(() => isTable('upgrade_test').catch(() => false)).toBe(true)
  await panel.kill()
  await panel.start()
  expect(await ended).toContain('0.2.3 was not kept')
  await expectPrevious()
})

test('a good version replaces the running one without a failed request, and also runs after a restart', async () => {
  const container = await containerOf()
  const answered = load.answered()
  expect(await upgrade(await releases.build('0.3.0'))).not.toContain('not kept')
  expect(await version()).toBe('0.3.0')
  expect(await storeMajor()).toBe('18')
  expect(await containerOf()).toBe(container)
  expect(load.answered()).toBeGreaterThan(answered)
  await load.stop()
  expect(load.failures).toEqual([])
  await panel.stop()
  await panel.start()
  expect(await version()).toBe('0.3.0')
  await expect.poll(async () => (await panel.visit(site.hostname)).body).toBe('kept /')
})
