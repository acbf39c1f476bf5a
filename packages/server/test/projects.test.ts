import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import { type Project, type ProjectList, projectStates } from '@panel/contract/projects'
import { deployments } from '../src/db/schema/deployments.ts'
import { hostNames } from '../src/db/schema/host-names.ts'
import { projects } from '../src/db/schema/projects.ts'
import { users } from '../src/db/schema/users.ts'
import { newId } from '../src/security/ids.ts'
import { hostileBranchNames } from './fixtures/branch-names.fixture.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let ann: Client
let bob: Client
beforeAll(async () => {
  panel = await createTestPanel()
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
})
afterAll(() => panel.close())

const hostnameOf = async (projectId: string) =>
  (await panel.deps.db.select().from(hostNames).where(eq(hostNames.projectId, projectId))).map((row) => row.hostname)

describe('create', () => {
  test('responds 201 with the project, without internals', async () => {
    const answer = await ann.request('POST', '/api/projects', {
      name: 'shop',
      type: 'NODEJS',
      port: 4000,
      status: 'DELETED',
      userId: bob.user.id,
      id: 'mine'
    })
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({
      name: 'shop',
      type: 'NODEJS',
      status: 'ACTIVE',
      userId: ann.user.id,
      port: 4000,
      gitUrl: null,
      containerId: null,
      deployedAt: null
    })
    expect(Object.keys(answer.json())).not.toContain('deletedAt')
    expect(answer.body).not.toMatch(/sshPrivateKeyPath|liveDeployment|deleted_at/)
  })

  test('a name is unique per user', async () => {
    expect((await ann.request('POST', '/api/projects', { name: 'shop', type: 'STATIC' })).json().code).toBe(
      'PROJECT_NAME_EXISTS'
    )
    expect((await bob.request('POST', '/api/projects', { name: 'shop', type: 'STATIC' })).statusCode).toBe(201)
  })

  test.each(['ab--cd', 'a--b', 'zz--top', 'x'.repeat(63)])('accepts the name %s', async (name) => {
    expect((await ann.request('POST', '/api/projects', { name, type: 'STATIC' })).json()).toMatchObject({ name })
  })

  test.each([
    'a;id',
    'a$(id)',
    'a b',
    'a\n',
    '-a',
    'a-',
    'a',
    'Abc',
    'ab_c',
    'ab.c',
    'ab‐c',
    'xn--80ak6aa92e',
    'a'.repeat(64),
    '',
    '../x',
    'a\u0000b',
    12,
    null,
    ['ab']
  ])('refuses the name %j', async (name) => {
    const answer = await ann.request('POST', '/api/projects', { name, type: 'NODEJS' })
    expect([answer.statusCode, answer.json().code, answer.json().details[0].path]).toEqual([
      400,
      'VALIDATION_ERROR',
      'name'
    ])
  })

  test.each<[Record<string, unknown>, string]>([
    [{ type: 'RUBY' }, 'type'],
    [{ port: 0 }, 'port'],
    [{ port: 65536 }, 'port'],
    [{ port: '80' }, 'port'],
    [{ buildCmd: 'make\nrm -rf /' }, 'buildCmd'],
    [{ startCmd: 'node\r\nevil' }, 'startCmd'],
    [{ releaseCmd: 'a\nb' }, 'releaseCmd'],
    [{ installCmd: 'a\nb' }, 'installCmd'],
    ...['..', './a', 'a/../b', '/a', 'a/', '-a', 'a b', 'a;b'].flatMap((path) => [
      [{ dockerContext: path }, 'dockerContext'] as [Record<string, unknown>, string],
      [{ outputDirectory: path }, 'outputDirectory'] as [Record<string, unknown>, string]
    ]),
    [{ outputDirectory: '.' }, 'outputDirectory'],
    [{ dockerTarget: '--x' }, 'dockerTarget'],
    [{ buildArgs: { 'A B': '' } }, 'buildArgs'],
    [{ buildArgs: { A: 'x\ny' } }, 'buildArgs'],
    [{ buildArgs: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`A${at}`, ''])) }, 'buildArgs'],
    [{ startCmd: 'node\u0000evil' }, 'startCmd'],
    ...[...hostileBranchNames, 'a//b', '/a', 'a/', '@', 'a~1', 'a^', 'a:b', 'a?b', 'a*b', 'a[b', 'a\\b'].map(
      (branch) => [{ branch }, 'branch'] as [Record<string, unknown>, string]
    )
  ])('refuses %j', async (values, path) => {
    const answer = await ann.request('POST', '/api/projects', { name: 'hostile', type: 'NODEJS', ...values })
    expect([answer.statusCode, answer.json().details[0].path]).toEqual([400, path])
  })

  test.each([
    'https://github.com@evil.example/a/b',
    'https://github.com.evil.example/a/b',
    'https://github.com:x@evil.example/a/b',
    'git@github.com:-x/y',
    'https://github.com/a/b%0a',
    'https://github.com/../x/y',
    'https://example.com/a/b',
    'file:///etc/passwd',
    'ext::sh -c id',
    'ssh://git@github.com/a/b',
    'https://github.com/a',
    'git@-oProxyCommand=id:a/b',
    'github.com -p1:a/b'
  ])('refuses the repository %j with 422', async (gitUrl) => {
    const answer = await ann.request('POST', '/api/projects', { name: 'hostile', type: 'NODEJS', gitUrl })
    expect([answer.statusCode, answer.json().code]).toEqual([422, 'GIT_URL_UNSUPPORTED'])
    expect(answer.json().error).toBeTypeOf('string')
  })

  test('a version belongs to the language of the project', async () => {
    const create = (type: string, runtimeVersion: unknown) =>
      ann.request('POST', '/api/projects', { name: `v-${type.toLowerCase()}`, type, runtimeVersion })
    const project = (await create('PYTHON', '3.12')).json()
    expect(project.runtimeVersion).toBe('3.12')
    const change = async (runtimeVersion: unknown) => {
      const answer = await ann.request('PUT', `/api/projects/${project.id}`, { runtimeVersion })
      return answer.statusCode === 200 ? answer.json().runtimeVersion : answer.json().code
    }
    expect([await change('3.13'), await change(null), await change('24'), await change('2.7')]).toEqual([
      '3.13',
      null,
      'RUNTIME_VERSION_UNSUPPORTED',
      'VALIDATION_ERROR'
    ])
    expect((await create('DOCKERFILE', '24')).json().code).toBe('RUNTIME_VERSION_UNSUPPORTED')
  })

  test('equal names of two users get distinct hostnames', async () => {
    const first = await ann.createProject({ name: 'blog' })
    const second = await bob.createProject({ name: 'blog' })
    expect(await hostnameOf(first.id)).toEqual(['blog.apps.localhost'])
    expect(await hostnameOf(second.id)).toEqual([`blog-${second.id.slice(-6)}.apps.localhost`])
    for (const name of ['panel', 'api', 'www', 'mail', 'webmail', 'ns1', 'ns2', 'autoconfig', 'mta-sts']) {
      const project = await ann.createProject({ name })
      expect(await hostnameOf(project.id)).toEqual([`${name}-${project.id.slice(-6)}.apps.localhost`])
    }
  })

  test('concurrent creations stop at the limit', async () => {
    const eve = await panel.signUp('eve')
    await panel.deps.db.update(users).set({ maxProjects: 3 }).where(eq(users.id, eve.user.id))
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => eve.request('POST', '/api/projects', { name: `quota-${i}`, type: 'NODEJS' }))
    )
    expect(answers.filter((answer) => answer.statusCode === 201)).toHaveLength(3)
    expect(new Set(answers.filter((answer) => answer.statusCode !== 201).map((answer) => answer.json().code))).toEqual(
      new Set(['QUOTA_EXCEEDED'])
    )
    expect((await eve.request('GET', '/api/projects')).json().pagination.total).toBe(3)
  })

  test('exactly one of concurrent creations with a name succeeds', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => bob.request('POST', '/api/projects', { name: 'same', type: 'NODEJS' }))
    )
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([201, 409, 409, 409, 409])
  })
})

describe('list', () => {
  let carl: Client
  beforeAll(async () => {
    carl = await panel.signUp('carl')
    for (const [name, type] of [
      ['alpha-one', 'NODEJS'],
      ['alpha-two', 'STATIC'],
      ['beta', 'NODEJS']
    ] as const)
      await carl.createProject({ name, type })
    await panel.deps.db.update(projects).set({ status: 'STOPPED' }).where(eq(projects.name, 'beta'))
    await panel.deps.db.update(projects).set({ deployedAt: new Date() }).where(eq(projects.name, 'alpha-two'))
  })
  const names = async (query: string) =>
    (await carl.request('GET', `/api/projects${query}`))
      .json()
      .projects.map((project: { name: string }) => project.name)

  test('own projects, newest first, paginated', async () => {
    const answer = await carl.request('GET', '/api/projects?limit=2')
    expect(answer.json().projects.map((project: { name: string }) => project.name)).toEqual(['beta', 'alpha-two'])
    expect(answer.json().pagination).toEqual({ page: 1, limit: 2, total: 3, totalPages: 2 })
    expect(await names('?limit=2&page=2')).toEqual(['alpha-one'])
    expect(answer.body).not.toContain('deletedAt')
  })

  test.each(['', '?search=beta'])('items match single reads, except the secret (%s)', async (query) => {
    const [beta] = (await carl.request('GET', `/api/projects${query}`)).json().projects as { id: string }[]
    await panel.deps.db
      .update(projects)
      .set({
        webhookSecret: panel.deps.secretBox.seal('shared'),
        port: 8080,
        containerId: 'c1',
        internalPort: 8101,
        deployedAt: new Date('2026-01-31T10:20:30.500Z'),
        createdAt: new Date('2026-12-31T23:59:59.000Z')
      })
      .where(eq(projects.id, beta!.id))
    const [listed] = (await carl.request('GET', `/api/projects${query}`)).json().projects
    const { machines, ...alone } = (await carl.request('GET', `/api/projects/${beta!.id}`)).json()
    expect(machines).toEqual([])
    expect(alone).toMatchObject({ webhookSecret: 'shared', deployedAt: '2026-01-31T10:20:30.500Z' })
    expect(listed).toEqual({ ...alone, webhookSecret: null })
  })

  describe('states', () => {
    let erna: Client
    const deploy = async (projectId: string, status: (typeof deployments.$inferInsert)['status']) => {
      const id = newId()
      const row = { id, projectId, userId: erna.user.id, trigger: 'MANUAL', status } as const
      await panel.deps.db.insert(deployments).values(row)
      return id
    }
    const live = { deployedAt: new Date(), containerStatus: 'running' }
    const cases = [
      ['broken', 'ATTENTION', live, ['RUNNING', 'FAILED']],
      ['building', 'DEPLOYING', {}, ['FAILED', 'BUILDING']],
      ['cancelled', 'RUNNING', live, ['RUNNING', 'CANCELLED']],
      ['down', 'ATTENTION', { ...live, containerStatus: 'exited' }, ['RUNNING']],
      ['full', 'ATTENTION', { ...live, status: 'STOPPED', stopReason: 'CONTAINER_DISK_LIMIT' }, ['RUNNING']],
      ['gone', 'ATTENTION', { deployedAt: new Date() }, ['RUNNING']],
      ['new', 'IDLE', {}, []],
      ['queued', 'DEPLOYING', live, ['RUNNING', 'QUEUED']],
      ['restarting', 'ATTENTION', { ...live, containerStatus: 'restarting' }, []],
      ['running', 'RUNNING', live, ['FAILED', 'RUNNING']],
      ['sleeping', 'SLEEPING', { ...live, asleepSince: new Date(), containerStatus: 'exited' }, ['RUNNING']],
      ['stopped', 'IDLE', { ...live, status: 'STOPPED', containerStatus: 'exited' }, ['RUNNING']]
    ] as const
    const newestIds: Record<string, string | undefined> = {}
    beforeAll(async () => {
      erna = await panel.signUp('erna')
      for (const [name, , values, statuses] of cases) {
        const { id } = await erna.createProject({ name })
        for (const status of statuses) newestIds[name] = await deploy(id, status)
        if (Object.keys(values).length > 0) await panel.deps.db.update(projects).set(values).where(eq(projects.id, id))
      }
    })
    const listed = async (query: string): Promise<Project[]> =>
      (await erna.request('GET', `/api/projects?limit=100${query}`)).json().projects

    test.each(cases)('%s is %s', async (name, state, _values, statuses) => {
      const project = (await listed('')).find((each) => each.name === name)!
      const latest = newestIds[name] && { id: newestIds[name], status: statuses.at(-1), createdAt: expect.any(String) }
      expect(project).toMatchObject({ state, latestDeployment: latest ?? null })
      expect((await erna.request('GET', `/api/projects/${project.id}`)).json()).toEqual({ ...project, machines: [] })
      expect(await listed(`&search=${name}`)).toEqual([project])
      const createdAt = project.latestDeployment?.createdAt
      if (createdAt !== undefined) expect(new Date(createdAt).toISOString()).toBe(createdAt)
    })

    test.each(projectStates)('%s only, across pages', async (state) => {
      const expected = cases.filter((each) => each[1] === state).map(([name]) => name)
      expect((await listed(`&state=${state}`)).map(({ name }) => name).toSorted()).toEqual(expected)
      const page = (await erna.request('GET', `/api/projects?state=${state}&limit=1&page=2`)).json<ProjectList>()
      expect(page.pagination).toMatchObject({ total: expected.length })
      expect(page.projects).toHaveLength(Math.min(1, expected.length - 1))
    })

    test('with other filters', async () => {
      expect((await listed('&state=ATTENTION&search=ful')).map(({ name }) => name)).toEqual(['full'])
      expect(await listed('&state=ATTENTION&type=STATIC')).toEqual([])
      expect((await listed('&state=ATTENTION&status=STOPPED&type=NODEJS')).map(({ name }) => name)).toEqual(['full'])
      expect((await erna.request('GET', '/api/projects?state=WELL')).statusCode).toBe(400)
    })
  })

  test.each([
    ['?type=STATIC', ['alpha-two']],
    ['?status=STOPPED', ['beta']],
    ['?search=ALPHA', ['alpha-two', 'alpha-one']],
    ['?search=%25', []],
    ['?search=_', []],
    ["?search=' or 1=1 --", []],
    ['?status=DELETED', []],
    ['?search=alpha&type=NODEJS', ['alpha-one']],
    ['?order=created&search=alpha', ['alpha-two', 'alpha-one']],
    ['?order=name&search=alpha', ['alpha-one', 'alpha-two']],
    ['?order=deployed', ['alpha-two', 'beta', 'alpha-one']]
  ])('%s', async (query, expected) => expect(await names(query)).toEqual(expected))

  test.each([
    '?limit=101',
    '?limit=0',
    '?page=0',
    '?page=x',
    '?type=RUBY',
    '?status=GONE',
    '?order=size',
    '?limit=1e309',
    '?page=1.5'
  ])('%s is refused', async (query) => {
    expect((await carl.request('GET', `/api/projects${query}`)).statusCode).toBe(400)
  })
})

describe('one project', () => {
  test('a missing one is 404, another’s 403, also for administrators', async () => {
    const project = await bob.createProject()
    expect(ann.user.role).toBe('ADMIN')
    for (const [method, payload] of [
      ['GET', undefined],
      ['PUT', { port: 1 }],
      ['DELETE', undefined]
    ] as const) {
      expect((await ann.request(method, `/api/projects/${project.id}`, payload)).json().code).toBe('FORBIDDEN')
      expect((await ann.request(method, '/api/projects/nothing', payload)).json().code).toBe('NOT_FOUND')
    }
  })

  test('the address of a folder in a browser is read as repository, branch and root directory', async () => {
    const address = 'https://github.com/owner/repository/tree/dev/apps/web'
    const read = { gitUrl: 'https://github.com/owner/repository', branch: 'dev', rootDirectory: 'apps/web' }
    const project = await ann.createProject({ gitUrl: address })
    expect(project).toMatchObject(read)
    const change = async (values: object) => (await ann.request('PUT', `/api/projects/${project.id}`, values)).json()
    expect(await change({ gitUrl: address, branch: 'main', rootDirectory: null })).toMatchObject({
      ...read,
      branch: 'main',
      rootDirectory: null
    })
    expect(await change({ gitUrl: `${address}/admin` })).toMatchObject({ ...read, rootDirectory: 'apps/web/admin' })
    expect(await change({ gitUrl: read.gitUrl })).toMatchObject({ ...read, rootDirectory: 'apps/web/admin' })
    await ann.request('POST', `/api/projects/${project.id}/git/connect`, { gitUrl: address })
    expect(await change({})).toMatchObject(read)
  })

  test('update changes allowed members only', async () => {
    const project = await ann.createProject({ name: 'before' })
    const answer = await ann.request('PUT', `/api/projects/${project.id}`, {
      name: 'after',
      startCmd: 'node "x" $HOME',
      port: 99,
      type: 'STATIC',
      status: 'STOPPED',
      userId: bob.user.id
    })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({
      name: 'after',
      startCmd: 'node "x" $HOME',
      port: 99,
      type: 'NODEJS',
      status: 'ACTIVE',
      userId: ann.user.id
    })
    expect((await ann.request('PUT', `/api/projects/${project.id}`, { port: null })).json()).toMatchObject({
      port: null,
      name: 'after'
    })
    expect((await ann.request('PUT', `/api/projects/${project.id}`, {})).statusCode).toBe(200)
    await ann.createProject({ name: 'taken' })
    expect((await ann.request('PUT', `/api/projects/${project.id}`, { name: 'taken' })).json().code).toBe(
      'PROJECT_NAME_EXISTS'
    )
  })

  test('delete is 204, then 404; names are free again', async () => {
    const project = await ann.createProject({ name: 'goner' })
    const total = async () => (await ann.request('GET', '/api/projects')).json().pagination.total
    const before = await total()
    const answer = await ann.request('DELETE', `/api/projects/${project.id}`)
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    expect((await ann.request('GET', `/api/projects/${project.id}`)).statusCode).toBe(404)
    expect((await ann.request('DELETE', `/api/projects/${project.id}`)).statusCode).toBe(404)
    expect(await total()).toBe(before - 1)
    const again = await bob.createProject({ name: 'goner' })
    expect(await hostnameOf(again.id)).toEqual(['goner.apps.localhost'])
    expect(
      (await ann.request('GET', '/api/projects?status=DELETED')).json().projects.map((p: { id: string }) => p.id)
    ).toContain(project.id)
  })

  test('two concurrent deletions count once', async () => {
    const dora = await panel.signUp('dora')
    const project = await dora.createProject()
    const answers = await Promise.all([1, 2, 3].map(() => dora.request('DELETE', `/api/projects/${project.id}`)))
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([204, 404, 404])
    expect((await dora.request('GET', '/api/projects')).json().pagination.total).toBe(0)
  })
})
