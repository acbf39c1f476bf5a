import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileList } from '@panel/contract/files'
import type { Project } from '@panel/contract/projects'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker, findObjects } from '../support/engine.ts'
import type { Client, Site } from '../support/panel.ts'
import { removeProjects, sharedWorld, type World } from '../support/shared-world.ts'

const filesSite = {
  'package.json': JSON.stringify({ name: 'site', private: true, scripts: { start: 'node server.js' } }),
  'server.js': `
const { createReadStream, createWriteStream } = require('node:fs')
require('node:http').createServer((request, response) => {
  const path = '/data' + request.url
  if (request.headers['x-keep']) return createWriteStream(path).end(request.headers['x-keep'], () => response.end('kept'))
  createReadStream(path).on('error', (error) => response.writeHead(404).end(error.code)).pipe(response)
}).listen(process.env.PORT)
`
}

let world: World
let owner: Client
let site: Site
beforeAll(async () => {
  world = await sharedWorld()
  owner = await world.panel.signUp()
  site = await owner.createSite(world.git, filesSite)
  await owner.mustRun(site.id)
})
afterAll(() => removeProjects(owner))

const directory = () => join(world.projects, 'by-id', site.id)
const read = async (path: string) => (await world.panel.visit(site.hostname, path)).body
const keep = async (path: string, text: string) => {
  expect((await world.panel.visit(site.hostname, path, { 'x-keep': text })).body).toBe('kept')
}
const redeploy = () => owner.request<{ error?: string }>('POST', `/projects/${site.id}/deploy`)

test('files written by the container belong to the owner on the host and in the file manager, and vice versa', async () => {
  await keep('/by-container', 'from the container')
  expect(await owner.call('GET', `/files/${site.id}/read?path=by-container`)).toMatchObject({
    content: 'from the container'
  })
  const { uid } = await stat(directory())
  expect(uid).toBeGreaterThanOrEqual(20_000)
  expect((await stat(join(directory(), 'by-container'))).uid).toBe(uid)

  await owner.call('POST', `/files/${site.id}/create`, { path: 'by-panel', content: 'from the panel' })
  expect(await read('/by-panel')).toBe('from the panel')
  await keep('/by-panel', 'changed by the container')
  expect(await owner.call('GET', `/files/${site.id}/read?path=by-panel`)).toMatchObject({ content: 'changed by the container' }) // oxfmt-ignore
  for (const path of ['by-container', 'by-panel']) await owner.call('DELETE', `/files/${site.id}/delete`, { path })
  expect(await read('/by-container')).toBe('ENOENT')
  expect((await findObjects(`panel.project=${site.id}`)).volumes).toEqual([])
})

test('the files outlive a rename, a restart, a new deployment and the removal of the container', async () => {
  await keep('/kept', 'one')
  await owner.call('PUT', `/projects/${site.id}`, { name: `${site.name}-new` })
  expect(await read('/kept')).toBe('one')
  await owner.call('POST', `/files/${site.id}/write`, { path: 'kept', content: 'two' })
  expect(await read('/kept')).toBe('two')
  await owner.call('POST', `/projects/${site.id}/container/restart`)
  expect(await read('/kept')).toBe('two')
  await owner.call('POST', `/projects/${site.id}/container/remove`)
  const { nodes } = await owner.call<FileList>('GET', `/files/${site.id}/list`)
  expect(nodes.map(({ name }) => name)).toEqual(['kept'])
  await owner.call('POST', `/projects/${site.id}/deploy`)
  const { deployedDomain } = await owner.call<Project>('GET', `/projects/${site.id}`)
  site = { ...site, hostname: deployedDomain! }
  expect(await read('/kept')).toBe('two')
})

test('if the directory cannot be created, the deployment fails and the old release keeps running', async () => {
  const move = (from: string, to: string) => docker('run', '--rm', '--volume', `${join(directory(), '..')}:/by-id`, 'node:24-trixie-slim', 'mv', '-T', `/by-id/${from}`, `/by-id/${to}`) // oxfmt-ignore
  await move(site.id, 'gone')
  expect((await redeploy()).body.error).toMatch(/does not exist/)
  expect(await read('/kept')).toBe('two')
  await move('gone', site.id)
})

test('a project from before directories keeps its volume', async () => {
  const { instanceId } = world.panel
  const volume = `panel-${instanceId}-${site.id}-data`
  const labels = ['--label', `panel.instance=${instanceId}`, '--label', `panel.project=${site.id}`]
  await docker('volume', 'create', ...labels, volume)
  await docker('run', '--rm', '--volume', `${volume}:/data`, 'node:24-trixie-slim', 'sh', '-c', 'chmod 1777 /data && echo former > /data/kept') // oxfmt-ignore
  expect((await redeploy()).status).toBe(200)
  expect(await read('/kept')).toBe('former\n')
  await owner.call('POST', `/projects/${site.id}/container/remove`)
  expect((await findObjects(`panel.project=${site.id}`)).volumes).toEqual([])
})
