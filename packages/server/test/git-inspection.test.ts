import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AdapterError } from '../src/infra/adapter-error.ts'
import type { Git, GitRemote } from '../src/infra/git/git.ts'
import { createMemoryGit } from './fakes/memory-git.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'
import { withResolvers } from './support/with-resolvers.ts'

let files: Record<string, string> = {}
let branches: string[] = ['dev', 'main']
let requested: { remote: GitRemote; branch?: string; directory: string }[] = []
let hold: Promise<void> = Promise.resolve()
const checks = { now: 0, most: 0, hold: Promise.resolve() }
const memory = createMemoryGit()
const git: Git = {
  ...memory,
  async listBranches(directory, remote, options) {
    requested.push({ remote, directory })
    await hold
    const { head } = await memory.listBranches(directory, remote, options)
    return { names: branches, head: branches.includes('main') ? head : undefined }
  },
  async fetchBranch(directory, remote, branch, options) {
    requested.push({ remote, branch, directory })
    if (!branches.includes(branch))
      throw new AdapterError('repository-unavailable', [{ code: 'GIT_NO_BRANCH', values: { branch } }])
    return memory.fetchBranch(directory, remote, branch, options)
  },
  async listFiles() {
    checks.most = Math.max(checks.most, ++checks.now)
    await checks.hold
    checks.now--
    return Object.keys(files).map((path) => ({ path, kind: 'file', sizeBytes: 1 }))
  },
  readFile: async (_directory, _hash, path) => files[path]
}

let panel: TestPanel
let ann: Client
let bob: Client
beforeAll(async () => {
  panel = await createTestPanel({ GIT_EXTRA_HOSTS: 'git.example.invalid' }, { git })
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
})
afterAll(() => panel.close())

const gitUrl = 'https://github.com/owner/repository'
const inspect = (body: object, client = ann) => client.request('POST', '/api/git/inspect', body)
const leftovers = () => readdir(join(panel.deps.config.PROJECTS_DIR, 'staging', 'repositories'))

describe('POST /api/git/inspect', () => {
  test('returns the branches and the detection for the default one', async () => {
    files = { 'package.json': JSON.stringify({ scripts: { start: 'next start' }, dependencies: { next: '1' } }) }
    requested = []
    const answer = await inspect({ gitUrl: `${gitUrl}.git/` })
    expect([answer.statusCode, answer.json()]).toMatchObject([
      200,
      {
        gitUrl: `${gitUrl}.git`,
        sshUrl: 'git@github.com:owner/repository.git',
        private: false,
        branches: ['dev', 'main'],
        default: 'main',
        branch: 'main',
        detection: { type: 'NODEJS', framework: 'Next.js', commitHash: 'a'.repeat(40) },
        problem: null,
        sentences: []
      }
    ])
    expect(requested.map(({ remote }) => remote)).toEqual(
      Array(2).fill({ url: `${gitUrl}.git`, privateKeyPath: undefined })
    )
  })

  test('for another branch and type', async () => {
    files = { 'requirements.txt': 'flask', 'app.py': 'app = 1', 'index.html': '' }
    expect((await inspect({ gitUrl, branch: 'dev' })).json()).toMatchObject({
      branch: 'dev',
      detection: { type: 'PYTHON' }
    })
    expect((await inspect({ gitUrl, type: 'STATIC' })).json()).toMatchObject({ detection: { type: 'STATIC' } })
  })

  test('returns the problem along with the branches', async () => {
    files = {}
    const { branches: named, detection } = (await inspect({ gitUrl })).json()
    expect([named, detection.problem]).toEqual([['dev', 'main'], expect.stringContaining('package.json')])
  })

  test('the address of a folder in a browser names branch and root directory', async () => {
    files = { 'turbo.json': '{}', 'package.json': '{}', 'apps/web/package.json': JSON.stringify({ scripts: { start: 'x' } }), 'apps/api/Dockerfile': 'FROM node:24', 'apps/api/package.json': '{}' } // oxfmt-ignore
    branches = ['dev', 'dev/next', 'main']
    const places = [
      { type: 'DOCKERFILE', rootDirectory: 'apps/api', dockerfilePath: null },
      { type: 'NODEJS', rootDirectory: 'apps/web', dockerfilePath: null }
    ]
    const address = `${gitUrl}/tree/dev/next/apps/web`
    const found = { gitUrl, branch: 'dev/next', rootDirectory: 'apps/web', places, detection: { type: 'NODEJS', problem: null } } // oxfmt-ignore
    expect((await inspect({ gitUrl: address })).json()).toMatchObject(found)
    expect((await inspect({ gitUrl: address, rootDirectory: null })).json()).toMatchObject({ rootDirectory: null })
    expect((await inspect({ gitUrl, rootDirectory: 'apps/api' })).json()).toMatchObject({
      branch: 'main',
      detection: { type: 'DOCKERFILE', problem: null }
    })
    branches = ['dev', 'main']
  })

  test('a repository that is one Dockerfile in a folder is that folder', async () => {
    files = { 'README.md': '', 'service/Dockerfile': 'FROM node:24', 'service/package.json': '{}' }
    expect((await inspect({ gitUrl })).json()).toMatchObject({
      rootDirectory: 'service',
      detection: { type: 'DOCKERFILE', problem: null }
    })
    files = { 'README.md': '', 'docker/Dockerfile': 'FROM node:24' }
    expect((await inspect({ gitUrl })).json()).toMatchObject({
      rootDirectory: null,
      dockerfilePath: 'docker/Dockerfile',
      detection: { type: 'DOCKERFILE', problem: null }
    })
  })

  test('a repository without branches says so', async () => {
    branches = []
    expect((await inspect({ gitUrl })).json()).toMatchObject({
      branches: [],
      branch: null,
      detection: null,
      problem: 'The repository has no branches yet: push one',
      sentences: [{ code: 'GIT_EMPTY' }]
    })
    branches = ['dev', 'main']
  })

  test('a private one is detected, with the address for a deploy key', async () => {
    expect((await inspect({ gitUrl: 'https://github.com/private/app' })).json()).toMatchObject({
      private: true,
      sshUrl: 'git@github.com:private/app',
      branches: [],
      detection: null,
      problem: expect.stringContaining('private'),
      sentences: [{ code: 'GIT_PRIVATE' }]
    })
  })

  test('git@ uses the key of an own project', async () => {
    const { id } = await ann.createProject()
    const body = { gitUrl: 'git@github.com:owner/repository', projectId: id }
    expect((await inspect(body)).json()).toMatchObject({
      private: true,
      problem: expect.stringContaining('deploy key'),
      sentences: [{ code: 'GIT_NEEDS_KEY_OF_PROJECT' }]
    })
    await ann.request('POST', `/api/projects/${id}/git/ssh-key`)
    requested = []
    expect((await inspect(body)).json()).toMatchObject({ private: true, branches: ['dev', 'main'], problem: null })
    expect(requested[0]!.remote).toEqual({
      url: 'ssh://git@github.com/owner/repository',
      privateKeyPath: expect.stringContaining(id)
    })
    requested = []
    await inspect({ ...body, gitUrl })
    expect(requested[0]!.remote.privateKeyPath).toBeUndefined()
    expect((await inspect(body, bob)).statusCode).toBe(403)
    expect((await inspect({ ...body, projectId: 'pmissing00000000000000000' })).statusCode).toBe(404)
  })

  test.each([
    'https://127.0.0.1/owner/repository',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/owner/repository',
    'https://[::1]/owner/repository',
    'https://github.com:8080/owner/repository',
    'https://user:token@github.com/owner/repository',
    'file:///etc/passwd',
    'ext::sh -c id',
    '--upload-pack=id'
  ])('refuses %s like connecting, without contacting it', async (address) => {
    requested = []
    const { id } = await ann.createProject()
    const [checked, connected] = [
      await inspect({ gitUrl: address }),
      await ann.request('POST', `/api/projects/${id}/git/connect`, { gitUrl: address })
    ]
    expect([checked.statusCode, checked.json()]).toEqual([422, connected.json()])
    expect(requested).toEqual([])
  })

  test('an unreachable server and a missing branch are named errors', async () => {
    expect((await inspect({ gitUrl: 'https://git.example.invalid/a/b' })).json()).toMatchObject({
      error: 'The Git server cannot be reached.',
      code: 'GIT_UNREACHABLE',
      sentences: [{ code: 'GIT_NOT_REACHED' }]
    })
    const answer = await inspect({ gitUrl, branch: 'gone' })
    expect([answer.statusCode, answer.json()]).toEqual([
      422,
      {
        error: 'The repository has no branch "gone".',
        code: 'GIT_UNREACHABLE',
        sentences: [{ code: 'GIT_NO_BRANCH', values: { branch: 'gone' } }]
      }
    ])
    expect((await inspect({ gitUrl, branch: '--x' })).statusCode).toBe(400)
    expect((await inspect({})).statusCode).toBe(400)
  })

  test('one at a time per account, and slow servers do not block other accounts', async () => {
    const { promise, resolve } = withResolvers()
    hold = promise
    requested = []
    const others = await Promise.all(Array.from({ length: 5 }, (_, index) => panel.signUp(`waits${index}`)))
    const waiting = [ann, ...others].map((client) => inspect({ gitUrl }, client).then((answer) => answer))
    await expect.poll(() => requested).toHaveLength(waiting.length)
    expect((await inspect({ gitUrl })).statusCode).toBe(409)
    hold = Promise.resolve()
    const { id } = await bob.createProject()
    const answers = [
      await inspect({ gitUrl }, bob),
      await bob.request('POST', `/api/projects/${id}/git/connect`, { gitUrl })
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    resolve()
    expect((await Promise.all(waiting)).map(({ statusCode }) => statusCode)).toEqual(waiting.map(() => 200))
  })

  test('four repositories at once; others wait', async () => {
    const { promise, resolve } = withResolvers()
    const others = await Promise.all(Array.from({ length: 5 }, (_, index) => panel.signUp(`looks${index}`)))
    const { id } = await bob.createProject()
    await bob.request('POST', `/api/projects/${id}/git/connect`, { gitUrl })
    Object.assign(checks, { most: 0, hold: promise })
    requested = []
    const waiting = [ann, ...others].map((client) => inspect({ gitUrl }, client).then((answer) => answer))
    await expect.poll(() => requested).toHaveLength(2 * waiting.length)
    await expect.poll(() => checks.now).toBe(4)
    waiting.push(bob.request('GET', `/api/projects/${id}/detection`).then((answer) => answer))
    resolve()
    expect((await Promise.all(waiting)).map(({ statusCode }) => statusCode)).toEqual(waiting.map(() => 200))
    expect(checks.most).toBe(4)
  })

  test('stores nothing', async () => {
    expect(await leftovers()).toEqual([])
    for (const { directory } of requested) await expect(access(directory)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await panel.audited({ action: 'git.connected', actorId: ann.user.id })).toEqual([])
  })

  test('requires a session and is rate limited', async () => {
    expect((await panel.app.inject({ method: 'POST', url: '/api/git/inspect', payload: { gitUrl } })).statusCode).toBe(
      401
    )
    const codes = await Promise.all(
      Array.from({ length: 130 }, () => inspect({ gitUrl: 'no' }).then((answer) => answer.statusCode))
    )
    expect(codes).toContain(429)
  })
})
