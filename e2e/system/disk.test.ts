import type { Client, RunningPanel, Site } from '../support/panel.ts'
import type { DiskCleanupPreview, ServerDisk } from '@panel/contract/server-disk'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { createMachine, type Machine } from '../support/machine.ts'
import { startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { builtNodeSite } from '../support/sites.ts'

const nodeImage = 'node:24-trixie-slim'

// Own machine: its engine has no images but ours and those of this test.
let machine: Machine
let git: GitHttpServer
let panel: RunningPanel
let admin: Client
let site: Site
beforeAll(async () => {
  machine = await createMachine([nodeImage])
  git = await startGitHttpServer(machine.hostAddress)
  const images = Object.fromEntries(
    ['NODE', 'STATIC', 'PYTHON', 'PHP', 'COMPILERS'].map((name) => [`BUILD_IMAGE_${name}`, nodeImage])
  )
  panel = await startPanel(
    { GIT_EXTRA_HOSTS: `${machine.hostAddress}:${git.port}`, DEPLOY_DRAIN_SECONDS: '0', ...images },
    machine
  )
  admin = await panel.signUp('admin')
  site = await admin.createSite(git, builtNodeSite('shop', 'date > built'))
  for (let n = 0; n < 3; n++) {
    const deployment = await admin.build(site.id)
    expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })
  }
})
afterEach(({ task }) => {
  if (task.result?.state === 'fail') console.error(panel?.output().slice(-5_000))
})
afterAll(async () => {
  await panel?.dispose()
  await git?.stop()
  await machine?.remove()
})

const tags = async () =>
  (await machine.run('docker', 'images', '--format', '{{.Repository}}:{{.Tag}}'))
    .split('\n')
    .filter((tag) => tag.startsWith('panel-'))
const show = () => admin.call<ServerDisk>('GET', '/system/disk')
const preview = async () => {
  const { groups } = await admin.call<DiskCleanupPreview>('GET', '/system/disk/cleanup')
  return Object.fromEntries(groups.map((group) => [group.kind, group]))
}
const clean = async (kinds: readonly string[]) => {
  const { id } = await admin.call<{ id: string }>('POST', '/system/disk/cleanup', { kinds })
  const { cleanup } = await until(show, (disk) => disk.cleanup?.id === id && disk.cleanup.endedAt !== null)
  return cleanup!
}
const expectServing = async () => expect((await panel.visit(site.hostname)).body).toContain('shop')

test('shows what takes the room', async () => {
  const { disks, projects } = await until(show, ({ measuredAt }) => measuredAt !== null)
  await admin.call('POST', '/system/disk/measure')
  expect(disks.some(({ isPanels }) => isPanels)).toBe(true)
  for (const { usedBytes, kinds } of disks)
    expect(kinds.reduce((sum, { bytes }) => sum + bytes, 0)).toBeGreaterThanOrEqual(Math.min(usedBytes, 1))
  expect(projects.length).toBeLessThanOrEqual(50)
})

test('keeping fewer releases removes the others at once, and the site keeps serving', async () => {
  expect(await tags()).toHaveLength(3)
  await admin.call('PUT', '/system/settings', { variables: { KEEP_RELEASES: 1 } })
  await until(tags, (left) => left.length === 1)
  await expectServing()
})

test('a cleanup removes build cache, and keeps what runs and what others made', async () => {
  await machine.run(
    'sh',
    '-c',
    `printf 'FROM ${nodeImage}\\nRUN echo foreign > /foreign\\n' | DOCKER_BUILDKIT=0 docker build -q -t foreign:1 -`
  )
  await machine.run(
    'sh',
    '-c',
    `printf 'FROM ${nodeImage}\\nRUN echo used > /used\\n' | DOCKER_BUILDKIT=0 docker build -q -t used:1 -`
  )
  await machine.run('docker', 'create', '--name', 'stopped', 'used:1')
  const { OTHER_IMAGES } = await preview()
  expect(OTHER_IMAGES!.items.map(({ name }) => name)).toEqual(['foreign:1'])

  const all = await clean(['BUILD_CACHE', 'RELEASES', 'LEFTOVERS', 'BACKUP_CACHE', 'LOGS'])
  expect(all.status).toBe('COMPLETED')
  const left = (await machine.run('docker', 'images', '--format', '{{.Repository}}:{{.Tag}}')).split('\n')
  for (const kept of [nodeImage, 'foreign:1', 'used:1']) expect(left).toContain(kept)
  expect(await tags()).toHaveLength(1)
  expect((await preview()).BUILD_CACHE!.count).toBe(0)
  await expectServing()

  await clean(['OTHER_IMAGES'])
  const rest = (await machine.run('docker', 'images', '--format', '{{.Repository}}:{{.Tag}}')).split('\n')
  expect([rest.includes('foreign:1'), rest.includes('used:1'), rest.includes(nodeImage)]).toEqual([false, true, true])
  const deployment = await admin.build(site.id)
  expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })
  await expectServing()
})
