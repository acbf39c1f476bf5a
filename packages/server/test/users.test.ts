import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { and, eq, inArray } from 'drizzle-orm'
import type { ListedUser } from '@panel/contract/accounts'
import type { Permission, User } from '@panel/contract/users'
import { apiTokens } from '../src/db/schema/api-tokens.ts'
import { containerSlots } from '../src/db/schema/container-slots.ts'
import { diskUsage } from '../src/db/schema/disk-usage.ts'
import { deployments } from '../src/db/schema/deployments.ts'
import { projects } from '../src/db/schema/projects.ts'
import { sessions } from '../src/db/schema/sessions.ts'
import { users } from '../src/db/schema/users.ts'
import { createMemoryEngine } from './fakes/memory-container-engine.ts'
import { type MemoryReverseProxy, createMemoryReverseProxy } from './fakes/memory-reverse-proxy.ts'
import { label } from '../src/infra/container-engine/labels.ts'
import { takeWorkerLease } from '../src/infra/worker-lease/worker-lease.ts'
import { containerSpec } from '../src/features/containers/container-spec.policy.ts'
import { operateContainer } from '../src/features/containers/containers.service.ts'
import { requestBuild } from '../src/features/deployments/deployments.service.ts'
import { createProject } from '../src/features/projects/projects.service.ts'
import { reconcile } from '../src/worker/reconcile.ts'
import { newDatabase } from './support/databases.ts'
import { addManagedDomain } from './support/domains.ts'
import { newMailbox } from './support/mail.ts'
import { type Client, createTestPanel, password, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let admin: Client
let reseller: Client
let sub: Client
let stranger: Client
beforeAll(async () => {
  panel = await createTestPanel()
  admin = await panel.signUp('admin')
  reseller = await panel.createUser(admin, { role: 'RESELLER' })
  sub = await panel.createUser(reseller)
  stranger = await panel.signUp('stranger')
})
afterAll(() => panel.close())

let people = 0
const person = (values: object = {}) => {
  const name = `somebody${++people}`
  return { name, email: `${name}@example.com`, password, ...values }
}
const create = (by: Client, values: object = {}) => by.request('POST', '/api/users', person(values))
const grant = (client: Client, ...permissions: Permission[]) =>
  panel.deps.db.update(users).set({ permissions }).where(eq(users.id, client.user.id))
const rowOf = async (id: string) => (await panel.deps.db.select().from(users).where(eq(users.id, id)))[0]!
const auditOf = (action: string, targetId: string) => panel.audited({ action, targetId })
const outcome = (answer: { statusCode: number; json(): { code?: string } }) => [answer.statusCode, answer.json().code]
const isSignedIn = async (client: Client) => (await client.request('GET', '/api/auth/me')).statusCode === 200

describe('create', () => {
  test('responds 201 with the user below its creator and is audited', async () => {
    const answer = await create(reseller, { email: 'New@Example.com', maxProjects: 3, maxDomains: null })
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({
      email: 'New@Example.com',
      role: 'USER',
      parentId: reseller.user.id,
      maxProjects: 3,
      maxDomains: null,
      suspended: false
    })
    expect(answer.body).not.toMatch(/password|argon2|hash|totpSecret|deletedAt|suspendedBy/i)
    const [entry] = await auditOf('user.created', answer.json().id)
    expect(entry).toMatchObject({ actorId: reseller.user.id, metadata: { role: 'USER', maxProjects: 3 } })
    expect(outcome(await create(admin, { email: 'new@EXAMPLE.com' }))).toEqual([409, 'EMAIL_EXISTS'])
  })

  test('privileged members are ignored', async () => {
    const answer = await create(reseller, {
      id: 'mine',
      userId: admin.user.id,
      parentId: admin.user.id,
      permissions: ['canManageDns'],
      oversellingEnabled: true,
      totpEnabled: true,
      suspended: true,
      suspendedBy: 'x',
      deletedAt: '2020-01-01T00:00:00Z',
      projectCount: 99,
      uid: 0,
      passwordHash: 'x'
    })
    expect(answer.json()).toMatchObject({
      parentId: reseller.user.id,
      permissions: [],
      oversellingEnabled: false,
      totpEnabled: false,
      suspended: false
    })
    const row = await rowOf(answer.json().id)
    expect(row.uid).toBeGreaterThanOrEqual(20000)
    expect(row.projectCount).toBe(0)
    expect(row.passwordHash).toMatch(/^\$argon2id\$/)
  })

  test.each([
    ['a reseller makes a reseller', () => reseller, 'RESELLER', 403, 'FORBIDDEN'],
    ['a reseller makes an administrator', () => reseller, 'ADMIN', 403, 'FORBIDDEN'],
    ['an administrator makes a reseller', () => admin, 'RESELLER', 201, undefined],
    ['an administrator makes an administrator', () => admin, 'ADMIN', 201, undefined],
    ['a plain user makes a user', () => stranger, 'USER', 403, 'FORBIDDEN_ROLE']
  ] as const)('%s', async (_name, by, role, status, code) =>
    expect(outcome(await create(by(), { role }))).toEqual([status, code])
  )

  test('canCreateSubAccounts is sufficient while granted', async () => {
    const helper = await panel.createUser(admin)
    expect((await create(helper)).statusCode).toBe(403)
    await admin.request('PATCH', `/api/users/${helper.user.id}/permissions`, { permissions: ['canCreateSubAccounts'] })
    const made = await create(helper)
    expect([made.statusCode, made.json().parentId]).toEqual([201, helper.user.id])
    expect(outcome(await create(helper, { role: 'ADMIN' }))).toEqual([403, 'FORBIDDEN'])
    await admin.request('PATCH', `/api/users/${helper.user.id}/permissions`, { permissions: [] })
    expect((await create(helper)).statusCode).toBe(403)
    expect((await helper.request('GET', `/api/users/${made.json().id}`)).statusCode).toBe(403)
  })

  test.each([
    [{ password: 'short' }, 'password'],
    [{ email: 'SAME@example.com', password: 'same@example.com' }, 'password'],
    [{ email: 'no address' }, 'email'],
    [{ email: 'a@example.com\r\nBcc: b@example.com' }, 'email'],
    [{ name: 'line\nbreak' }, 'name'],
    [{ name: ' ' }, 'name'],
    [{ role: 'ROOT' }, 'role'],
    [{ role: ['ADMIN'] }, 'role'],
    [{ password: 12345678 }, 'password']
  ])('refuses %j', async (values, path) => {
    const answer = await create(admin, values)
    expect([...outcome(answer), answer.json().details[0].path]).toEqual([400, 'VALIDATION_ERROR', path])
  })

  test('needs a session', async () =>
    expect((await panel.app.inject({ method: 'POST', url: '/api/users', payload: person() })).statusCode).toBe(401))
})

describe('list', () => {
  const list = async (by: Client, query = '') => (await by.request('GET', `/api/users${query}`)).json()
  const idsOf = (body: { users: { id: string }[] }) => body.users.map((user) => user.id)

  test('administrators see all, others their subtree', async () => {
    const own = await panel.createUser(admin, { role: 'RESELLER' })
    const below = await panel.createUser(own)
    expect(idsOf(await list(own)).sort()).toEqual([own.user.id, below.user.id].sort())
    expect(idsOf(await list(below))).toEqual([below.user.id])
    const all = await list(admin, '?limit=100')
    expect(idsOf(all)).toEqual(expect.arrayContaining([own.user.id, below.user.id, stranger.user.id, admin.user.id]))
    expect(all.pagination.total).toBe(all.users.length)
    expect(JSON.stringify(all)).not.toMatch(/argon2|passwordHash|totpSecret/)
  })

  test('real usage, sorted by disk on request', async () => {
    const own = await panel.createUser(admin, { role: 'RESELLER', maxProjects: 4 })
    const [large, small] = [
      await panel.createUser(own, { maxProjects: 1 }),
      await panel.createUser(own, { maxProjects: 2 })
    ]
    await large.createProject()
    const domain = await addManagedDomain(large, 'usage.example.com')
    await newMailbox(large, domain.id)
    await newDatabase(large)
    const measured = { measuredAt: new Date(), kind: 'FILES' as const }
    await panel.deps.db.insert(diskUsage).values([
      { ...measured, userId: large.user.id, bytes: 5_000 },
      { ...measured, userId: large.user.id, bytes: 70, kind: 'MAIL' },
      { ...measured, userId: small.user.id, bytes: 40 }
    ])
    const listed = async (query = '') => (await list(own, `?limit=100${query}`)).users as ListedUser[]
    const none = { projects: 0, domains: 0, databases: 0, mailboxes: 0, diskBytes: null, oversold: false }
    const usageOf = async ({ user }: Client) => (await listed()).find(({ id }) => id === user.id)!.usage
    expect(await usageOf(large)).toEqual({ projects: 1, domains: 1, databases: 1, mailboxes: 1, diskBytes: 5_070, oversold: false }) // oxfmt-ignore
    expect(await usageOf(small)).toEqual({ ...none, diskBytes: 40 })
    expect(await usageOf(own)).toEqual(none)
    expect(idsOf({ users: await listed('&order=disk') })).toEqual([large, small, own].map(({ user }) => user.id))
    expect(idsOf({ users: await listed('&order=created') })).toEqual([small, large, own].map(({ user }) => user.id))
    await admin.request('PATCH', `/api/users/${own.user.id}/quotas`, { maxProjects: 2, oversellingEnabled: true })
    expect(await usageOf(own)).toEqual({ ...none, oversold: true })
    expect((await own.request('GET', '/api/users?order=name')).statusCode).toBe(400)
  })

  test('the subtree covers every level except administrators', async () => {
    const top = await panel.createUser(admin, { role: 'RESELLER' })
    const middle = await panel.createUser(top)
    await grant(middle, 'canCreateSubAccounts')
    const bottom = await panel.createUser(middle)
    const risen = await panel.createUser(top)
    await grant(risen, 'canCreateSubAccounts')
    const past = await panel.createUser(risen)
    await admin.request('PATCH', `/api/users/${risen.user.id}/role`, { role: 'ADMIN' })
    const ids = [top, middle, bottom].map(({ user }) => user.id)
    expect(idsOf(await list(top)).sort()).toEqual(ids.toSorted())
    expect((await list(top, '?limit=1&page=3')).pagination).toEqual({ page: 3, limit: 1, total: 3, totalPages: 3 })
    expect(idsOf(await list(middle)).sort()).toEqual(ids.slice(1).toSorted())
    expect((await top.request('GET', `/api/users/${bottom.user.id}`)).json()).toMatchObject({ id: bottom.user.id })
    expect((await top.request('GET', `/api/users/${bottom.user.id}/disk`)).statusCode).toBe(200)
    const quotas = { maxProjects: 3 }
    expect((await top.request('PATCH', `/api/users/${bottom.user.id}/quotas`, quotas)).json()).toMatchObject(quotas)
    expect((await top.request('POST', `/api/users/${bottom.user.id}/suspend`)).statusCode).toBe(200)
    expect(outcome(await middle.request('POST', `/api/users/${bottom.user.id}/resume`))).toEqual([403, 'FORBIDDEN'])
    expect((await top.request('POST', `/api/users/${bottom.user.id}/resume`)).statusCode).toBe(200)
    expect(outcome(await top.request('GET', `/api/users/${past.user.id}`))).toEqual([403, 'FORBIDDEN'])
    expect(outcome(await middle.request('PATCH', `/api/users/${top.user.id}`, { name: 'x' }))).toEqual([
      403,
      'FORBIDDEN'
    ])
    await admin.request('PATCH', `/api/users/${risen.user.id}/role`, { role: 'USER' })
  })

  test('pagination, search by name and email, filter by role', async () => {
    for (const name of ['Zoé Quinn', 'zo% e', 'plain']) await create(admin, { name, email: `${people}@QUERY.example` })
    const page = await list(admin, '?search=query.EXAMPLE&limit=2&page=2')
    expect(page.pagination).toEqual({ page: 2, limit: 2, total: 3, totalPages: 2 })
    expect(page.users).toHaveLength(1)
    expect((await list(admin, `?search=${encodeURIComponent('ZOÉ')}`)).users).toMatchObject([{ name: 'Zoé Quinn' }])
    expect((await list(admin, `?search=${encodeURIComponent('%')}`)).users).toMatchObject([{ name: 'zo% e' }])
    const resellers = await list(admin, '?role=RESELLER&limit=100')
    expect(resellers.users.every((user: { role: string }) => user.role === 'RESELLER')).toBe(true)
    expect((await list(stranger, '?search=query')).users).toEqual([])
  })

  test('filters by suspension and visible subtree', async () => {
    const top = await panel.createUser(admin, { role: 'RESELLER' })
    const [held, free] = [await panel.createUser(top), await panel.createUser(top)]
    await top.request('POST', `/api/users/${held.user.id}/suspend`)
    const below = `?below=${top.user.id}`
    expect(idsOf(await list(top, below)).sort()).toEqual([held.user.id, free.user.id].toSorted())
    expect(idsOf(await list(admin, `${below}&suspended=true`))).toEqual([held.user.id])
    expect(idsOf(await list(top, `${below}&suspended=false`))).toEqual([free.user.id])
    expect((await list(stranger, below)).users).toEqual([])
  })

  test.each(['?limit=101', '?limit=0', '?page=0', '?role=ROOT', '?search=%00', `?search=${'x'.repeat(101)}`])(
    'refuses %s',
    async (query) => expect((await admin.request('GET', `/api/users${query}`)).statusCode).toBe(400)
  )
})

describe('permissions on users', () => {
  const bodies: Record<string, object> = {
    role: { role: 'USER' },
    quotas: { maxProjects: 1 },
    permissions: { permissions: ['canManageDns'] }
  }
  const operations: [string, (by: Client, id: string) => ReturnType<Client['request']>][] = [
    ['see', (by, id) => by.request('GET', `/api/users/${id}`)],
    ['rename', (by, id) => by.request('PATCH', `/api/users/${id}`, { name: 'Taken Over' })],
    ['change the address', (by, id) => by.request('PATCH', `/api/users/${id}`, { email: 'evil@example.com' })],
    ['delete', (by, id) => by.request('DELETE', `/api/users/${id}?projects=delete`)],
    ['suspend', (by, id) => by.request('POST', `/api/users/${id}/suspend`)],
    ['resume', (by, id) => by.request('POST', `/api/users/${id}/resume`)],
    ...Object.entries(bodies).map(
      ([what, body]) =>
        [`change the ${what}`, (by, id) => by.request('PATCH', `/api/users/${id}/${what}`, body)] as [
          string,
          (by: Client, id: string) => ReturnType<Client['request']>
        ]
    ),
    ['reset two-factor', (by, id) => by.request('POST', `/api/users/${id}/2fa/reset`)],
    ['end the sessions', (by, id) => by.request('DELETE', `/api/users/${id}/sessions`)]
  ]

  test.each(operations)('only administrators can %s an administrator or foreign account', async (_name, operation) => {
    const helper = await panel.createUser(admin)
    await grant(helper, 'canCreateSubAccounts', 'canManageDns', 'canManageBackups', 'canManageFirewall')
    const before = [await rowOf(admin.user.id), await rowOf(stranger.user.id), await rowOf(sub.user.id)]
    for (const by of [reseller, helper, stranger, sub])
      for (const target of [admin, stranger, sub].filter((target) => target !== by)) {
        if (by === reseller && target === sub) continue
        const answer = await operation(by, target.user.id)
        expect([by.user.name, target.user.name, answer.statusCode]).toEqual([by.user.name, target.user.name, 403])
      }
    expect([await rowOf(admin.user.id), await rowOf(stranger.user.id), await rowOf(sub.user.id)]).toEqual(before)
    expect(await isSignedIn(stranger)).toBe(true)
  })

  test('an administrator below a reseller is out of reach', async () => {
    const risen = await panel.createUser(reseller)
    await admin.request('PATCH', `/api/users/${risen.user.id}/role`, { role: 'ADMIN' })
    for (const [, operation] of operations) expect((await operation(reseller, risen.user.id)).statusCode).toBe(403)
    await admin.request('DELETE', `/api/users/${risen.user.id}`)
  })

  test('an email change gives no more rights than the account above has', async () => {
    const trusted = await panel.createUser(reseller)
    const email = { email: `moved${people}@example.com` }
    await grant(trusted, 'canManageFirewall')
    expect((await reseller.request('PATCH', `/api/users/${trusted.user.id}`, email)).statusCode).toBe(403)
    await grant(trusted)
    expect((await reseller.request('PATCH', `/api/users/${trusted.user.id}`, email)).json()).toMatchObject(email)
  })

  test('oneself: the name only', async () => {
    const id = sub.user.id
    expect((await sub.request('PATCH', `/api/users/${id}`, { name: 'Me' })).json().name).toBe('Me')
    expect((await sub.request('PATCH', `/api/users/${id}`, { email: sub.user.email })).statusCode).toBe(200)
    expect((await sub.request('PATCH', `/api/users/${id}`, { email: 'me@example.com' })).statusCode).toBe(403)
    expect((await sub.request('POST', `/api/users/${id}/suspend`)).statusCode).toBe(403)
    expect((await sub.request('DELETE', `/api/users/${id}`)).statusCode).toBe(403)
    expect(
      (await reseller.request('PATCH', `/api/users/${reseller.user.id}/quotas`, { maxProjects: null })).statusCode
    ).toBe(403)
  })

  test('privileged members are ignored, a taken address is refused', async () => {
    const hostile = {
      role: 'ADMIN',
      permissions: ['canManageDns'],
      parentId: null,
      maxProjects: null,
      id: 'x',
      oversellingEnabled: true,
      suspended: false,
      userId: 'x',
      passwordHash: 'x'
    }
    const before = await rowOf(sub.user.id)
    const answer = await reseller.request('PATCH', `/api/users/${sub.user.id}`, { name: 'Named', ...hostile })
    expect(answer.statusCode).toBe(200)
    expect(await rowOf(sub.user.id)).toEqual({ ...before, name: 'Named', updatedAt: expect.any(Date) })
    const taken = await reseller.request('PATCH', `/api/users/${sub.user.id}`, { email: 'ADMIN@example.com' })
    expect(outcome(taken)).toEqual([409, 'EMAIL_EXISTS'])
    expect((await reseller.request('PATCH', `/api/users/${sub.user.id}`, { name: 'a\nb' })).statusCode).toBe(400)
    const entries = await auditOf('user.updated', sub.user.id)
    expect(entries.at(-1)).toMatchObject({ actorId: reseller.user.id, metadata: { name: 'Named' } })
  })

  test.each(operations)('to %s a missing user is 404', async (_name, operation) =>
    expect((await operation(admin, 'nobody')).statusCode).toBe(404)
  )
})

describe('role', () => {
  const setRole = (by: Client, id: string, role: unknown) => by.request('PATCH', `/api/users/${id}/role`, { role })

  test('applies immediately and is audited with before and after', async () => {
    const person = await panel.createUser(admin)
    const answer = await setRole(admin, person.user.id, 'RESELLER')
    expect([answer.statusCode, answer.json().role]).toEqual([200, 'RESELLER'])
    expect((await create(person)).statusCode).toBe(201)
    const [entry] = await auditOf('user.role_changed', person.user.id)
    expect(entry!.metadata).toEqual({ before: 'USER', after: 'RESELLER' })
    const fallen = await panel.createUser(admin, { role: 'ADMIN' })
    expect((await fallen.request('GET', '/api/audit')).statusCode).toBe(200)
    await setRole(admin, fallen.user.id, 'USER')
    expect(outcome(await fallen.request('GET', '/api/audit'))).toEqual([403, 'FORBIDDEN_ROLE'])
    expect(await isSignedIn(fallen)).toBe(true)
  })

  test.each(['ROOT', '', null, 1, ['ADMIN']])('refuses %j', async (role) =>
    expect((await setRole(admin, sub.user.id, role)).statusCode).toBe(400)
  )

  test('a reseller with sub-accounts cannot become USER', async () =>
    expect(outcome(await setRole(admin, reseller.user.id, 'USER'))).toEqual([409, 'ACCOUNT_NOT_EMPTY']))

  test('ignores other members', async () => {
    const person = await panel.createUser(admin)
    const hostile = { permissions: ['canManageDns'], oversellingEnabled: true, parentId: 'x', userId: admin.user.id }
    const role = await admin.request('PATCH', `/api/users/${person.user.id}/role`, { role: 'RESELLER', ...hostile })
    expect(role.json()).toMatchObject({ permissions: [], oversellingEnabled: false, parentId: admin.user.id })
    const url = `/api/users/${person.user.id}/permissions`
    const rights = await admin.request('PATCH', url, { ...hostile, permissions: [], role: 'ADMIN', maxProjects: 1 })
    expect(rights.json()).toEqual({ ...role.json(), updatedAt: rights.json().updatedAt })
  })

  test('a demotion removes overselling', async () => {
    const person = await panel.createUser(admin, { role: 'RESELLER' })
    await admin.request('PATCH', `/api/users/${person.user.id}/quotas`, { oversellingEnabled: true })
    expect((await setRole(admin, person.user.id, 'USER')).json()).toMatchObject({
      role: 'USER',
      oversellingEnabled: false
    })
  })
})

describe('the last administrator', () => {
  test('cannot be demoted, suspended or deleted, also concurrently', async () => {
    const own = await createTestPanel()
    try {
      const first = await own.signUp('first')
      const url = `/api/users/${first.user.id}`
      expect(outcome(await first.request('PATCH', `${url}/role`, { role: 'USER' }))).toEqual([409, 'LAST_ADMIN'])
      expect(outcome(await first.request('POST', `${url}/suspend`))).toEqual([409, 'LAST_ADMIN'])
      expect(outcome(await first.request('DELETE', url))).toEqual([409, 'LAST_ADMIN'])
      const operations: ((by: Client, target: Client) => ReturnType<Client['request']>)[] = [
        (by, target) => by.request('POST', `/api/users/${target.user.id}/suspend`),
        (by, target) => by.request('DELETE', `/api/users/${target.user.id}?projects=delete`),
        (by, target) => by.request('PATCH', `/api/users/${target.user.id}/role`, { role: 'USER' })
      ]
      let left = first
      for (const operation of operations) {
        const second = await own.createUser(left, { role: 'ADMIN' })
        const answers = await Promise.all([operation(left, second), operation(second, left)])
        expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1)
        left = answers[0]!.statusCode === 200 ? left : second
        const { users: admins } = (await left.request('GET', '/api/users?role=ADMIN')).json()
        expect(admins.filter((user: { suspended: boolean }) => !user.suspended)).toMatchObject([{ id: left.user.id }])
        await own.deps.db
          .update(users)
          .set({ role: 'USER' })
          .where(
            and(
              eq(users.role, 'ADMIN'),
              inArray(
                users.id,
                [first, second].filter((client) => client !== left).map((client) => client.user.id)
              )
            )
          )
      }
    } finally {
      await own.close()
    }
  })

  test('oneself cannot be suspended or deleted', async () => {
    const second = await panel.createUser(admin, { role: 'ADMIN' })
    expect(outcome(await second.request('POST', `/api/users/${second.user.id}/suspend`))).toEqual([403, 'FORBIDDEN'])
    expect(outcome(await second.request('DELETE', `/api/users/${second.user.id}`))).toEqual([403, 'FORBIDDEN'])
    expect((await second.request('PATCH', `/api/users/${second.user.id}/role`, { role: 'USER' })).statusCode).toBe(200)
  })
})

describe('permissions', () => {
  test('are replaced and audited', async () => {
    const person = await panel.createUser(admin)
    const set = (permissions: unknown) =>
      admin.request('PATCH', `/api/users/${person.user.id}/permissions`, { permissions })
    const first = await set(['canManageDns', 'canManageBackups', 'canManageDns'])
    expect(first.json().permissions).toEqual(['canManageDns', 'canManageBackups'])
    expect((await set(['canManageFirewall'])).json().permissions).toEqual(['canManageFirewall'])
    expect((await set([])).json().permissions).toEqual([])
    const entries = await auditOf('user.permissions_changed', person.user.id)
    expect(entries.map((entry) => entry.metadata)).toEqual([
      { before: [], after: ['canManageDns', 'canManageBackups'] },
      { before: ['canManageDns', 'canManageBackups'], after: ['canManageFirewall'] },
      { before: ['canManageFirewall'], after: [] }
    ])
    for (const bad of [['canDoAll'], 'canManageDns', null, [1], Array(11).fill('canManageDns')])
      expect((await set(bad)).statusCode).toBe(400)
  })
})

describe('suspend and resume', () => {
  test('ends sessions and tokens, refuses sign-in and records the actor', async () => {
    const person = await panel.createUser(reseller)
    await panel.deps.db.insert(apiTokens).values({
      id: `t-${person.user.id}`,
      userId: person.user.id,
      name: 'ci',
      tokenHash: person.user.id,
      scope: 'full',
      expiresAt: new Date(Date.now() + 1e9)
    })
    const suspended = await reseller.request('POST', `/api/users/${person.user.id}/suspend`)
    expect([suspended.statusCode, suspended.json().suspended]).toEqual([200, true])
    expect(await isSignedIn(person)).toBe(false)
    expect(await panel.deps.db.select().from(apiTokens).where(eq(apiTokens.userId, person.user.id))).toEqual([])
    const login = await panel.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: person.user.email, password }
    })
    expect(outcome(login)).toEqual([403, 'ACCOUNT_SUSPENDED'])
    expect((await reseller.request('POST', `/api/users/${person.user.id}/suspend`)).statusCode).toBe(200)
    expect(await auditOf('user.suspended', person.user.id)).toHaveLength(1)
    expect((await reseller.request('POST', `/api/users/${person.user.id}/resume`)).json().suspended).toBe(false)
    expect(await auditOf('user.resumed', person.user.id)).toHaveLength(1)
    expect(await isSignedIn(person)).toBe(false)
    await panel.signIn(person.user.email)
  })

  test('an administrator’s suspension requires an administrator to resume', async () => {
    const person = await panel.createUser(reseller)
    const resume = (by: Client) => by.request('POST', `/api/users/${person.user.id}/resume`)
    await admin.request('POST', `/api/users/${person.user.id}/suspend`)
    expect(outcome(await resume(reseller))).toEqual([403, 'FORBIDDEN'])
    expect((await resume(admin)).statusCode).toBe(200)
  })

  test('a concurrent sign-in does not survive', async () => {
    const person = await panel.createUser(admin)
    const login = () =>
      panel.app.inject({ method: 'POST', url: '/api/auth/login', payload: { email: person.user.email, password } })
    const [, ...logins] = await Promise.all([
      admin.request('POST', `/api/users/${person.user.id}/suspend`),
      ...Array.from({ length: 6 }, login)
    ])
    for (const answer of logins) {
      const cookie = answer.cookies.map((one) => `${one.name}=${one.value}`).join('; ')
      expect((await panel.app.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode).toBe(401)
    }
  })
})

describe('sites of a suspended account', () => {
  let own: TestPanel
  let boss: Client
  let tenant: Client
  let proxy: MemoryReverseProxy
  const engine = createMemoryEngine()
  beforeAll(async () => {
    proxy = createMemoryReverseProxy()
    own = await createTestPanel({}, { engine, proxy })
    boss = await own.signUp('boss')
    tenant = await own.createUser(boss)
  })
  afterAll(() => own.close())

  const deployed = async (port: number) => {
    const project = await tenant.createProject({ gitUrl: 'https://github.com/owner/repository' })
    const deploymentId = `d${port}`
    const spec = containerSpec(own.deps.config, {
      instanceId: 'test',
      networkName: (await engine.ensureNetwork('panel-test', { [label.instance]: 'test' })).name,
      project: await projectRow(project.id),
      deploymentId,
      image: 'site',
      imageSpec: { port: 80, readOnlyRoot: true, volumes: [] },
      uid: 20000,
      filesDirectory: '/projects/by-id/site',
      mounts: [],
      legacyVolumes: [],
      env: {},
      hostPort: port,
      address: '172.30.0.9'
    })
    await engine.pullImage('site', () => {})
    const containerId = await engine.createContainer(spec)
    await engine.startContainer(containerId)
    const { nodeId } = own.deps
    const slot = {
      nodeId,
      port,
      address: `172.30.0.${port - 8066}`,
      projectId: project.id,
      deploymentId,
      containerPort: 80
    }
    await own.deps.db.insert(containerSlots).values(slot)
    await own.deps.db
      .update(projects)
      .set({ liveDeploymentId: deploymentId, containerId, containerStatus: 'running', internalPort: port })
      .where(eq(projects.id, project.id))
    return { id: project.id, containerId, hostname: `${project.name}.apps.localhost` }
  }
  const reconcileOnce = async () => {
    const lease = await takeWorkerLease(own.databaseUrl, () => {})
    try {
      const { signal } = new AbortController()
      await reconcile(own.deps, {
        lease,
        signal,
        stopped: signal,
        resource: (open) => open(own.deps, lease.workerId)
      })
    } finally {
      await lease.close()
    }
  }
  const projectRow = async (id: string) => (await own.deps.db.select().from(projects).where(eq(projects.id, id)))[0]!
  const targetOf = (hostname: string) => proxy.find(hostname, '')?.target.kind
  const statusOf = async (containerId: string) => (await engine.findContainer(containerId))?.status

  test('stop and start with it, except those stopped before', async () => {
    const [running, stopped] = [await deployed(8100), await deployed(8101)]
    await tenant.request('POST', `/api/projects/${stopped.id}/container/stop`)
    await reconcileOnce()
    expect([targetOf(running.hostname), targetOf(stopped.hostname)]).toEqual(['container', 'stopped'])

    const build = await tenant.request('POST', `/api/projects/${running.id}/build`)
    expect(build.statusCode).toBe(202)
    await boss.request('POST', `/api/users/${tenant.user.id}/suspend`)
    expect(targetOf(running.hostname)).toBe('stopped')
    const [open] = await own.deps.db.select().from(deployments).where(eq(deployments.id, build.json().id))
    expect(open!.status).toBe('CANCELLED')
    await reconcileOnce()
    expect(await statusOf(running.containerId)).toBe('exited')
    expect(await projectRow(running.id)).toMatchObject({ status: 'STOPPED', stoppedBySuspension: true })

    await boss.request('POST', `/api/users/${tenant.user.id}/resume`)
    await reconcileOnce()
    expect([await statusOf(running.containerId), await statusOf(stopped.containerId)]).toEqual(['running', 'exited'])
    expect(await projectRow(running.id)).toMatchObject({ status: 'ACTIVE', stoppedBySuspension: false })
    expect(await projectRow(stopped.id)).toMatchObject({ status: 'STOPPED', stoppedBySuspension: false })
    expect([targetOf(running.hostname), targetOf(stopped.hostname)]).toEqual(['container', 'stopped'])
  })

  test('concurrent builds do not survive', async () => {
    tenant = await own.signIn(tenant.user.email)
    const { id } = await tenant.createProject({ gitUrl: 'https://github.com/owner/repository' })
    await own.deps.db.update(projects).set({ status: 'STOPPED' }).where(eq(projects.id, id))
    await Promise.all([
      ...Array.from({ length: 6 }, () => tenant.request('POST', `/api/projects/${id}/build`)),
      boss.request('POST', `/api/users/${tenant.user.id}/suspend`),
      ...Array.from({ length: 6 }, () => tenant.request('POST', `/api/projects/${id}/build`))
    ])
    const rows = await own.deps.db.select().from(deployments).where(eq(deployments.projectId, id))
    expect(rows.filter((row) => row.status !== 'CANCELLED')).toEqual([])
    await expect(requestBuild(own.deps, {}, tenant.user.id, id, {})).rejects.toMatchObject({
      code: 'ACCOUNT_SUSPENDED'
    })
    await expect(operateContainer(own.deps, {}, tenant.user.id, id, 'start')).rejects.toMatchObject({
      code: 'ACCOUNT_SUSPENDED'
    })
    await expect(createProject(own.deps, {}, tenant.user.id, { name: 'late', type: 'NODEJS' })).rejects.toMatchObject({
      code: 'ACCOUNT_SUSPENDED'
    })
  })
})

describe('delete', () => {
  test('refuses with projects, then deletes them and all personal data', async () => {
    const person = await panel.createUser(reseller)
    const project = await person.createProject({ name: 'shop' })
    const url = `/api/users/${person.user.id}`
    expect(outcome(await reseller.request('DELETE', url))).toEqual([409, 'ACCOUNT_NOT_EMPTY'])
    expect((await reseller.request('DELETE', `${url}?projects=keep`)).statusCode).toBe(400)
    expect((await reseller.request('DELETE', `${url}?projects=delete`)).statusCode).toBe(200)
    expect(await isSignedIn(person)).toBe(false)
    const row = await rowOf(person.user.id)
    expect(JSON.stringify(row)).not.toContain(person.user.email)
    expect(row).toMatchObject({ passwordHash: '', totpSecret: null, projectCount: 0 })
    const [gone] = await panel.deps.db.select().from(projects).where(eq(projects.id, project.id))
    expect(gone).toMatchObject({ status: 'DELETED', deletedAt: expect.any(Date) })
    const { rows: jobs } = await panel.deps.db.$client.query(
      "select data from pgboss.job where name = 'projects.purge'"
    )
    expect(jobs.map((job) => job.data.projectId)).toContain(project.id)
    const [entry] = await auditOf('user.deleted', person.user.id)
    expect(entry).toMatchObject({
      actorId: reseller.user.id,
      metadata: { email: person.user.email, projects: [project.id] }
    })

    for (const by of [admin, reseller]) {
      expect((await by.request('GET', url)).statusCode).toBe(404)
      expect((await by.request('GET', `/api/users?search=${person.user.name}`)).json().users).toEqual([])
    }
    expect((await admin.request('DELETE', url)).statusCode).toBe(404)
    const login = await panel.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: person.user.email, password }
    })
    expect(outcome(login)).toEqual([401, 'INVALID_CREDENTIALS'])
    const nobody = await panel.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: row.email, password: '' }
    })
    expect(nobody.statusCode).toBe(400)
    const again = await create(admin, { email: person.user.email })
    expect(again.statusCode).toBe(201)
    expect((await rowOf(again.json().id)).uid).not.toBe(row.uid)
  })

  test('refuses with sub-accounts', async () => {
    expect(outcome(await admin.request('DELETE', `/api/users/${reseller.user.id}?projects=delete`))).toEqual([
      409,
      'ACCOUNT_NOT_EMPTY'
    ])
  })

  test('concurrent creations leave nothing', async () => {
    const person = await panel.createUser(admin, { role: 'RESELLER' })
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, (_, i) =>
        person.request('POST', '/api/projects', { name: `p${i}-x`, type: 'NODEJS' })
      ),
      admin.request('DELETE', `/api/users/${person.user.id}?projects=delete`),
      ...Array.from({ length: 4 }, () => create(person))
    ])
    expect(answers.every((answer) => answer.statusCode < 500)).toBe(true)
    const row = await rowOf(person.user.id)
    const children = await panel.deps.db.select().from(users).where(eq(users.parentId, person.user.id))
    if (row.deletedAt === null) return expect(children.length).toBeGreaterThan(0)
    expect(children).toEqual([])
    const left = await panel.deps.db
      .select()
      .from(projects)
      .where(and(eq(projects.userId, person.user.id), eq(projects.status, 'ACTIVE')))
    expect(left).toEqual([])
    const live = await panel.deps.db.select().from(sessions).where(eq(sessions.userId, person.user.id))
    expect(live.every((session) => session.revokedAt !== null)).toBe(true)
  })
})

describe('preferences', () => {
  const patch = (who: Client, body: object) => who.request('PATCH', '/api/users/me', body)

  test('are personal, canonical and resettable', async () => {
    const ann = await panel.signUp()
    expect(ann.user).toMatchObject({ locale: null, timezone: null, theme: null })
    const answer = await patch(ann, { locale: 'de-at', timezone: 'europe/kiev', theme: 'dark' })
    expect(answer.json()).toMatchObject({ locale: 'de-AT', timezone: 'Europe/Kyiv', theme: 'dark' })
    await patch(ann, { theme: null })
    const me = (await ann.request('GET', '/api/auth/me')).json<User>()
    expect(me).toMatchObject({ locale: 'de-AT', timezone: 'Europe/Kyiv', theme: null })
    expect(await panel.audited({ action: 'user.updated', actorId: ann.user.id })).toMatchObject([
      { metadata: { locale: 'de-AT', timezone: 'Europe/Kyiv', theme: 'dark' } },
      { metadata: { theme: null } }
    ])
  })

  test.each([
    { timezone: 'UTC\n' },
    { timezone: '../../etc/passwd' },
    { locale: 'not a tag' },
    { locale: '' },
    { theme: 'pink' },
    { role: 'ADMIN' },
    { theme: 'dark', id: 'another' }
  ])('%j is refused', async (body) => {
    const ann = await panel.signUp()
    expect((await patch(ann, body)).statusCode).toBe(400)
    expect((await ann.request('GET', '/api/auth/me')).json<User>()).toMatchObject({ role: 'USER', theme: null })
  })
})
