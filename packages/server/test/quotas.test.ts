import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import { users } from '../src/db/schema/users.ts'
import { type Client, createTestPanel, password, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let admin: Client
beforeAll(async () => {
  panel = await createTestPanel()
  admin = await panel.signUp('admin')
})
afterAll(() => panel.close())

let count = 0
const unique = (prefix: string) => `${prefix}-${++count}`
const setQuotas = (by: Client, target: Client, body: unknown) =>
  by.request('PATCH', `/api/users/${target.user.id}/quotas`, body as object)
const newReseller = async (quotas: object = {}, oversellingEnabled = false) => {
  const reseller = await panel.createUser(admin, { role: 'RESELLER', ...quotas })
  if (oversellingEnabled) await setQuotas(admin, reseller, { oversellingEnabled })
  return reseller
}
const createUser = (by: Client, values: object = {}) => {
  const name = unique('sub')
  return by.request('POST', '/api/users', { name, email: `${name}@example.com`, password, ...values })
}
const createProject = (by: Client) => by.request('POST', '/api/projects', { name: unique('project'), type: 'NODEJS' })
const outcome = (answer: { statusCode: number; json(): { code?: string } }) => [answer.statusCode, answer.json().code]
const usage = async (by: Client) => (await by.request('GET', '/api/users/me/usage')).json()
const tally = (answers: readonly { statusCode: number; json(): { code?: string } }[]) => {
  const counts: Record<string, number> = {}
  for (const answer of answers) {
    const key = answer.json().code ?? String(answer.statusCode)
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}
const times = <T>(n: number, make: (index: number) => T) => Array.from({ length: n }, (_, index) => make(index))

describe('values', () => {
  const members = ['maxProjects', 'maxDomains', 'maxDatabases', 'maxMailboxes', 'maxSubAccounts']

  test.each(['-1', '1e309', '"5"', '2147483648', '4294967296', '1000001', '1.5', 'true', '[]', '{}', '-0.1', '"null"'])(
    'refuses %s in every quota',
    async (text) => {
      for (const member of members) {
        const change = await admin.request('PATCH', `/api/users/${admin.user.id}/quotas`, `{"${member}":${text}}`, {
          'content-type': 'application/json'
        })
        expect([...outcome(change), change.json().details[0].path]).toEqual([400, 'VALIDATION_ERROR', member])
        const name = unique('bad')
        const body = `{"name":"x","email":"${name}@example.com","password":"${password}","${member}":${text}}`
        const made = await admin.request('POST', '/api/users', body, { 'content-type': 'application/json' })
        expect(outcome(made)).toEqual([400, 'VALIDATION_ERROR'])
      }
    }
  )

  test.each([null, 0, 1, 1_000_000])('accepts %s', async (value) => {
    const quotas = Object.fromEntries(members.map((member) => [member, value]))
    const person = await panel.createUser(admin, quotas)
    expect(person.user).toMatchObject(quotas)
    expect((await setQuotas(admin, person, quotas)).json()).toMatchObject(quotas)
    expect(outcome(await createProject(person))).toEqual(value === 0 ? [403, 'QUOTA_EXCEEDED'] : [201, undefined])
  })

  test('an update keeps omitted quotas and is audited', async () => {
    const person = await panel.createUser(admin, { maxProjects: 3, maxDomains: 4 })
    const answer = await setQuotas(admin, person, {
      maxProjects: 5,
      maxDomains: 4,
      role: 'ADMIN',
      permissions: ['canManageDns'],
      parentId: null,
      userId: 'x',
      suspended: true
    })
    expect(answer.json()).toEqual({ ...person.user, maxProjects: 5, updatedAt: answer.json().updatedAt })
    const [, , entry] = await panel.audited({ targetId: person.user.id })
    expect(entry).toMatchObject({
      action: 'user.quotas_changed',
      actorId: admin.user.id,
      metadata: { before: { maxProjects: 3 }, after: { maxProjects: 5 } }
    })
  })

  test('registered accounts get finite defaults, created ones do not', async () => {
    const unset = ['PROJECTS', 'DOMAINS', 'DATABASES', 'MAILBOXES', 'SUB_ACCOUNTS'].map((noun) => [
      `DEFAULT_MAX_${noun}`,
      ''
    ])
    const own = await createTestPanel({ ...Object.fromEntries(unset), DEFAULT_MAX_DOMAINS: 'unlimited' })
    try {
      const first = await own.signUp()
      const limits = (value: number | null) => ({ maxProjects: value, maxDatabases: value, maxMailboxes: value, maxSubAccounts: value, maxDomains: null }) // oxfmt-ignore
      expect(first.user).toMatchObject(limits(null))
      expect((await own.createUser(first)).user).toMatchObject(limits(null))
      const registered = await own.signUp()
      expect(registered.user).toMatchObject(limits(10))
      for (let n = 0; n < 10; n++) await registered.createProject()
      await expect(registered.createProject()).rejects.toThrow('QUOTA_EXCEEDED')
    } finally {
      await own.close()
    }
  })

  test('defaults come from the configuration, an explicit null is unlimited', async () => {
    const own = await createTestPanel({ DEFAULT_MAX_PROJECTS: '2', DEFAULT_MAX_MAILBOXES: '7' })
    try {
      const first = await own.signUp()
      const person = await own.createUser(first, { maxMailboxes: null })
      expect(person.user).toMatchObject({ maxProjects: 2, maxDomains: null, maxMailboxes: null })
      expect((await own.signUp()).user).toMatchObject({ maxProjects: 2, maxDomains: null, maxMailboxes: 7 })
      expect(first.user).toMatchObject({ maxProjects: null, maxMailboxes: null })
    } finally {
      await own.close()
    }
  })
})

describe('overselling off', () => {
  test('the sum of sub-accounts stays within the reseller’s limit', async () => {
    const reseller = await newReseller({ maxProjects: 10 })
    const first = await panel.createUser(reseller, { maxProjects: 6 })
    expect(outcome(await createUser(reseller, { maxProjects: 5 }))).toEqual([403, 'OVERSELL_NOT_ENABLED'])
    expect(outcome(await createUser(reseller, { maxProjects: null }))).toEqual([403, 'OVERSELL_NOT_ENABLED'])
    expect(outcome(await createUser(reseller))).toEqual([403, 'OVERSELL_NOT_ENABLED'])
    const second = await panel.createUser(reseller, { maxProjects: 4 })
    for (const by of [reseller, admin]) {
      expect(outcome(await setQuotas(by, second, { maxProjects: 5 }))).toEqual([403, 'OVERSELL_NOT_ENABLED'])
      expect(outcome(await setQuotas(by, second, { maxProjects: null }))).toEqual([403, 'OVERSELL_NOT_ENABLED'])
    }
    expect((await setQuotas(reseller, first, { maxProjects: 5 })).statusCode).toBe(200)
    expect((await setQuotas(reseller, second, { maxProjects: 5 })).statusCode).toBe(200)
    expect((await setQuotas(reseller, second, { maxDomains: null, maxSubAccounts: null })).statusCode).toBe(200)
  })

  test('an unlimited sub-account blocks further allocation', async () => {
    const reseller = await newReseller()
    await panel.createUser(reseller)
    const second = await panel.createUser(reseller, { maxProjects: 1 })
    await setQuotas(admin, reseller, { maxProjects: 10 })
    expect(outcome(await setQuotas(reseller, second, { maxProjects: 2 }))).toEqual([403, 'OVERSELL_NOT_ENABLED'])
    expect(await usage(reseller)).toMatchObject({ resources: { maxProjects: { nominalSum: null, oversold: true } } })
  })

  test('a limit can drop below the allocation, which then blocks more', async () => {
    const reseller = await newReseller({ maxProjects: 10 })
    const person = await panel.createUser(reseller, { maxProjects: 8 })
    expect((await setQuotas(admin, reseller, { maxProjects: 5 })).statusCode).toBe(200)
    expect((await usage(reseller)).resources.maxProjects).toMatchObject({ limit: 5, nominalSum: 8, oversold: true })
    expect(outcome(await createUser(reseller, { maxProjects: 0 }))).toEqual([403, 'OVERSELL_NOT_ENABLED'])
    expect((await setQuotas(reseller, person, { maxProjects: 5 })).statusCode).toBe(200)
    expect((await usage(reseller)).resources.maxProjects).toMatchObject({ nominalSum: 5, oversold: false })
  })

  test('canCreateSubAccounts cannot exceed own limits', async () => {
    const helper = await panel.createUser(admin, { maxProjects: 2 })
    const url = `/api/users/${helper.user.id}/permissions`
    await admin.request('PATCH', url, { permissions: ['canCreateSubAccounts'] })
    expect(outcome(await createUser(helper))).toEqual([403, 'OVERSELL_NOT_ENABLED'])
    expect((await createUser(helper, { maxProjects: 2 })).statusCode).toBe(201)
    expect(outcome(await createUser(helper, { maxProjects: 1 }))).toEqual([403, 'OVERSELL_NOT_ENABLED'])
  })

  test('an administrator allocates without limits', async () => {
    await setQuotas(admin, admin, { maxDomains: 0 })
    expect((await createUser(admin, { maxDomains: 5 })).statusCode).toBe(201)
    await setQuotas(admin, admin, { maxDomains: null })
  })
})

describe('toggling overselling', () => {
  test('requires an administrator and a reseller', async () => {
    const reseller = await newReseller()
    const person = await panel.createUser(reseller)
    for (const oversellingEnabled of [true, false]) {
      expect(outcome(await setQuotas(reseller, person, { oversellingEnabled }))).toEqual([403, 'FORBIDDEN'])
      expect(outcome(await setQuotas(reseller, reseller, { oversellingEnabled }))).toEqual([403, 'FORBIDDEN'])
      expect(outcome(await setQuotas(admin, person, { oversellingEnabled }))).toEqual([400, 'INVALID_TARGET'])
      expect(outcome(await setQuotas(person, person, { oversellingEnabled }))).toEqual([403, 'FORBIDDEN_ROLE'])
      expect((await setQuotas(admin, reseller, { oversellingEnabled })).json()).toMatchObject({ oversellingEnabled })
    }
    expect((await setQuotas(admin, reseller, { oversellingEnabled: 'yes' })).statusCode).toBe(400)
  })

  test('on: allows overallocation; off: refuses more', async () => {
    const reseller = await newReseller({ maxProjects: 5 }, true)
    expect((await createUser(reseller, { maxProjects: 100 })).statusCode).toBe(201)
    expect((await createUser(reseller, { maxProjects: null })).statusCode).toBe(201)
    await setQuotas(admin, reseller, { oversellingEnabled: false })
    expect(outcome(await createUser(reseller, { maxProjects: 1 }))).toEqual([403, 'OVERSELL_NOT_ENABLED'])
  })
})

describe('creation at the limit', () => {
  test('the pool counts real usage of the whole subtree; own quotas apply too', async () => {
    const reseller = await newReseller({ maxProjects: 4 }, true)
    const small = await panel.createUser(reseller, { maxProjects: 1 })
    const large = await panel.createUser(reseller, { maxProjects: 100 })
    await admin.request('PATCH', `/api/users/${large.user.id}/permissions`, { permissions: ['canCreateSubAccounts'] })
    const below = await panel.createUser(large, { maxProjects: 100 })
    expect((await createProject(small)).statusCode).toBe(201)
    expect(outcome(await createProject(small))).toEqual([403, 'QUOTA_EXCEEDED'])
    const { id } = await reseller.createProject()
    expect((await createProject(below)).statusCode).toBe(201)
    expect((await createProject(large)).statusCode).toBe(201)
    for (const by of [reseller, large, below, small])
      expect(outcome(await createProject(by))).toEqual([403, 'QUOTA_EXCEEDED'])
    await reseller.request('DELETE', `/api/projects/${id}`)
    expect((await createProject(below)).statusCode).toBe(201)
    await setQuotas(admin, reseller, { oversellingEnabled: false })
    expect((await createProject(large)).statusCode).toBe(201)
  })

  test('twelve concurrent creations in a pool stop at the limit', async () => {
    const reseller = await newReseller({ maxProjects: 7 }, true)
    const accounts = [
      reseller,
      ...(await Promise.all(times(3, () => panel.createUser(reseller, { maxProjects: 100 }))))
    ]
    await accounts[1]!.createProject()
    await accounts[2]!.createProject()
    const answers = await Promise.all(times(12, (i) => createProject(accounts[i % accounts.length]!)))
    expect(tally(answers)).toEqual({ 201: 5, QUOTA_EXCEEDED: 7 })
    expect((await usage(reseller)).resources.maxProjects.pooledUsed).toBe(7)
  })

  test('pool and own quota both apply', async () => {
    const reseller = await newReseller({ maxProjects: 6 }, true)
    const [one, other] = [
      await panel.createUser(reseller, { maxProjects: 2 }),
      await panel.createUser(reseller, { maxProjects: 100 })
    ]
    const answers = await Promise.all(times(16, (i) => createProject(i % 2 === 0 ? one : other)))
    expect(tally(answers)['201']).toBe(6)
    expect((await usage(one)).resources.maxProjects.used).toBeLessThanOrEqual(2)
  })

  test('twelve concurrent sub-accounts stop at the limit', async () => {
    const reseller = await newReseller({ maxSubAccounts: 5 })
    await createUser(reseller)
    const answers = await Promise.all(times(12, () => createUser(reseller)))
    expect(tally(answers)).toEqual({ 201: 4, QUOTA_EXCEEDED: 8 })
    expect((await usage(reseller)).resources.maxSubAccounts).toEqual({ used: 5, limit: 5 })
    const gone = answers.find((answer) => answer.statusCode === 201)!.json<{ id: string }>()
    await reseller.request('DELETE', `/api/users/${gone.id}`)
    expect((await createUser(reseller)).statusCode).toBe(201)
  })

  test('concurrent allocations stay within the limit', async () => {
    const reseller = await newReseller({ maxProjects: 10 })
    const subs = [
      await panel.createUser(reseller, { maxProjects: 1 }),
      await panel.createUser(reseller, { maxProjects: 1 })
    ]
    const answers = await Promise.all([
      ...times(6, () => createUser(reseller, { maxProjects: 3 })),
      ...times(6, (i) => setQuotas(i % 2 === 0 ? reseller : admin, subs[i % 2]!, { maxProjects: 4 }))
    ])
    expect(answers.every((answer) => [200, 201, 403].includes(answer.statusCode))).toBe(true)
    const summary = await usage(reseller)
    expect(summary.resources.maxProjects.oversold).toBe(false)
    expect(summary.resources.maxProjects.nominalSum).toBeGreaterThanOrEqual(8)
  })

  test('concurrent changes never deadlock', async () => {
    const reseller = await newReseller({ maxProjects: 8 }, true)
    const subs = await Promise.all(times(3, () => panel.createUser(reseller, { maxProjects: 100 })))
    const made = await Promise.all(
      subs.map((sub) => sub.createProject({ gitUrl: 'https://github.com/owner/repository' }))
    )
    const answers = await Promise.all(
      subs.flatMap((sub, i) => [
        createProject(sub),
        sub.request('POST', `/api/projects/${made[i]!.id}/build`),
        setQuotas(admin, sub, { maxProjects: 50 }),
        setQuotas(reseller, sub, { maxProjects: 60 }),
        sub.request('DELETE', `/api/projects/${made[i]!.id}`),
        setQuotas(admin, reseller, { maxProjects: 9 }),
        createUser(reseller),
        admin.request('POST', `/api/users/${sub.user.id}/suspend`),
        admin.request('POST', `/api/users/${sub.user.id}/resume`),
        createProject(reseller)
      ])
    )
    expect(answers.map((answer) => answer.statusCode).filter((status) => status >= 500)).toEqual([])
    const rows = await panel.deps.db.select().from(users).where(eq(users.id, subs[0]!.user.id))
    expect(rows[0]!.projectCount).toBeGreaterThanOrEqual(0)
  })
})

describe('the usage summary', () => {
  test('of a user: usage and limit', async () => {
    const person = await panel.createUser(admin, { maxProjects: 3, maxMailboxes: 9 })
    await person.createProject()
    expect(await usage(person)).toEqual({
      oversellingEnabled: false,
      resources: {
        maxProjects: { used: 1, limit: 3 },
        maxDomains: { used: 0, limit: null },
        maxDatabases: { used: 0, limit: null },
        maxMailboxes: { used: 0, limit: 9 },
        maxSubAccounts: { used: 0, limit: null },
        maxMemoryMb: { used: 128, limit: null },
        maxCpus: { used: 1, limit: null },
        maxTcpPorts: { used: 0, limit: null }
      }
    })
  })

  test('of a reseller: also its allocation', async () => {
    const reseller = await newReseller({ maxProjects: 5, maxSubAccounts: 9 }, true)
    const sub = await panel.createUser(reseller, { maxProjects: 4, maxDomains: 2 })
    await panel.createUser(reseller, { maxProjects: 3, maxDomains: 1 })
    await sub.createProject()
    await reseller.createProject()
    const expected = {
      maxProjects: { used: 1, limit: 5, nominalSum: 7, oversold: true, pooledUsed: 2 },
      maxDomains: { used: 0, limit: null, nominalSum: 3, oversold: false, pooledUsed: 0 },
      maxDatabases: { used: 0, limit: null, nominalSum: null, oversold: false, pooledUsed: 0 },
      maxMailboxes: { used: 0, limit: null, nominalSum: null, oversold: false, pooledUsed: 0 },
      maxSubAccounts: { used: 2, limit: 9 },
      maxMemoryMb: { used: 128, limit: null, pooledUsed: 256 },
      maxCpus: { used: 1, limit: null, pooledUsed: 2 },
      maxTcpPorts: { used: 0, limit: null, pooledUsed: 0 }
    }
    expect(await usage(reseller)).toEqual({ oversellingEnabled: true, resources: expected })
    await setQuotas(admin, reseller, { oversellingEnabled: false })
    expect(await usage(reseller)).toEqual({ oversellingEnabled: false, resources: expected })
  })

  test('of another account requires an administrator or someone above it', async () => {
    const reseller = await newReseller({ maxProjects: 5 }, true)
    const sub = await panel.createUser(reseller, { maxProjects: 4 })
    await sub.createProject()
    const of = (by: Client, { user }: Client) => by.request('GET', `/api/users/${user.id}/usage`)
    const own = await usage(sub)
    for (const by of [admin, reseller, sub]) expect((await of(by, sub)).json()).toEqual(own)
    expect((await of(admin, reseller)).json()).toEqual(await usage(reseller))
    const stranger = await newReseller({}, false)
    expect(outcome(await of(stranger, sub))).toEqual([403, 'FORBIDDEN'])
    expect(outcome(await of(sub, reseller))).toEqual([403, 'FORBIDDEN'])
    expect(outcome(await admin.request('GET', '/api/users/nobody/usage'))).toEqual([404, 'NOT_FOUND'])
  })

  test('needs a session', async () =>
    expect((await panel.app.inject({ url: '/api/users/me/usage' })).statusCode).toBe(401))
})
