import { readdir, rm } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chainPending } from '../src/features/audit/chaining.service.ts'
import { recordAuditAlone } from '../src/features/audit/recording.service.ts'
import { archiveAudit } from '../src/features/audit/retention.jobs.ts'
import { verifyPart } from '../src/features/audit/partial-verification.service.ts'
import { verifyAudit } from '../src/features/audit/verification.service.ts'
import type { LineArchive } from '../src/infra/line-archive/line-archive.ts'
import { auditArchiveDirectory } from '../src/process/paths.ts'
import { createTestPanel, type TestPanel } from './support/panel.ts'

const dayMs = 24 * 3600 * 1000
const batch = 5
let panel: TestPanel
let now: Date
beforeAll(async () => {
  panel = await createTestPanel({ AUDIT_RETENTION_DAYS: '30' })
})
beforeEach(async () => {
  await panel.empty()
  await rm(auditArchiveDirectory(panel.deps.config), { recursive: true, force: true })
  now = new Date('2026-01-01T00:00:00Z')
})
afterAll(() => panel.close())

const deps = (auditArchive: Partial<LineArchive> = {}) => ({
  ...panel.deps,
  auditArchive: { ...panel.deps.auditArchive, ...auditArchive },
  now: () => now
})
const write = async (count: number, actorId = 'a') => {
  for (let i = 0; i < count; i++)
    await recordAuditAlone(
      deps(),
      { ip: '192.0.2.1' },
      { action: 'user.updated', actorId, targetId: 't', metadata: { z: i, a: [i] } }
    )
  await chainPending(panel.deps)
}
const pass = (days: number) => (now = new Date(now.getTime() + days * dayMs))
const archive = () => archiveAudit(deps(), batch)
const verify = () => verifyAudit(panel.deps, 3)
const storedIds = async () => (await panel.audited()).map(({ id }) => id)
const files = () => readdir(auditArchiveDirectory(panel.deps.config)).catch(() => [])
const archivedIds = async () => {
  const { rows } = await panel.deps.db.execute<{ archive: string }>(
    sql`select archive from audit_checkpoints order by first_id`
  )
  const ids: number[] = []
  for (const { archive } of rows)
    for await (const line of panel.deps.auditArchive.read(archive)) ids.push((JSON.parse(line) as { id: number }).id)
  return ids
}
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const whole = { brokenAt: undefined, archives: { missing: [], problem: undefined } }

test('old entries move to files, the rest stays, and the chain verifies across both', async () => {
  await write(12)
  pass(38)
  await write(3)
  await archive()
  expect(await storedIds()).toEqual(range(13, 15))
  expect(await archivedIds()).toEqual(range(1, 12))
  expect(await files()).toEqual([
    expect.stringMatching(/^audit-000000000001-000000000005-\w+\.ndjson\.gz$/),
    expect.stringMatching(/^audit-000000000006-000000000010-/),
    expect.stringMatching(/^audit-000000000011-000000000012-/)
  ])
  expect(await verify()).toMatchObject({ count: 3, ...whole, archives: { ...whole.archives, count: 12 } })
  const part = { ok: true, checkedFrom: 12, checkedTo: 15, newest: 15, archivedTo: 12 }
  for (const after of [undefined, 0]) expect(await verifyPart(panel.deps, after)).toMatchObject(part)
})

test('archiving waits for a week’s worth of entries', async () => {
  await write(3)
  pass(36)
  await archive()
  expect(await storedIds()).toEqual([1, 2, 3])
  pass(1)
  await archive()
  expect([await storedIds(), await archivedIds()]).toEqual([[], [1, 2, 3]])
})

test('new entries continue from the checkpoint after a full archive', async () => {
  const admin = await panel.signUp('admin')
  await panel.deps.db.execute(sql`delete from audit_pending`)
  await write(5)
  pass(40)
  await archive()
  await write(2, 'later')
  expect(await verify()).toMatchObject({ count: 2, last: { id: 7 }, ...whole })
  const { entries, pagination } = (await admin.request('GET', '/api/audit?limit=1&page=2')).json()
  expect([entries.map(({ id }: { id: number }) => id), pagination.total]).toEqual([[6], 2])
})

test('too many entries are archived at any age', async () => {
  await write(13)
  const config = { ...panel.deps.config, AUDIT_MAX_ENTRIES: 4 }
  await archiveAudit({ ...deps(), config }, batch)
  expect([await archivedIds(), await storedIds()]).toEqual([range(1, 5), range(6, 13)])
})

describe('interrupted', () => {
  const killed = () => Promise.reject(new Error('killed'))
  beforeEach(async () => {
    await write(5)
    pass(40)
  })
  const settled = async () => {
    expect([await archivedIds(), await storedIds()]).toEqual([range(1, 5), []])
    expect(await verify()).toMatchObject({ count: 0, ...whole, archives: { count: 5 } })
  }

  test('between archive and deletion: nothing is lost, and the partial file is not an archive', async () => {
    const stage: LineArchive['stage'] = async (...args) => {
      await panel.deps.auditArchive.stage(...args)
      return killed()
    }
    await expect(archiveAudit(deps({ stage }), batch)).rejects.toThrow('killed')
    expect(await storedIds()).toEqual(range(1, 5))
    expect(await verify()).toMatchObject({ count: 5, ...whole, archives: { count: 0 } })
    await archive()
    await settled()
    now = new Date(Date.now() + 2 * dayMs)
    await archive()
    expect(await files()).toEqual([expect.stringMatching(/\.gz$/)])
  })

  test('between deletion and rename: the next run renames it', async () => {
    await expect(archiveAudit(deps({ publish: killed }), batch)).rejects.toThrow('killed')
    await settled()
    expect(await files()).toEqual([expect.stringMatching(/\.gz\.new$/)])
    await archive()
    expect(await files()).toEqual([expect.stringMatching(/\.gz$/)])
    await settled()
  })

  test('or concurrent: each entry is archived once', async () => {
    await Promise.allSettled([archive(), archive(), archive()])
    await settled()
  })
})

describe('manipulated', () => {
  beforeEach(async () => {
    await write(10)
    pass(40)
  })
  const problem = async () => {
    const { archives, brokenAt } = await verify()
    return archives.problem ?? brokenAt
  }

  test('entries are not archived as valid', async () => {
    await panel.deps.db.execute(sql`update audit_log set actor_id = 'innocent' where id = 3`)
    await archive()
    expect([(await storedIds()).length, await problem()]).toEqual([10, 3])
  })

  test.each([
    [
      'a checkpoint',
      sql`update audit_checkpoints set last_hash = repeat('0', 64) where first_id = 6`,
      /checkpoint of entry 6/
    ],
    ['a checkpoint that is gone', sql`delete from audit_checkpoints where first_id = 1`, /checkpoint of entry 6/],
    ['the last checkpoint gone', sql`delete from audit_checkpoints where first_id = 6`, 11],
    [
      'a cut of somebody else',
      sql`with cut as (delete from audit_log returning id)
        insert into audit_checkpoints (first_id, last_id, last_hash, until, archive, archive_hash, seal)
        select 11, max(id), repeat('0', 64), now(), 'x', 'x', repeat('0', 64) from cut`,
      /checkpoint of entry 11/
    ],
    ['an entry below the cut', sql`insert into audit_log (id, action, hash) values (4, 'auth.login', 'x')`, 4]
  ])('%s is detected', async (_name, tamper, found) => {
    await archive()
    await write(2)
    await panel.deps.db.execute(tamper)
    expect(await problem()).toEqual(found instanceof RegExp ? expect.stringMatching(found) : found)
  })

  test('archives are detected; missing ones are named', async () => {
    await archive()
    const [first, second] = await files()
    const { rename, writeFile } = await import('node:fs/promises')
    const directory = auditArchiveDirectory(panel.deps.config)
    await rename(`${directory}/${first}`, `${directory}/${first}.moved`)
    expect(await verify()).toMatchObject({ ...whole, archives: { count: 5, missing: [first] } })
    await writeFile(`${directory}/${second}`, 'other')
    expect(await problem()).toEqual(`the archive ${second} was modified`)
  })

  test('an archived entry that is re-queued does not verify', async () => {
    await recordAuditAlone(deps(), {}, { action: 'auth.login', actorId: 'a', targetId: 'a' })
    const { rows } = await panel.deps.db.execute<{ id: string; seal: string; position: string }>(
      sql`select * from audit_pending`
    )
    await panel.deps.db.execute(sql`create table kept as select * from audit_pending`)
    expect(rows).toHaveLength(1)
    await chainPending(panel.deps)
    pass(40)
    await archive()
    expect(await storedIds()).toEqual([])
    await panel.deps.db.execute(sql`insert into audit_pending select * from kept`)
    expect(await verify()).toMatchObject({ brokenAt: 12 })
  })
})
