import { access, mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import { projects } from '../src/db/schema/projects.ts'
import { AdapterError } from '../src/infra/adapter-error.ts'
import type { Git, GitRemote } from '../src/infra/git/git.ts'
import { createMemoryGit } from './fakes/memory-git.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'
import { withResolvers } from './support/with-resolvers.ts'

let panel: TestPanel
let ann: Client
let bob: Client
let fetched: { directory: string; remote: GitRemote; branch: string }[]
let unreachable: boolean
let hold: Promise<void>

const git: Git = {
  ...createMemoryGit(),
  async fetchBranch(directory, remote, branch) {
    if (unreachable) throw new AdapterError('repository-unavailable', [{ code: 'GIT_NOT_FOUND' }])
    fetched.push({ directory, remote, branch })
    await hold
    return { hash: 'a'.repeat(40), message: 'first commit' }
  },
  async createDeployKey(privateKeyPath) {
    await mkdir(dirname(privateKeyPath), { recursive: true })
    await writeFile(privateKeyPath, 'PRIVATE')
    return `ssh-ed25519 ${Buffer.from(privateKeyPath).toString('base64')} panel`
  }
}

beforeAll(async () => {
  panel = await createTestPanel({ API_BASE_URL: 'https://panel.example.org/' }, { git })
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
})
afterAll(() => panel.close())
beforeEach(() => {
  fetched = []
  unreachable = false
  hold = Promise.resolve()
})

const repository = 'https://github.com/owner/repository'
const connect = (id: string, body: object = { gitUrl: repository }) =>
  ann.request('POST', `/api/projects/${id}/git/connect`, body)
const info = (id: string) => ann.request('GET', `/api/projects/${id}/git`)
const rowOf = async (id: string) => (await panel.deps.db.select().from(projects).where(eq(projects.id, id)))[0]!
const auditOf = async (id: string) => (await panel.audited({ targetId: id })).map((row) => row.action)
const newProject = async () => (await ann.createProject()).id

describe('connection', () => {
  test('none yet', async () => {
    const id = await newProject()
    const answer = await info(id)
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        gitUrl: null,
        branch: null,
        sshPublicKey: null,
        webhookUrl: `https://panel.example.org/api/webhooks/gitprovider?projectId=${id}`,
        webhookSecret: null,
        isPrivate: false
      }
    ])
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(await auditOf(id)).toEqual(['project.created'])
  })

  test('connect fetches the branch, then stores it with a new secret', async () => {
    const id = await newProject()
    const answer = await connect(id, { gitUrl: `${repository}.git/`, branch: 'feature/x', isPrivate: true })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      gitUrl: `${repository}.git`,
      branch: 'feature/x',
      sshPublicKey: null,
      webhookUrl: `https://panel.example.org/api/webhooks/gitprovider?projectId=${id}`,
      webhookSecret: expect.stringMatching(/^[0-9a-f]{64}$/),
      isPrivate: true
    })
    expect(fetched).toMatchObject([
      { remote: { url: `${repository}.git`, privateKeyPath: undefined }, branch: 'feature/x' }
    ])
    expect(fetched[0]!.directory.startsWith(`${panel.deps.config.PROJECTS_DIR}/${id}/`)).toBe(true)
    expect((await info(id)).json()).toEqual(answer.json())
  })

  test('the branch defaults to main', async () => {
    const id = await newProject()
    expect((await connect(id)).json()).toMatchObject({ branch: 'main', isPrivate: false })
  })

  test('connecting again keeps the secret', async () => {
    const id = await newProject()
    const first = (await connect(id)).json().webhookSecret
    const second = (await connect(id, { gitUrl: 'https://gitlab.com/group/sub/other', branch: 'dev' })).json()
    expect(second).toMatchObject({ gitUrl: 'https://gitlab.com/group/sub/other', branch: 'dev', webhookSecret: first })
  })

  test('the secret is encrypted, and showing it is audited', async () => {
    const id = await newProject()
    const { webhookSecret } = (await connect(id)).json()
    const stored = (await rowOf(id)).webhookSecret!
    expect(stored).toMatch(/^[0-9a-f]{24}:[0-9a-f]{32}:[0-9a-f]{128}$/)
    expect(JSON.stringify(await rowOf(id))).not.toContain(webhookSecret)
    await info(id)
    await ann.request('POST', `/api/projects/${id}/git/webhook-secret/rotate`)
    await ann.request('GET', `/api/projects/${id}`)
    expect(await auditOf(id)).toEqual([
      'project.created',
      'git.connected',
      'git.webhook_secret_shown',
      'git.webhook_secret_rotated',
      'git.webhook_secret_shown'
    ])
    expect(JSON.stringify(await panel.audited())).not.toContain(webhookSecret)
  })

  test('without secrets nothing is shown or audited', async () => {
    const id = await newProject()
    await connect(id)
    const before = await auditOf(id)
    for (const path of ['', '/git']) {
      const without = await ann.request('GET', `/api/projects/${id}${path}?secrets=false`)
      expect(without.statusCode).toBe(200)
      expect(without.json()).toMatchObject({ gitUrl: repository, webhookSecret: null })
      expect((await ann.request('GET', `/api/projects/${id}${path}?secrets=no`)).statusCode).toBe(400)
    }
    expect(await auditOf(id)).toEqual(before)
  })

  test('an unreachable repository is not stored', async () => {
    const id = await newProject()
    unreachable = true
    const answer = await connect(id)
    expect([answer.statusCode, answer.json()]).toEqual([
      422,
      {
        error: 'The repository was not found. Check the address.',
        code: 'GIT_UNREACHABLE',
        sentences: [{ code: 'GIT_NOT_FOUND' }]
      }
    ])
    expect(await rowOf(id)).toMatchObject({ gitUrl: null, branch: null, webhookSecret: null })
  })

  test('one connection per project at a time', async () => {
    const id = await newProject()
    const { promise, resolve: letGo } = withResolvers()
    hold = promise
    const first = connect(id)
    await expect.poll(() => fetched.length, { timeout: 20_000 }).toBe(1)
    const second = await connect(id)
    expect([second.statusCode, second.json().code]).toEqual([409, 'CONFLICT'])
    letGo()
    expect((await first).statusCode).toBe(200)
    expect((await connect(id)).statusCode).toBe(200)
  })

  test.each([
    'https://example.com/owner/repository',
    'https://github.com/owner',
    'https://github.com',
    'http://localhost/owner/repository',
    'https://127.0.0.1/owner/repository',
    'https://github.com.evil.example/owner/repository',
    'https://user:token@github.com/owner/repository',
    'https://github.com:8443/owner/repository',
    'file:///etc/passwd',
    'ssh://git@github.com/owner/repository',
    'git://github.com/owner/repository',
    'git@example.com:owner/repository',
    'git@github.com:-oProxyCommand=id/x',
    'ext::sh -c id',
    'https://github.com/owner/../../x',
    ''
  ])('the address %j is refused with 422', async (gitUrl) => {
    const id = await newProject()
    const answer = await connect(id, { gitUrl })
    expect([answer.statusCode, answer.json().code]).toEqual([422, 'GIT_URL_UNSUPPORTED'])
    expect(answer.json().error).toBeTypeOf('string')
    expect(fetched).toEqual([])
    expect(await rowOf(id)).toMatchObject({ gitUrl: null, webhookSecret: null })
  })

  test.each([
    [{}, 'gitUrl'],
    [{ gitUrl: 1 }, 'gitUrl'],
    [{ gitUrl: `${repository}\n` }, 'gitUrl'],
    [{ gitUrl: repository, branch: '--upload-pack=id' }, 'branch'],
    [{ gitUrl: repository, branch: 'a b' }, 'branch'],
    [{ gitUrl: repository, isPrivate: 'yes' }, 'isPrivate']
  ])('the body %j is refused', async (body, path) => {
    const answer = await connect(await newProject(), body)
    expect([answer.statusCode, answer.json().details[0].path]).toEqual([400, path])
    expect(fetched).toEqual([])
  })
})

describe('deploy keys', () => {
  const makeKey = (id: string) => ann.request('POST', `/api/projects/${id}/git/ssh-key`)

  test('an address that requires a key is refused without one', async () => {
    const id = await newProject()
    const body = { gitUrl: 'git@github.com:owner/private.git', isPrivate: true }
    const refused = await connect(id, body)
    expect([refused.statusCode, refused.json().code]).toEqual([422, 'GIT_UNREACHABLE'])
    expect(refused.json().error).toContain('deploy key')
    expect(fetched).toEqual([])

    const { publicKey } = (await makeKey(id)).json()
    const answer = await connect(id, body)
    expect(answer.json()).toMatchObject({
      gitUrl: 'git@github.com:owner/private.git',
      sshPublicKey: publicKey,
      isPrivate: true
    })
    expect(fetched).toMatchObject([{ remote: { privateKeyPath: (await rowOf(id)).sshPrivateKeyPath } }])
  })

  test('a new key replaces the old one and its file', async () => {
    const id = await newProject()
    const first = await makeKey(id)
    expect([first.statusCode, Object.keys(first.json())]).toEqual([200, ['publicKey']])
    expect(first.json().publicKey).toMatch(/^ssh-ed25519 /)
    const oldPath = (await rowOf(id)).sshPrivateKeyPath!
    const second = await makeKey(id)
    expect(second.json().publicKey).not.toBe(first.json().publicKey)
    expect((await info(id)).json().sshPublicKey).toBe(second.json().publicKey)
    await expect(access(oldPath)).rejects.toThrow('ENOENT')
    await expect(access((await rowOf(id)).sshPrivateKeyPath!)).resolves.toBeUndefined()
  })

  test('of concurrent requests the shown key is kept', async () => {
    const id = await newProject()
    const answers = await Promise.all([1, 2, 3, 4].map(() => makeKey(id)))
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200])
    const row = await rowOf(id)
    expect(row.sshPublicKey).toBe(`ssh-ed25519 ${Buffer.from(row.sshPrivateKeyPath!).toString('base64')} panel`)
    await expect(access(row.sshPrivateKeyPath!)).resolves.toBeUndefined()
  })

  test('no response contains the path of the private key', async () => {
    const id = await newProject()
    await makeKey(id)
    await connect(id)
    const path = (await rowOf(id)).sshPrivateKeyPath!
    const urls = [
      `/api/projects/${id}`,
      `/api/projects/${id}/git`,
      '/api/projects?limit=100',
      `/api/projects?search=project`
    ]
    for (const url of urls) {
      const { body } = await ann.request('GET', url)
      expect(body).toContain(id)
      expect(body).not.toContain(path)
      expect(body).not.toMatch(/sshPrivateKeyPath|private_key/i)
    }
  })
})

describe('webhook secret', () => {
  const rotate = (id: string) => ann.request('POST', `/api/projects/${id}/git/webhook-secret/rotate`)

  test('rotate replaces it', async () => {
    const id = await newProject()
    const first = (await connect(id)).json().webhookSecret
    const answer = await rotate(id)
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { webhookSecret: expect.stringMatching(/^[0-9a-f]{64}$/) }
    ])
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.json().webhookSecret).not.toBe(first)
    expect((await info(id)).json().webhookSecret).toBe(answer.json().webhookSecret)
  })

  test('rotate creates a missing one', async () => {
    const id = await newProject()
    const { webhookSecret } = (await rotate(id)).json()
    expect((await connect(id)).json().webhookSecret).toBe(webhookSecret)
  })
})

test('another’s project is 403, a missing one 404; without a session 401', async () => {
  const theirs = (await bob.createProject()).id
  for (const [method, path, payload] of [
    ['GET', 'git', undefined],
    ['POST', 'git/connect', { gitUrl: repository }],
    ['POST', 'git/ssh-key', undefined],
    ['POST', 'git/webhook-secret/rotate', undefined]
  ] as const) {
    expect((await ann.request(method, `/api/projects/${theirs}/${path}`, payload)).json().code).toBe('FORBIDDEN')
    expect((await ann.request(method, `/api/projects/nothing/${path}`, payload)).json().code).toBe('NOT_FOUND')
    const stranger = await panel.app.inject({
      method,
      url: `/api/projects/${theirs}/${path}`,
      ...(payload ? { payload } : {})
    })
    expect(stranger.json().code).toBe('UNAUTHENTICATED')
  }
  expect(fetched).toEqual([])
  expect(await rowOf(theirs)).toMatchObject({ gitUrl: null, webhookSecret: null, sshPublicKey: null })
})
