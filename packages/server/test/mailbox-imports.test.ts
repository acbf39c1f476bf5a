import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Mailbox } from '@panel/contract/mailboxes'
import type { MailboxImport, MailboxImportList } from '@panel/contract/mailbox-imports'
import { mailboxImportPositions, mailboxImports } from '../src/db/schema/mailbox-imports.ts'
import { mailDomains } from '../src/db/schema/mail-domains.ts'
import { mailboxes } from '../src/db/schema/mailboxes.ts'
import { runImport } from '../src/features/mailbox-moves/mailbox-import.jobs.ts'
import { recoverImports } from '../src/features/mailbox-moves/mailbox-imports.reconcile.ts'
import type { FolderPosition } from '../src/infra/mailbox-copier/mailbox-copier.ts'
import type { MemoryMailboxCopier } from './fakes/memory-mailbox-copier.ts'
import { addVerifiedDomain } from './support/domains.ts'
import { newMailbox, outcome, uniqueDomain } from './support/mail.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let copier: MemoryMailboxCopier
let admin: Client
/** Offset of the panel clock in milliseconds. */
let later = 0
beforeAll(async () => {
  panel = await createTestPanel({}, { now: () => new Date(Date.now() + later) })
  copier = panel.deps.mailboxCopier as MemoryMailboxCopier
  admin = await panel.signUp('admin')
})
afterAll(() => panel.close())
beforeEach(async () => {
  await panel.deps.db.delete(mailboxImports)
  copier.tasks.length = 0
  later = 0
  copier.work = async () => ({ problem: undefined })
})

const password = 'the password of elsewhere'
const requested = { host: 'imap.example.net', username: 'ann@example.net', password }
interface Owner {
  client: Client
  mailbox: Mailbox
}
async function newOwner(): Promise<Owner> {
  const client = await panel.signUp()
  return { client, mailbox: await newMailbox(client, (await addVerifiedDomain(client, uniqueDomain())).id) }
}
const at = ({ mailbox }: Owner, path = '') => `/api/mailboxes/${mailbox.id}/imports${path}`
const start = (owner: Owner, more: object = {}) => owner.client.request('POST', at(owner), { ...requested, ...more })
async function started(owner: Owner, more: object = {}): Promise<MailboxImport> {
  const answer = await start(owner, more)
  expect([answer.statusCode, answer.json()]).toEqual([202, expect.anything()])
  return answer.json<MailboxImport>()
}
const show = async (owner: Owner, id: string) =>
  (await owner.client.request('GET', at(owner, `/${id}`))).json<MailboxImport>()
const stored = async (id: string) =>
  (await panel.deps.db.select().from(mailboxImports).where(eq(mailboxImports.id, id)))[0]!
const work = (workerId = 1, signal = new AbortController().signal) =>
  runImport(panel.deps, { lease: { workerId, findDead: async () => [] }, signal })
const recover = (dead: number[]) =>
  recoverImports(panel.deps, { findDead: async (ids) => ids.filter((id) => dead.includes(id)) })
const position = (more: Partial<FolderPosition> = {}): FolderPosition => ({
  path: 'INBOX',
  uidValidity: 7,
  lastUid: 10,
  target: 'INBOX',
  targetUidValidity: 8,
  targetUidNext: 11,
  ...more
})

describe('an import', () => {
  test('is queued with an encrypted password, runs and forgets it', async () => {
    const owner = await newOwner()
    const { id, ...made } = await started(owner, { folders: ['INBOX'] })
    expect(made).toMatchObject({
      status: 'QUEUED',
      port: 993,
      security: 'TLS',
      reason: null,
      folders: ['INBOX'],
      startedAt: null
    })
    expect(JSON.stringify(made)).not.toContain(password)
    const sealed = (await stored(id)).password!
    expect(sealed).not.toContain(password)
    expect(panel.deps.secretBox.open(sealed)).toBe(password)

    copier.work = async (task, { emit }) => {
      expect(task).toMatchObject({
        address: owner.mailbox.address,
        folders: ['INBOX'],
        positions: [],
        source: { host: requested.host, port: 993, password }
      })
      await emit({ type: 'planned', folders: 1, messages: 3, bytes: 300 })
      await emit({ type: 'position', position: position(), messages: 2, bytes: 200 })
      expect(await show(owner, id)).toMatchObject({
        status: 'RUNNING',
        progress: { folders: { done: 0, total: 1 }, messages: { done: 2, total: 3 }, bytes: { done: 200, total: 300 } }
      })
      await emit({ type: 'left-out', folder: 'All', reason: 'view', messages: 0 })
      await emit({ type: 'folder-done' })
      return { problem: undefined }
    }
    await work()
    expect(await show(owner, id)).toMatchObject({
      status: 'COMPLETED',
      progress: { folders: { done: 1, total: 1 } },
      leftOut: [{ folder: 'All', reason: expect.stringContaining('folders') as string, messages: 0 }],
      startedAt: expect.any(String) as string,
      endedAt: expect.any(String) as string
    })
    expect((await stored(id)).password).toBeNull()
    const entries = await panel.audited({ targetId: owner.mailbox.id })
    expect(entries.map(({ action }) => action)).toEqual([
      'mailbox.created',
      'mailbox.import_started',
      'mailbox.import_ended'
    ])
    expect(JSON.stringify(entries)).not.toContain(password)
  })

  test('has defaults by security type, and limits', async () => {
    const owner = await newOwner()
    expect(await started(owner, { security: 'STARTTLS', host: ' IMAP.Example.NET ' })).toMatchObject({
      port: 143,
      host: 'imap.example.net'
    })
    for (const wrong of [
      { port: 25 },
      { port: 0 },
      { port: 70_000 },
      { security: 'NONE' },
      { host: 'a b' },
      { host: 'http://x' },
      { host: '' },
      { username: 'a\r\nb' },
      { username: '' },
      { password: 'a\r\nb' },
      { password: '' },
      { folders: [] },
      { folders: ['a\u0000b'] },
      { folders: Array.from({ length: 201 }, (_, index) => `f${index}`) }
    ])
      expect([wrong, ...outcome(await start(owner, wrong))]).toEqual([wrong, 400, 'VALIDATION_ERROR'])
  })

  test('runs once per mailbox; a later one continues', async () => {
    const owner = await newOwner()
    const { id } = await started(owner)
    expect(outcome(await start(owner))).toEqual([409, 'CONFLICT'])
    copier.work = async (_task, { emit }) => {
      await emit({ type: 'position', position: position(), messages: 5, bytes: 50 })
      return { problem: 'mailbox-full' }
    }
    await work()
    expect(await show(owner, id)).toMatchObject({
      status: 'FAILED',
      reason: expect.stringContaining('Raise its quota') as string
    })
    await started(owner)
    await work()
    expect(copier.tasks[1]!.positions).toEqual([position()])
    await panel.deps.db.update(mailboxImports).set({ status: 'COMPLETED', password: null })
    await started(owner, { username: 'bob@example.net' })
    await work()
    expect(copier.tasks[2]!.positions).toEqual([])
  })

  test('can be cancelled once, waiting or running', async () => {
    const owner = await newOwner()
    const cancel = (id: string) => owner.client.request('POST', at(owner, `/${id}/cancel`))
    const waiting = await started(owner)
    expect((await cancel(waiting.id)).json()).toMatchObject({
      status: 'CANCELLED',
      endedAt: expect.any(String) as string
    })
    expect(outcome(await cancel(waiting.id))).toEqual([409, 'CONFLICT'])
    await work()
    expect(copier.tasks).toEqual([])

    const { id } = await started(owner)
    copier.work = async (_task, { emit }) => {
      await cancel(id)
      await emit({ type: 'position', position: position({ path: 'late' }), messages: 9, bytes: 9 })
      return new Promise(() => {})
    }
    await work()
    expect(await show(owner, id)).toMatchObject({ status: 'CANCELLED', progress: { messages: { done: 0 } } })
    expect((await stored(id)).password).toBeNull()
    const late = await panel.deps.db
      .select()
      .from(mailboxImportPositions)
      .where(eq(mailboxImportPositions.path, 'late'))
    expect(late).toEqual([])
  })
})

describe('failures', () => {
  test('temporary ones are retried after a pause and given up later', async () => {
    const owner = await newOwner()
    const { id } = await started(owner)
    copier.work = async () => ({ problem: 'connection-lost', detail: 'bye' })
    for (let tries = 1; tries <= 7; tries++) {
      await work()
      expect(await show(owner, id)).toMatchObject({
        status: 'QUEUED',
        reason: expect.stringContaining('bye') as string
      })
      const before = copier.tasks.length
      await work()
      expect(copier.tasks).toHaveLength(before)
      await panel.deps.db.update(mailboxImports).set({ notBefore: new Date(0) })
    }
    await work()
    expect(await show(owner, id)).toMatchObject({ status: 'FAILED' })
    expect(copier.tasks).toHaveLength(8)
  })

  test('progress resets the failure count', async () => {
    const owner = await newOwner()
    const { id } = await started(owner)
    await panel.deps.db.update(mailboxImports).set({ failures: 6 })
    copier.work = async (_task, { emit }) => {
      await emit({ type: 'position', position: position(), messages: 1, bytes: 1 })
      return { problem: 'connection-lost' }
    }
    await work()
    expect(await stored(id)).toMatchObject({ status: 'QUEUED', failures: 1 })
  })

  test('an internal error is retried', async () => {
    const owner = await newOwner()
    const { id } = await started(owner)
    copier.work = async () => {
      throw new Error('a defect')
    }
    await work()
    expect(await show(owner, id)).toMatchObject({ status: 'QUEUED' })
  })

  test('a stopped or dead worker leaves the import to the next', async () => {
    const owner = await newOwner()
    const { id } = await started(owner)
    const stopped = new AbortController()
    copier.work = async () => {
      stopped.abort()
      return new Promise(() => {})
    }
    await work(1, stopped.signal)
    expect(await stored(id)).toMatchObject({ status: 'QUEUED', workerId: null, failures: 0 })

    await panel.deps.db.update(mailboxImports).set({ status: 'RUNNING', workerId: 3 })
    await recover([])
    expect(await stored(id)).toMatchObject({ status: 'RUNNING' })
    await recover([3])
    expect(await stored(id)).toMatchObject({ status: 'QUEUED', workerId: null })
    copier.work = async () => ({ problem: undefined })
    await work(4)
    expect(await show(owner, id)).toMatchObject({ status: 'COMPLETED' })
  })

  test('deletion of the mailbox or account, and suspension', async () => {
    const owner = await newOwner()
    const { id } = await started(owner)
    await owner.client.request('DELETE', `/api/mailboxes/${owner.mailbox.id}`)
    await work()
    expect(copier.tasks).toEqual([])
    expect(await stored(id)).toMatchObject({
      status: 'FAILED',
      password: null,
      reason: expect.stringContaining('deleted') as string
    })

    const other = await newOwner()
    const second = await started(other)
    expect((await admin.request('POST', `/api/users/${other.client.user.id}/suspend`)).statusCode).toBe(200)
    expect(await stored(second.id)).toMatchObject({
      status: 'FAILED',
      password: null,
      reason: expect.stringContaining('suspended') as string
    })

    const third = await newOwner()
    const last = await started(third)
    expect((await admin.request('DELETE', `/api/users/${third.client.user.id}?projects=delete`)).statusCode).toBe(200)
    expect(await stored(last.id)).toMatchObject({ status: 'FAILED', password: null })
  })

  test('nothing runs without mail', async () => {
    const off = await createTestPanel({ MAIL: 'off' })
    const client = await off.signUp()
    const domain = await addVerifiedDomain(client, uniqueDomain())
    await off.deps.db.insert(mailDomains).values({ domainId: domain.id, name: domain.hostname })
    await off.deps.db.insert(mailboxes).values({
      id: 'kept',
      domainId: domain.id,
      domainName: domain.hostname,
      userId: client.user.id,
      nodeId: off.deps.nodeId,
      localPart: 'ann',
      passwordHash: '',
      quotaMb: 1
    })
    expect(outcome(await client.request('POST', '/api/mailboxes/kept/imports', requested))).toEqual([
      503,
      'MAIL_UNAVAILABLE'
    ])
    await off.close()
  })
})

describe('accounts take turns', () => {
  test('one per account runs; others use the remaining slots', async () => {
    const [ann, bob] = [await newOwner(), await newOwner()]
    const annsOther = { ...ann, mailbox: await newMailbox(ann.client, ann.mailbox.domainId!, { localPart: 'other' }) }
    const [first, second, third] = [await started(ann), await started(annsOther), await started(bob)]
    const release: (() => void)[] = []
    copier.work = (task) =>
      new Promise((resolve) => {
        release.push(() => resolve({ problem: undefined }))
        expect(task.id).not.toBe(second.id)
      })
    const running = [work(), work()]
    await expect.poll(() => copier.tasks.map(({ id }) => id).sort()).toEqual([first.id, third.id].sort())
    await work()
    expect(copier.tasks).toHaveLength(2)
    for (const each of release) each()
    await Promise.all(running)
    copier.work = async () => ({ problem: undefined })
    await work()
    expect(await show(annsOther, second.id)).toMatchObject({ status: 'COMPLETED' })
  })

  test('a long one yields and continues later', async () => {
    const [ann, bob] = [await newOwner(), await newOwner()]
    const [first, second] = [await started(ann), await started(bob)]
    const order: string[] = []
    copier.work = async ({ id }) => {
      order.push(id)
      if (order.length > 1) return { problem: undefined }
      later = 11 * 60_000
      return new Promise(() => {})
    }
    await work()
    expect(await stored(first.id)).toMatchObject({ status: 'QUEUED', failures: 0, reason: null })
    await work()
    await work()
    expect(order).toEqual([first.id, second.id, first.id])
    expect(await show(ann, first.id)).toMatchObject({ status: 'COMPLETED' })
  })

  test('at most 50 per account', async () => {
    const owner = await newOwner()
    const { id } = await started(owner)
    const row = await stored(id)
    const [mailbox] = await panel.deps.db.select().from(mailboxes).where(eq(mailboxes.id, owner.mailbox.id))
    const others = Array.from({ length: 50 }, (_, index) => ({
      ...mailbox!,
      id: `many${index}`,
      localPart: `m${index}`
    }))
    await panel.deps.db.insert(mailboxes).values(others)
    await panel.deps.db
      .insert(mailboxImports)
      .values(others.slice(1).map((one, index) => ({ ...row, id: `open${index}`, mailboxId: one.id })))
    expect(outcome(await start({ ...owner, mailbox: { ...owner.mailbox, id: others[0]!.id } }))).toEqual([
      409,
      'CONFLICT'
    ])
  })
})

describe('the list', () => {
  test('is per mailbox, paginated, and keeps the newest fifty', async () => {
    const owner = await newOwner()
    const first = await started(owner)
    await panel.deps.db.update(mailboxImports).set({ status: 'FAILED', password: null, host: 'old.example.net' })
    const row = await stored(first.id)
    await panel.deps.db.insert(mailboxImports).values(
      Array.from({ length: 60 }, (_, index) => ({
        ...row,
        id: `old${index}`,
        host: 'newer.example.net',
        createdAt: new Date(Date.UTC(2030, 0, 1 + index))
      }))
    )
    const positionsOf = (host: string) =>
      panel.deps.db.$count(mailboxImportPositions, eq(mailboxImportPositions.host, host))
    const held = { mailboxId: owner.mailbox.id, username: requested.username, ...position() }
    await panel.deps.db.insert(mailboxImportPositions).values([
      { ...held, host: 'old.example.net' },
      { ...held, host: 'newer.example.net' }
    ])
    await started(owner, { host: 'newest.example.net' })
    const list = async (query = '') => (await owner.client.request('GET', at(owner, query))).json<MailboxImportList>()
    expect((await list()).pagination.total).toBe(51)
    expect((await list('?limit=10&page=2')).imports.map(({ id }) => id)).toEqual(
      Array.from({ length: 10 }, (_, index) => `old${49 - index}`)
    )
    expect([await positionsOf('old.example.net'), await positionsOf('newer.example.net')]).toEqual([0, 1])
  })

  test('is private to the owner and mailbox', async () => {
    const [ann, bob] = [await newOwner(), await newOwner()]
    const { id } = await started(ann)
    const asBob = { ...ann, client: bob.client }
    for (const answer of [
      await start(asBob),
      await bob.client.request('GET', at(ann)),
      await bob.client.request('GET', at(ann, `/${id}`)),
      await bob.client.request('POST', at(ann, `/${id}/cancel`)),
      await bob.client.request('GET', at(bob, `/${id}`)),
      await bob.client.request('POST', at(bob, `/${id}/cancel`)),
      await admin.request('GET', at(ann, `/${id}`))
    ])
      expect(outcome(answer)).toEqual([404, 'NOT_FOUND'])
    expect(await show(ann, id)).toMatchObject({ status: 'QUEUED' })
  })
})
