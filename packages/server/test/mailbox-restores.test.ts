import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { MailboxBackupList, NewBackupTarget, Restore } from '@panel/contract/backups'
import type { Mailbox } from '@panel/contract/mailboxes'
import { backups, restores } from '../src/db/schema/backups.ts'
import { runBackups } from '../src/features/backups/backups.jobs.ts'
import { removeExpired, runRestore } from '../src/features/backups/restore.jobs.ts'
import { panelState } from '../src/process/paths.ts'
import type { MemoryBackupRepository } from './fakes/memory-backup-repository.ts'
import { mailServerUnavailable, type MemoryMailServer } from './fakes/memory-mail-server.ts'
import { mailServerOf, newMailbox, uniqueDomain } from './support/mail.ts'
import { addVerifiedDomain } from './support/domains.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let server: MemoryMailServer
let ann: Client
let admin: Client
let mailbox: Mailbox
let address: string
/** Offset of the panel clock in milliseconds. */
let later = 0
const day = 24 * 3600_000
const { signal } = new AbortController()
beforeAll(async () => {
  panel = await createTestPanel({}, { now: () => new Date(Date.now() + later) })
  server = mailServerOf(panel)
  admin = await panel.signUp('admin')
  ann = await panel.signUp('ann')
  const target = { kind: 'FOLDER', name: 'Disk', path: '/mnt/backup' }
  const { id, key } = (await admin.request('POST', '/api/backups/targets', target)).json<NewBackupTarget>()
  await admin.request('POST', `/api/backups/targets/${id}/confirm`, { key })
})
afterAll(async () => {
  const { mail } = panelState(panel.deps.config)
  await panel.close()
  await rm(join(mail, '../..'), { recursive: true, force: true })
})
beforeEach(async () => {
  later = 0
  server.before = async () => {}
  mailbox = await newMailbox(ann, (await addVerifiedDomain(ann, uniqueDomain())).id)
  address = mailbox.address
})

const home = () => join(panelState(panel.deps.config).mail, ...address.split('@').reverse())
async function backedUp(): Promise<string> {
  await mkdir(join(home(), 'Maildir/new'), { recursive: true })
  await writeFile(join(home(), 'Maildir/new/1'), 'old')
  expect((await admin.request('POST', '/api/backups', { subject: 'PANEL' })).statusCode).toBe(202)
  await runBackups(panel.deps, { lease: { workerId: 1, findDead: async () => [] }, signal })
  const answer = await ann.request('GET', `/api/mailboxes/${mailbox.id}/backups`)
  return answer.json<MailboxBackupList>().backups[0]!.id
}
const start = (backupId: string, by = ann) =>
  by.request('POST', `/api/mailboxes/${mailbox.id}/backups/${backupId}/restore`)
async function run(id: string): Promise<Restore> {
  await runRestore(panel.deps, 1, id, signal)
  const answer = await ann.request('GET', `/api/mailboxes/${mailbox.id}/restores`)
  return answer.json<{ restores: Restore[] }>().restores.find((restore) => restore.id === id)!
}
const undo = (id: string) => ann.request('POST', `/api/mailboxes/${mailbox.id}/restores/${id}/undo`)

test('the mail of a backup replaces the present one, and can be put back for 7 days', async () => {
  const backup = await backedUp()
  server.mail.set(address, ['new'])
  const { id } = (await start(backup)).json<Restore>()
  expect((await start(backup)).json()).toMatchObject({ code: 'CONFLICT' })
  expect(await run(id)).toMatchObject({ status: 'COMPLETED', kind: 'MAILBOX', problem: null, undoUntil: expect.any(String) }) // oxfmt-ignore
  expect(server.mail.get(address)).toEqual(['old'])
  expect(server.deliver(address, 'newest')).toBe(true)
  expect((await undo(id)).json()).toMatchObject({ status: 'UNDONE' })
  expect(server.mail.get(address)).toEqual(['new'])
  expect((await undo(id)).statusCode).toBe(409)

  const again = (await start(backup)).json<Restore>()
  await run(again.id)
  later = 8 * day
  await removeExpired(panel.deps)
  later = 0
  expect((await undo(again.id)).statusCode).toBe(409)
  expect(server.mail.get(address)).toEqual(['old'])
  expect([...server.kept.keys()].filter((name) => name.startsWith(id) || name.startsWith(again.id))).toEqual([])
})

test('interrupted in the exchange it is finished, and mail that arrived meanwhile is not lost', async () => {
  const backup = await backedUp()
  server.mail.set(address, ['new'])
  const { id } = (await start(backup)).json<Restore>()
  server.before = async (call) => {
    if (call === 'putBack') throw mailServerUnavailable()
  }
  expect(await run(id)).toMatchObject({ status: 'QUEUED' })
  server.before = async () => {}
  expect(server.deliver(address, 'meanwhile')).toBe(true)
  expect(await run(id)).toMatchObject({ status: 'COMPLETED' })
  expect([server.mail.get(address), server.kept.get(`${id}-old`), server.kept.get(`${id}-late`)]).toEqual([['old'], ['new'], ['meanwhile']]) // oxfmt-ignore
})

test('mail that arrives during the exchange is deferred', async () => {
  const backup = await backedUp()
  server.mail.set(address, ['new'])
  const { id } = (await start(backup)).json<Restore>()
  const answers: string[] = []
  server.before = async (call) => {
    if (call === 'putBack') answers.push(server.receive(address, 'during'))
  }
  await run(id)
  expect(answers).toEqual(['later'])
  expect(server.domains.get(address.split('@')[1]!)?.isSuspended).toBe(false)
})

test('a failed restore changes nothing', async () => {
  const backup = await backedUp()
  server.mail.set(address, ['new'])
  const repository = panel.deps.backupRepository as MemoryBackupRepository
  repository.before = () => Promise.reject(new Error('no such thing'))
  const { id } = (await start(backup)).json<Restore>()
  expect(await run(id)).toMatchObject({ status: 'FAILED', problem: expect.stringMatching(/./) })
  repository.before = async () => {}
  expect(server.mail.get(address)).toEqual(['new'])
})

test('an address that another mailbox had at the time of the backup is not restored', async () => {
  const backup = await backedUp()
  const repository = panel.deps.backupRepository as MemoryBackupRepository
  const [row] = await panel.deps.db.select().from(backups).where(eq(backups.id, backup))
  const { files } = repository.snapshots.get(row!.snapshotId!)!
  const manifest = JSON.parse(files.get('/manifest.json')!.toString()) as { mailboxes: Record<string, string> }
  expect(manifest.mailboxes[mailbox.id]).toBe(address)
  files.set('/manifest.json', Buffer.from(JSON.stringify({ ...manifest, mailboxes: { another: address } })))
  server.mail.set(address, ['new'])
  const { id } = (await start(backup)).json<Restore>()
  expect(await run(id)).toMatchObject({ status: 'FAILED', problem: expect.stringMatching(/mail/) })
  expect(server.mail.get(address)).toEqual(['new'])
})

test('backups and restores of another account are 404, and so is a backup from before the mailbox', async () => {
  const backup = await backedUp()
  const eve = await panel.signUp()
  for (const [method, path] of [
    ['GET', `/api/mailboxes/${mailbox.id}/backups`],
    ['GET', `/api/mailboxes/${mailbox.id}/restores`],
    ['POST', `/api/mailboxes/${mailbox.id}/backups/${backup}/restore`]
  ] as const)
    expect([path, (await eve.request(method, path)).statusCode]).toEqual([path, 404])
  mailbox = await newMailbox(ann, (await addVerifiedDomain(ann, uniqueDomain())).id)
  expect((await start(backup)).statusCode).toBe(404)
  expect((await ann.request('GET', `/api/mailboxes/${mailbox.id}/backups`)).json()).toEqual({ backups: [] })
  expect(await panel.deps.db.$count(restores, eq(restores.backupId, backup))).toBe(0)
})
