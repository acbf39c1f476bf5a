import type { Deployment } from '@panel/contract/deployments'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { type Client, type RunningPanel, startPanel } from '../support/panel.ts'
import { builtNodeSite, nodeSite } from '../support/sites.ts'

let git: GitHttpServer
let panel: RunningPanel
beforeAll(async () => {
  git = await startGitHttpServer()
  panel = await startPanel({ GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`, BUILD_CONCURRENCY: '1' })
})
afterAll(async () => {
  await panel?.dispose()
  await git?.stop()
})

const press = (client: Client, id: string) => client.call<Deployment>('POST', `/projects/${id}/build`)

test('with one build slot, users take turns in order', async () => {
  const [busy, patient] = [await panel.signUp(), await panel.signUp()]
  const blocker = await busy.createSite(git, builtNodeSite('blocker', 'sleep 3'))
  const [first, second] = [await busy.createSite(git, nodeSite('one')), await busy.createSite(git, nodeSite('two'))]
  const theirs = await patient.createSite(git, nodeSite('theirs'))
  const queued = [
    ['blocker', await press(busy, blocker.id)],
    ['first', await press(busy, first.id)],
    ['first again', await press(busy, first.id)],
    ['second', await press(busy, second.id)],
    ['theirs', await press(patient, theirs.id)],
    ['theirs again', await press(patient, theirs.id)]
  ] as const
  for (const [name, { id, projectId }] of queued) {
    const ended = await (name.startsWith('theirs') ? patient : busy).waitFor(projectId, id)
    expect(ended, `${name}: ${ended.buildLogs}`).toMatchObject({ status: 'RUNNING' })
  }
  const rows = await panel.query<{ id: string }>('select id from deployments order by started_at')
  const nameOf = new Map(queued.map(([name, { id }]) => [id, name]))
  expect(rows.map(({ id }) => nameOf.get(id))).toEqual([
    'blocker',
    'theirs',
    'first',
    'theirs again',
    'first again',
    'second'
  ])
})

test('a rollback does not wait for builds', async () => {
  const user = await panel.signUp()
  const [site, other] = [await user.createSite(git, nodeSite('kept')), await user.createSite(git, nodeSite('other'))]
  const first = await user.build(site.id)
  await git.commit(other.repository, builtNodeSite('other', 'sleep 8'), 'Slow')
  const building = await press(user, other.id)
  await user.waitFor(other.id, building.id, ({ status }) => status === 'BUILDING')
  const { id } = await user.call<Deployment>('POST', `/projects/${site.id}/deployments/${first.id}/rollback`)
  expect((await user.waitFor(site.id, id)).status).toBe('RUNNING')
  const path = `/projects/${other.id}/deployments/${building.id}`
  expect((await user.call<Deployment>('GET', path)).status).toBe('BUILDING')
})
