import { type SQL, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AuditEntry } from '@panel/contract/audit'
import { chainPending } from '../src/features/audit/chaining.service.ts'
import { recordAudit, recordAuditAlone } from '../src/features/audit/recording.service.ts'
import { verifyPart } from '../src/features/audit/partial-verification.service.ts'
import { verifyAudit } from '../src/features/audit/verification.service.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const password = 'correct horse battery'

describe('the audit log', () => {
  let panel: TestPanel
  let admin: Client
  let ann: Client
  beforeAll(async () => {
    panel = await createTestPanel()
    admin = await panel.signUp('admin')
    ann = await panel.signUp('ann')
  })
  afterAll(() => panel.close())
  const read = async (client: Client, query = '') => {
    const response = await client.request('GET', `/api/audit${query}`)
    expect(response.statusCode).toBe(200)
    return response.json<{ entries: AuditEntry[]; pagination: Record<string, number> }>()
  }
  const login = (payload: object) =>
    panel.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload,
      headers: { 'user-agent': 'curl/8 \u00e9' },
      remoteAddress: '192.0.2.44'
    })

  test('sign-ins, failures, sign-outs and password changes are recorded with their origin', async () => {
    const bob = await panel.signUp('bob')
    const email = bob.user.email
    await login({ email, password: 'not the one' })
    await login({ email, password })
    await bob.request('POST', '/api/auth/change-password', {
      currentPassword: 'not the one',
      newPassword: 'another good one',
      confirmNewPassword: 'another good one'
    })
    await bob.request('POST', '/api/auth/change-password', {
      currentPassword: password,
      newPassword: 'another good one',
      confirmNewPassword: 'another good one'
    })
    await bob.request('POST', '/api/auth/logout')
    const { entries } = await read(admin, `?targetId=${bob.user.id}`)
    expect(entries.map(({ action, actorId, metadata }) => [action, actorId, metadata]).reverse()).toEqual([
      ['user.registered', bob.user.id, {}],
      ['auth.login_failed', null, { reason: 'INVALID_CREDENTIALS' }],
      ['auth.login', bob.user.id, {}],
      ['auth.login_failed', bob.user.id, { reason: 'INVALID_CREDENTIALS' }],
      ['user.password_changed', bob.user.id, {}],
      ['auth.logout', bob.user.id, {}]
    ])
    expect(entries[4]).toMatchObject({ ip: '192.0.2.44', userAgent: 'curl/8 \u00e9', targetId: bob.user.id })
  })

  test('a failed sign-in to an unknown account records no input', async () => {
    await login({ email: 'hunter2 typed in the wrong field', password: 'hunter2' })
    const [entry] = (await read(admin, '?action=auth.login_failed')).entries
    expect(entry).toMatchObject({ actorId: null, targetId: null, metadata: { reason: 'INVALID_CREDENTIALS' } })
    expect(JSON.stringify(entry)).not.toContain('hunter2')
  })

  test('suspension is revealed only after the right password, without a session', async () => {
    const sue = await panel.signUp('sue')
    await panel.deps.db.execute(sql`update users set suspended_at = now() where id = ${sue.user.id}`)
    const outcome = async (given: string) => {
      const response = await login({ email: sue.user.email, password: given })
      return [response.statusCode, response.json().code, response.cookies.length]
    }
    expect(await outcome('not the one')).toEqual([401, 'INVALID_CREDENTIALS', 0])
    expect(await outcome(password)).toEqual([403, 'ACCOUNT_SUSPENDED', 0])
    expect((await sue.request('GET', '/api/auth/me')).statusCode).toBe(401)
    const { entries } = await read(admin, `?targetId=${sue.user.id}&action=auth.login_failed`)
    expect(entries.map((entry) => entry.metadata.reason)).toEqual(['ACCOUNT_SUSPENDED', 'INVALID_CREDENTIALS'])
  })

  test('pagination and filters', async () => {
    const { pagination, entries } = await read(admin, '?limit=2')
    expect(pagination).toEqual({
      page: 1,
      limit: 2,
      total: entries[0]!.id,
      totalPages: Math.ceil(entries[0]!.id / 2)
    })
    expect(entries.map((entry) => entry.id)).toEqual([pagination.total, pagination.total! - 1])
    const last = await read(admin, `?limit=2&page=${pagination.totalPages}`)
    expect(last.entries.at(-1)!.id).toBe(1)
    expect((await read(admin, '?page=1000000&limit=200')).entries).toEqual([])

    const registered = await read(admin, '?action=user.registered&limit=1&page=2')
    expect(registered.entries.map((entry) => entry.targetId)).not.toContain(undefined)
    expect(registered.pagination.total).toBeGreaterThan(2)
    const byAnn = await read(admin, `?actorId=${ann.user.id}`)
    expect(byAnn.entries.every((entry) => entry.actorId === ann.user.id)).toBe(true)
    expect(byAnn.pagination.total).toBe(byAnn.entries.length)
    const from = entries[0]!.createdAt
    expect((await read(admin, `?from=${from}&limit=200`)).entries.every((entry) => entry.createdAt >= from)).toBe(true)
    expect((await read(admin, `?to=${from}&limit=200`)).entries.every((entry) => entry.createdAt < from)).toBe(true)
    expect((await read(admin, '?from=2999-01-01T00:00:00Z')).pagination.total).toBe(0)
  })

  test.each([
    '?limit=0',
    '?limit=201',
    '?page=0',
    '?action=no.such',
    '?from=yesterday',
    "?actorId=' or 1=1",
    '?limit=x'
  ])('the query %s is refused', async (query) => {
    const response = await admin.request('GET', `/api/audit${query}`)
    expect([response.statusCode, response.json().code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('administrators read all of it; others read their own entries without administrators’ addresses', async () => {
    expect((await ann.request('GET', '/api/audit')).json().code).toBe('FORBIDDEN_ROLE')
    for (const url of ['/api/audit', '/api/audit/me']) {
      expect((await panel.app.inject({ url })).statusCode).toBe(401)
    }
    await login({ email: ann.user.email, password: 'not the one' })
    await admin.request('POST', `/api/users/${ann.user.id}/2fa/reset`)
    const again = await login({ email: ann.user.email, password })
    const cookie = `panel_session=${again.cookies[0]!.value}`
    const own = await panel.app.inject({ url: '/api/audit/me?limit=3', headers: { cookie } })
    const { entries, pagination } = own.json<{ entries: AuditEntry[]; pagination: Record<string, number> }>()
    expect(entries.map(({ action, actorId, ip }) => [action, actorId, ip])).toEqual([
      ['auth.login', ann.user.id, '192.0.2.44'],
      ['user.2fa_reset', admin.user.id, null],
      ['auth.login_failed', null, '192.0.2.44']
    ])
    expect(pagination).toMatchObject({ page: 1, limit: 3, total: 4 })
    const all = await panel.app.inject({ url: '/api/audit/me?limit=200', headers: { cookie } })
    const ids = all.json<{ entries: AuditEntry[] }>().entries.map((entry) => [entry.actorId, entry.targetId])
    expect(ids.every((pair) => pair.includes(ann.user.id))).toBe(true)
  })

  test('shows account emails to administrators only', async () => {
    await ann.request('POST', '/api/auth/logout')
    const [entry] = (await read(admin, `?actorId=${ann.user.id}&limit=1`)).entries
    expect(entry).toMatchObject({ actorEmail: ann.user.email, targetEmail: ann.user.email })
    ann = await panel.signIn(ann.user.email)
    const own = (await ann.request('GET', '/api/audit/me')).json<{ entries: object[] }>().entries
    expect(own.some((each) => 'actorEmail' in each)).toBe(false)
  })

  test('is exported as filtered CSV without formulas', async () => {
    const payload = { email: ann.user.email, password }
    const headers = { 'user-agent': '=HYPERLINK("http://evil.example")' }
    await panel.app.inject({ method: 'POST', url: '/api/auth/login', payload, headers })
    const answer = await admin.request('GET', `/api/audit?format=csv&actorId=${ann.user.id}&limit=1`)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="audit.csv"'
    })
    const lines = answer.body.trimEnd().split('\r\n')
    const { total } = (await read(admin, `?actorId=${ann.user.id}`)).pagination
    expect(lines).toHaveLength(total! + 1)
    expect(lines[1]).toContain(`"'=HYPERLINK(""http://evil.example"")"`)
    expect((await ann.request('GET', '/api/audit?format=csv')).statusCode).toBe(403)
  })

  test('at most two exports run at a time', async () => {
    const other = await panel.createUser(admin, { role: 'ADMIN' })
    for (const client of [admin, other]) await client.request('GET', '/api/auth/me')
    // Writes finish first, so that only the files wait for the table.
    await panel.audited()
    const connection = await panel.deps.db.$client.connect()
    const waiting = async () => {
      const held = "select count(*)::int as n from pg_locks where relation = 'audit_log'::regclass and not granted"
      return (await connection.query<{ n: number }>(held)).rows[0]!.n
    }
    try {
      await connection.query('begin; lock table audit_log in access exclusive mode')
      const answers = [admin, admin, admin, admin, other].map(async (client) => {
        const { statusCode } = await client.request('GET', '/api/audit?format=csv')
        return statusCode
      })
      await expect.poll(waiting).toBe(3)
      expect((await other.request('GET', '/api/auth/me')).statusCode).toBe(200)
      expect(await waiting()).toBe(3)
      await connection.query('rollback')
      expect(await Promise.all(answers)).toEqual(Array(5).fill(200))
    } finally {
      await connection.query('rollback')
      connection.release()
    }
  })

  test('reports whether the newest entries are chained', async () => {
    const answer = await admin.request('GET', '/api/audit/verify')
    expect(answer.json()).toMatchObject({ ok: true, checkedFrom: 0, brokenAt: null })
    expect((await ann.request('GET', '/api/audit/verify')).statusCode).toBe(403)
    expect((await admin.request('GET', '/api/audit/verify?after=-1')).statusCode).toBe(400)
  })

  test('an entry of another panel version does not hide others', async () => {
    await panel.deps.db.execute(sql`update audit_log set action = 'some.future_act' where id = 2`)
    expect((await read(admin, '?limit=200')).entries.at(-2)!.action).toBe('some.future_act')
  })
})

describe('the audit chain', () => {
  const size = 12
  const noArchives = { count: 0, missing: [], problem: undefined }
  let panel: TestPanel
  beforeAll(async () => {
    panel = await createTestPanel()
    await Promise.all(
      Array.from({ length: size }, (_, i) =>
        recordAuditAlone(
          panel.deps,
          { ip: '192.0.2.1' },
          { action: 'user.updated', actorId: `a${i}`, targetId: 't', metadata: { z: i, a: { c: [1, { b: 2, a: 1 }] } } }
        )
      )
    )
    await chainPending(panel.deps)
    await panel.deps.db.execute(sql`create table kept as select * from audit_log`)
  })
  beforeEach(async () => {
    await panel.deps.db.execute(sql`delete from audit_log`)
    await panel.deps.db.execute(sql`insert into audit_log select * from kept`)
  })
  afterEach(async () => {
    // Each manipulation was the only error.
    await panel.deps.db.execute(sql`delete from audit_log`)
    await panel.deps.db.execute(sql`insert into audit_log select * from kept`)
    expect(await verifyAudit(panel.deps)).toMatchObject({ count: size, brokenAt: undefined })
  })
  afterAll(() => panel.close())

  test.each([1, 5, size, 1000])('verifies in pages of %d after concurrent writes', async (pageSize) => {
    const { rows } = await panel.deps.db.execute<{ hash: string }>(
      sql`select hash from audit_log order by id desc limit 1`
    )
    expect(await verifyAudit(panel.deps, pageSize)).toEqual({
      count: size,
      last: { id: size, hash: rows[0]!.hash },
      brokenAt: undefined,
      archives: noArchives
    })
  })

  test('an empty log verifies', async () => {
    await panel.deps.db.execute(sql`delete from audit_log`)
    expect(await verifyAudit(panel.deps)).toEqual({
      count: 0,
      last: { id: 0, hash: '' },
      brokenAt: undefined,
      archives: noArchives
    })
  })

  test.each<[string, SQL, number]>([
    ['changed metadata', sql`update audit_log set metadata = '{"z": 99}' where id = 5`, 5],
    ['another actor', sql`update audit_log set actor_id = 'innocent' where id = 5`, 5],
    ['no actor', sql`update audit_log set actor_id = null where id = 5`, 5],
    ['another time', sql`update audit_log set created_at = created_at - interval '1 ms' where id = 5`, 5],
    ['another address', sql`update audit_log set ip = null where id = 5`, 5],
    ['a changed last entry', sql`update audit_log set action = 'auth.login' where id = ${size}`, size],
    ['another hash', sql`update audit_log set hash = repeat('0', 64) where id = 5`, 5],
    ['the first one deleted', sql`delete from audit_log where id = 1`, 2],
    ['one deleted in the middle', sql`delete from audit_log where id = 5`, 6],
    [
      'one deleted and the later ones moved away',
      sql`with gone as (delete from audit_log where id = 5 returning id)
          update audit_log set id = -id where id > (select id from gone)`,
      -size
    ],
    [
      'one inserted at the end',
      sql`insert into audit_log (id, action, hash) values (${size + 1}, 'auth.login', repeat('a', 64))`,
      size + 1
    ],
    [
      'a copy of the last one appended',
      sql`insert into audit_log (id, action, actor_id, target_id, ip, user_agent, metadata, hash, created_at)
          select ${size + 1}, action, actor_id, target_id, ip, user_agent, metadata, hash, created_at
          from audit_log where id = ${size}`,
      size + 1
    ],
    [
      'two swapped with their hashes',
      sql`update audit_log a set action = b.action, actor_id = b.actor_id, metadata = b.metadata, hash = b.hash,
          created_at = b.created_at from audit_log b where (a.id, b.id) in ((5, 6), (6, 5))`,
      5
    ],
    [
      'two swapped without their hashes',
      sql`update audit_log a set actor_id = b.actor_id, metadata = b.metadata
          from audit_log b where (a.id, b.id) in ((5, 6), (6, 5))`,
      5
    ]
  ])('%s is detected', async (_name, tamper, brokenAt) => {
    await panel.deps.db.execute(tamper)
    expect(await verifyAudit(panel.deps, 4)).toMatchObject({ brokenAt })
    for (const after of [undefined, 0])
      expect(await verifyPart(panel.deps, after)).toMatchObject({ ok: false, brokenAt })
  })

  test('verifies in parts', async () => {
    const whole = { ok: true, brokenAt: null, checkedTo: size, newest: size, archivedTo: 0 }
    for (const after of [0, 5, size])
      expect(await verifyPart(panel.deps, after)).toEqual({ ...whole, checkedFrom: after })
    expect(await verifyPart(panel.deps, size + 1)).toMatchObject({ ok: false, brokenAt: size + 1, newest: size })
    await panel.deps.db.execute(sql`update audit_log set ip = null where id = 5`)
    expect(await verifyPart(panel.deps, 3)).toMatchObject({ ok: false, checkedFrom: 3, checkedTo: 4, brokenAt: 5 })
    expect(await verifyPart(panel.deps, 5)).toMatchObject({ ok: true, checkedFrom: 5 })
    await panel.deps.db.execute(sql`delete from audit_log where id = 7`)
    expect(await verifyPart(panel.deps, 7)).toMatchObject({ ok: false, brokenAt: 7 })
  })

  const waiting = sql`insert into audit_pending (id, action, actor_id, target_id, ip, metadata, created_at, seal)`
  test.each<[string, (first: { entryId: string; seal: string }) => SQL]>([
    ['made up', () => sql`${waiting} values ('x', 'auth.login', 'a1', 'a1', null, '{}', now(), repeat('a', 64))`],
    [
      'that has its place already',
      ({ entryId, seal }) =>
        sql`${waiting} select ${entryId}, action, actor_id, target_id, ip, metadata, created_at, ${seal}
            from audit_log where entry_id = ${entryId}`
    ]
  ])('an entry %s is visibly invalid', async (_name, tamper) => {
    await recordAuditAlone(panel.deps, {}, { action: 'auth.login', actorId: 'a1', targetId: 'a1' })
    const { rows } = await panel.deps.db.execute<{ entryId: string; seal: string }>(
      sql`select id as "entryId", seal from audit_pending`
    )
    await chainPending(panel.deps)
    await panel.deps.db.execute(tamper(rows[0]!))
    await recordAuditAlone(panel.deps, {}, { action: 'auth.logout', actorId: 'a1', targetId: 'a1' })
    expect(await verifyAudit(panel.deps)).toMatchObject({ count: size + 1, brokenAt: size + 2 })
    expect((await panel.audited()).map(({ id }) => id)).toEqual(Array.from({ length: size + 3 }, (_, i) => i + 1))
  })

  test('a pending entry cannot be changed unnoticed', async () => {
    await recordAuditAlone(panel.deps, {}, { action: 'auth.login', actorId: 'a1', targetId: 'a1' })
    await panel.deps.db.execute(sql`update audit_pending set actor_id = 'innocent'`)
    expect(await verifyAudit(panel.deps)).toMatchObject({ brokenAt: size + 1 })
  })

  test('a rollback leaves no entry, and an open transaction does not block others', async () => {
    const entry = { action: 'auth.login', targetId: null } as const
    const undone = panel.deps.db.transaction(async (trx) => {
      await recordAudit(panel.deps, trx, {}, { ...entry, actorId: 'undone' })
      // The other entries are chained while this transaction is open.
      await recordAuditAlone(panel.deps, {}, { ...entry, actorId: 'alone' })
      expect((await panel.audited()).at(-1)).toMatchObject({ id: size + 1, actorId: 'alone' })
      throw new Error('taken back')
    })
    await expect(undone).rejects.toThrow('taken back')
    expect(await verifyAudit(panel.deps)).toMatchObject({ count: size + 1, brokenAt: undefined })
  })

  test('characters unsupported by the database are dropped', async () => {
    const metadata = { path: 'a\0b\ud800', list: ['x'.repeat(2000)] }
    await recordAuditAlone(panel.deps, {}, { action: 'auth.login', actorId: null, targetId: null, metadata })
    expect((await panel.audited()).at(-1)!.metadata).toEqual({ path: 'ab\ufffd', list: ['x'.repeat(500)] })
    expect(await verifyAudit(panel.deps)).toMatchObject({ brokenAt: undefined })
  })

  test('a valid chain requires the key', async () => {
    const config = { ...panel.deps.config, ENCRYPTION_KEY: 'x'.repeat(32) }
    expect(await verifyAudit({ ...panel.deps, config })).toMatchObject({ count: 0, brokenAt: 1 })
  })
})
