import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Schema } from '@panel/client'
import { freePort } from '../../packages/server/test/support/ports.ts'
import type { Client, RunningPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { removeProjects, sharedWorld, type World } from '../support/shared-world.ts'

const login = { username: 'ann', secret: 'a registry token' }

let directory: string
let registry: ChildProcess
let host: string
let world: World
let panel: RunningPanel
let ann: Client
let bob: Client
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'panel-registry-'))
  host = `127.0.0.1:${await freePort()}`
  const passwords = execFileSync('htpasswd', ['-niB', login.username], { input: login.secret })
  await writeFile(join(directory, 'htpasswd'), passwords)
  await writeFile(
    join(directory, 'config.yml'),
    JSON.stringify({
      version: '0.1',
      log: { level: 'error' },
      storage: { filesystem: { rootdirectory: join(directory, 'data') } },
      http: { addr: host },
      auth: { htpasswd: { realm: 'test', path: join(directory, 'htpasswd') } }
    })
  )
  registry = spawn('docker-registry', ['serve', join(directory, 'config.yml')], { stdio: 'ignore' })
  const statusOf = () =>
    fetch(`http://${host}/v2/`).then(
      ({ status }) => status,
      () => 0
    )
  await until(statusOf, (status) => status === 401)
  await mkdir(join(directory, 'client'))
  const auth = Buffer.from(`${login.username}:${login.secret}`).toString('base64')
  await writeFile(join(directory, 'client/config.json'), JSON.stringify({ auths: { [host]: { auth } } }))
  world = await sharedWorld()
  panel = world.panel
  ann = await panel.signUp()
  bob = await panel.signUp()
})
afterAll(async () => {
  await removeProjects(ann, bob)
  registry?.kill()
  await rm(directory, { recursive: true, force: true })
})

const docker = (args: string[], input?: Buffer) =>
  execFileSync('docker', ['--config', join(directory, 'client'), ...args], { ...(input && { input }), stdio: ['pipe', 'pipe', 'inherit'] }) // oxfmt-ignore

/** A web server with one page, which is then only in the registry. */
async function publish(tag: string, page: string): Promise<string> {
  const root = join(directory, `root-${page}`)
  await mkdir(join(root, 'bin'), { recursive: true })
  await mkdir(join(root, 'www'))
  await copyFile('/bin/busybox', join(root, 'bin/busybox'))
  await copyFile('/bin/busybox', join(root, 'bin/sh'))
  await writeFile(join(root, 'www/index.html'), page)
  const name = `${host}/org/app:${tag}`
  const tar = execFileSync('tar', ['-C', root, '-c', '.'], { maxBuffer: 64 * 1024 * 1024 })
  docker(['import', '-c', 'CMD ["/bin/sh","-c","exec /bin/busybox httpd -f -p $PORT -h /www"]', '-', name], tar)
  docker(['push', name])
  docker(['rmi', name])
  return name
}

test('runs an image from a registry with credentials, sees a newer one, and rolls back to the older digest', async () => {
  const image = await publish('1', 'first')
  const { id, name } = await ann.createProject({ type: 'IMAGE', image })
  const site = `${name}.apps.localhost`
  const page = async () => (await panel.visit(site)).body

  const refused = await ann.build(id)
  expect(refused.failure?.sentences).toMatchObject([{ code: 'IMAGE_NOT_PUBLIC' }])
  const wrong = await ann.request('PUT', '/registries', { host, ...login, secret: 'wrong' })
  expect(wrong).toMatchObject({ status: 422, body: { code: 'REGISTRY_UNREACHABLE' } })
  await ann.call('PUT', '/registries', { host, ...login })

  const first = await ann.mustRun(id)
  expect(first.sourceImage).toEqual({ reference: image, digest: expect.stringMatching(/^sha256:/) as string })
  expect(first.buildLogs).toContain(first.sourceImage!.digest)
  expect(first.buildLogs).not.toContain(login.secret)
  expect(await page()).toBe('first')

  await publish('1', 'second')
  const update = await ann.call<Schema<'ImageUpdate'>>('POST', `/projects/${id}/image-update`)
  expect(update).toMatchObject({ isNewer: true, deployedDigest: first.sourceImage!.digest })
  const second = await ann.mustRun(id)
  expect(second.sourceImage?.digest).toBe(update.latestDigest)
  expect(await page()).toBe('second')

  // What a clean-up of old releases does.
  const left = () =>
    docker(['images', '-q', '--filter', `label=panel.deployment=${first.id}`])
      .toString()
      .trim()
  await until(
    async () => {
      try {
        docker(['rmi', '--force', ...left().split('\n')])
      } catch {
        // The container of this release is still ending.
      }
      return left()
    },
    (ids) => ids === ''
  )
  await panel.query(`update deployments set image = null, image_spec = null where id = '${first.id}'`)
  const { id: again } = await ann.call<{ id: string }>('POST', `/projects/${id}/deployments/${first.id}/rollback`)
  const rolledBack = await ann.waitFor(id, again)
  expect(rolledBack).toMatchObject({ status: 'RUNNING', sourceImage: first.sourceImage })
  expect(await page()).toBe('first')

  await ann.call('PUT', `/projects/${id}`, { image: `${host}/org/app:missing` })
  expect((await ann.build(id)).failure?.sentences).toMatchObject([{ code: 'IMAGE_NOT_FOUND' }])
  expect(await page()).toBe('first')
})

test('a Dockerfile builds on an image of the registry, with the credentials of its own account only', async () => {
  const base = await publish('base', 'base')
  const manifest = await fetch(`http://${host}/v2/org/app/manifests/base`, {
    headers: {
      accept: 'application/vnd.docker.distribution.manifest.v2+json',
      authorization: `Basic ${Buffer.from(`${login.username}:${login.secret}`).toString('base64')}`
    }
  })
  const digest = manifest.headers.get('docker-content-digest')!
  const dockerfile = (from: string) => ({ Dockerfile: `FROM ${from}\nRUN echo built on it > /www/index.html\n` })
  const site = await ann.createSite(world.git, dockerfile(base), { type: 'DOCKERFILE' })
  await ann.call('PUT', '/registries', { host, ...login })
  const { buildLogs } = await ann.mustRun(site.id)
  expect(buildLogs).not.toContain(login.secret)
  expect((await panel.visit(site.hostname)).body).toBe('built on it\n')
  // By its digest, another account could name it.
  expect(docker(['images', '-q', '--digests', `${host}/org/app`]).toString()).toBe('')
  const [built = ''] = docker(['images', '-q', '--filter', `label=panel.project=${site.id}`])
    .toString()
    .split('\n')
  expect(docker(['history', '--no-trunc', built]).toString()).not.toContain(login.secret)

  for (const from of [base, `${host}/org/app@${digest}`]) {
    const other = await bob.createSite(world.git, dockerfile(from), { type: 'DOCKERFILE' })
    const refused = await bob.build(other.id)
    expect([refused.status, refused.failure?.reason]).toEqual(['FAILED', expect.stringContaining(host)])
  }
})
