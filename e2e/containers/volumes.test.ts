import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Schema, unwrap } from '@panel/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exists } from '../../packages/server/src/infra/disk/exists.ts'
import { at, type Client, type RunningPanel, type Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { removeProjects, sharedWorld, type World } from '../support/shared-world.ts'

/** Serves and changes files below /app/uploads, which has one file in the image. */
const uploadsSite = (word: string) => ({
  'package.json': JSON.stringify({ name: 'site', private: true, scripts: { start: 'node server.js' } }),
  'uploads/seed.txt': 'from the image',
  'server.js': `
const { createReadStream, symlinkSync, writeFileSync } = require('node:fs')
require('node:http').createServer((request, response) => {
  const path = '/app/uploads' + request.url
  try {
    if (request.url === '/word') return response.end(${JSON.stringify(word)})
    if (request.headers['x-keep']) writeFileSync(path, request.headers['x-keep'])
    if (request.headers['x-link']) symlinkSync(request.headers['x-link'], path)
    createReadStream(path).on('error', (error) => response.writeHead(404).end(error.code)).pipe(response)
  } catch (error) { response.writeHead(500).end(error.code) }
}).listen(process.env.PORT)
`
})

let world: World
let panel: RunningPanel
let user: Client
let site: Site
let volume: Schema<'ProjectVolume'>
let disk: string
let targetId: string | undefined
let first: { id: string }
beforeAll(async () => {
  disk = await mkdtemp(join(tmpdir(), 'panel-volume-backups-'))
  world = await sharedWorld()
  panel = world.panel
  user = await panel.signUp()
  site = await user.createSite(world.git, uploadsSite('first'))
  first = await user.mustRun(site.id)
})
afterAll(async () => {
  await removeProjects(user)
  if (targetId !== undefined) await world.ann.call('DELETE', `/backups/targets/${targetId}`)
  if (disk) await rm(disk, { recursive: true, force: true })
})

const read = async (path: string) => (await panel.visit(site.hostname, path)).body
const write = (path: string, headers: Record<string, string>) => panel.visit(site.hostname, path, headers)
const list = async () => (await unwrap(user.api.GET('/api/projects/{id}/volumes', at(site.id)))).volumes
const directory = () => join(world.projects, 'by-id', volume.id)
const untilMounted = () => until(list, (volumes) => volumes.every(({ isMounted }) => isMounted))
const untilServes = (path: string, body: string) =>
  until(
    () => read(path),
    (found) => found === body
  )

test('a kill of the panel after the row and before the container leaves a mounted volume', async () => {
  const body = { name: 'uploads', path: '/app/uploads', sizeMb: 1, overCode: false }
  volume = await unwrap(user.api.POST('/api/projects/{id}/volumes', { ...at(site.id), body }))
  await panel.kill()
  await panel.start()
  await untilMounted()
  await untilServes('/seed.txt', 'from the image')
  const { uid } = await stat(join(world.projects, 'by-id', site.id))
  for (const path of [directory(), join(directory(), 'seed.txt')]) expect((await stat(path)).uid).toBe(uid)
})

test('its files outlive a deployment and a rollback, which do not bring those of the image back', async () => {
  await write('/kept', { 'x-keep': 'one' })
  await write('/seed.txt', { 'x-keep': 'changed' })
  await world.git.commit(site.repository, uploadsSite('second'), 'Second')
  await user.mustRun(site.id)
  expect([await read('/word'), await read('/kept'), await read('/seed.txt')]).toEqual(['second', 'one', 'changed'])
  const path = { id: site.id, deploymentId: first.id }
  await unwrap(user.api.POST('/api/projects/{id}/deployments/{deploymentId}/rollback', { params: { path } }))
  await untilServes('/word', 'first')
  expect([await read('/kept'), await read('/seed.txt')]).toEqual(['one', 'changed'])
})

test('commands of the project have it too', async () => {
  const run = await unwrap(
    user.api.POST('/api/projects/{id}/runs', { ...at(site.id), body: { command: 'cat /app/uploads/kept' } })
  )
  const ended = await until(
    () => unwrap(user.api.GET('/api/projects/{id}/runs/{runId}', { params: { path: { id: site.id, runId: run.id } } })),
    ({ endedAt }) => endedAt !== null
  )
  expect(ended).toMatchObject({ exitCode: 0 })
})

test('a link that leads out of it is followed by the application only', async () => {
  await write('/out', { 'x-link': '/etc/passwd' })
  expect(await read('/out')).toContain('root:')
  const answer = await user.request('GET', `/files/${volume.id}/read?path=out`)
  expect(answer).toMatchObject({ status: 403, body: { code: 'PATH_FORBIDDEN' } })
})

test('a file that does not fit is refused', async () => {
  const body = { path: 'large', content: 'x'.repeat(2 ** 20 + 1) }
  const answer = await user.request('POST', `/files/${volume.id}/create`, body)
  expect(answer).toMatchObject({ status: 403, body: { code: 'QUOTA_EXCEEDED' } })
  expect(await exists(join(directory(), 'large'))).toBe(false)
})

test('a backup contains it, with the link as a link, and a file and all of it are restored', async () => {
  const target = await unwrap(
    world.ann.api.POST('/api/backups/targets', {
      body: { kind: 'FOLDER', name: 'Disk', path: join(disk, 'repository') }
    })
  )
  targetId = target.id
  await unwrap(world.ann.api.POST('/api/backups/targets/{id}/confirm', { ...at(target.id), body: { key: target.key } }))
  await unwrap(user.api.POST('/api/projects/{id}/backups', { ...at(site.id), body: { targetId } }))
  const [backup] = await until(
    async () => (await unwrap(user.api.GET('/api/projects/{id}/backups', at(site.id)))).backups,
    ([latest]) => latest?.endedAt != null
  )
  expect(backup).toMatchObject({ status: 'GOOD', volumes: ['uploads'] })
  const inBackup = { path: { id: site.id, backupId: backup!.id } }
  const { entries } = await unwrap(
    user.api.GET('/api/projects/{id}/backups/{backupId}/files', {
      params: { ...inBackup, query: { path: '', volume: 'uploads' } }
    })
  )
  expect(entries.map(({ name, type }) => [name, type])).toEqual([
    ['kept', 'FILE'],
    ['out', 'LINK'],
    ['seed.txt', 'FILE']
  ])
  const restore = async (path: string) => {
    const body = { kind: 'FILES', path, volume: 'uploads' } as const
    const { id } = await unwrap(
      user.api.POST('/api/projects/{id}/backups/{backupId}/restore', { params: inBackup, body })
    )
    const restores = await until(
      async () => (await unwrap(user.api.GET('/api/projects/{id}/restores', at(site.id)))).restores,
      (all) => all.some((each) => each.id === id && each.endedAt !== null)
    )
    expect(restores.find((each) => each.id === id)).toMatchObject({ status: 'COMPLETED', problem: null })
    return id
  }
  const restored = `restored-${(await restore('kept')).slice(-8).toLowerCase()}`
  expect(await read(`/${restored}/kept`)).toBe('one')
  await write('/kept', { 'x-keep': 'two' })
  await restore('')
  await untilServes('/kept', 'one')
})

test('a deleted volume is no longer mounted, and its files are removed', async () => {
  const gone = directory()
  const params = { path: { id: site.id, name: 'uploads' } }
  await unwrap(user.api.DELETE('/api/projects/{id}/volumes/{name}', { params, body: { name: 'uploads' } }))
  await untilServes('/seed.txt', 'from the image')
  await until(
    () => exists(gone),
    (found) => !found
  )
})
