import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileList } from '@panel/contract/files'
import type { Project } from '@panel/contract/projects'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker, findObjects } from '../support/engine.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { type Client, type RunningPanel, startPanel } from '../support/panel.ts'

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

let git: GitHttpServer
let panel: RunningPanel
let owner: Client
beforeAll(async () => {
  git = await startGitHttpServer()
  panel = await startPanel({ GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}` })
  owner = await panel.signUp()
})
afterAll(async () => {
  await panel?.dispose()
  await git?.stop()
})

async function deployed() {
  const site = await owner.createSite(git, filesSite)
  const build = async () => {
    const deployment = await owner.build(site.id)
    expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })
  }
  await build()
  return {
    ...site,
    build,
    directory: join(panel.dataDir, 'workspaces', 'projects', 'by-id', site.id),
    read: async (path: string) => (await panel.visit(site.hostname, path)).body,
    keep: async (path: string, text: string) => {
      expect((await panel.visit(site.hostname, path, { 'x-keep': text })).body).toBe('kept')
    },
    list: async () => (await owner.call<FileList>('GET', `/files/${site.id}/list`)).nodes.map(({ name }) => name)
  }
}

test('files written by the container belong to the owner on the host and in the file manager, and vice versa', async () => {
  const site = await deployed()
  await site.keep('/by-container', 'from the container')
  expect(await owner.call('GET', `/files/${site.id}/read?path=by-container`)).toMatchObject({
    content: 'from the container'
  })
  const { uid } = await stat(site.directory)
  expect(uid).toBeGreaterThanOrEqual(20_000)
  expect((await stat(join(site.directory, 'by-container'))).uid).toBe(uid)

  await owner.call('POST', `/files/${site.id}/create`, { path: 'by-panel', content: 'from the panel' })
  expect(await site.read('/by-panel')).toBe('from the panel')
  await site.keep('/by-panel', 'changed by the container')
  expect(await owner.call('GET', `/files/${site.id}/read?path=by-panel`)).toMatchObject({ content: 'changed by the container' }) // oxfmt-ignore
  await owner.call('DELETE', `/files/${site.id}/delete`, { path: 'by-container' })
  expect(await site.read('/by-container')).toBe('ENOENT')
  expect((await findObjects(`panel.project=${site.id}`)).volumes).toEqual([])
})

test('the files outlive a rename, a restart, a new deployment and the removal of the container', async () => {
  const site = await deployed()
  await site.keep('/kept', 'one')
  await owner.call('PUT', `/projects/${site.id}`, { name: `${site.name}-new` })
  expect(await site.read('/kept')).toBe('one')
  await owner.call('POST', `/files/${site.id}/write`, { path: 'kept', content: 'two' })
  expect(await site.read('/kept')).toBe('two')
  await owner.call('POST', `/projects/${site.id}/container/restart`)
  expect(await site.read('/kept')).toBe('two')
  await owner.call('POST', `/projects/${site.id}/container/remove`)
  expect(await site.list()).toEqual(['kept'])
  await owner.call('POST', `/projects/${site.id}/deploy`)
  const { deployedDomain } = await owner.call<Project>('GET', `/projects/${site.id}`)
  expect((await panel.visit(deployedDomain!, '/kept')).body).toBe('two')
})

test('a project from before directories keeps its volume', async () => {
  const site = await deployed()
  const volume = `panel-${panel.instanceId}-${site.id}-data`
  const labels = ['--label', `panel.instance=${panel.instanceId}`, '--label', `panel.project=${site.id}`]
  await docker('volume', 'create', ...labels, volume)
  await docker('run', '--rm', '--volume', `${volume}:/data`, 'node:24-trixie-slim', 'sh', '-c', 'chmod 1777 /data && echo former > /data/kept') // oxfmt-ignore
  await site.build()
  expect(await site.read('/kept')).toBe('former\n')
  await owner.call('POST', `/projects/${site.id}/container/remove`)
  expect((await findObjects(`panel.project=${site.id}`)).volumes).toEqual([])
})

test('if the directory cannot be created, the deployment fails and the old release keeps running', async () => {
  const site = await deployed()
  await site.keep('/kept', 'one')
  await docker('run', '--rm', '--volume', `${join(site.directory, '..')}:/by-id`, 'node:24-trixie-slim', 'mv', `/by-id/${site.id}`, '/by-id/gone') // oxfmt-ignore
  const failed = await owner.build(site.id)
  expect(failed.status).toBe('FAILED')
  expect(failed.buildLogs).toMatch(/^FAILED: .*does not exist/m)
  expect(await site.read('/kept')).toBe('one')
})
