import { readdir, readFile, readlink } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import type { Mailbox } from '@panel/contract/mailboxes'
import type { MailboxImport } from '@panel/contract/mailbox-imports'
import { extract } from 'tar-stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, openImap, password } from './servers.harness.ts'
import { type ImapSource, messageOf, sourcePassword, startImapSource } from '../support/imap-source.ts'
import type { MailPorts } from '../support/mail-panel.ts'
import type { Client, RunningPanel } from '../support/panel.ts'
import { sharedWorld } from '../support/shared-world.ts'

let source: ImapSource
let panel: RunningPanel
let ports: MailPorts
let ann: Client
let domainId: string
beforeAll(async () => {
  const world = await sharedWorld()
  ;({ panel, ports } = world)
  source = await startImapSource(world.importAuthority)
  ann = await panel.signUp()
  domainId = (await world.addManaged(world.newName('moved'), ann)).id
})
afterAll(() => source?.close())

const newMailbox = (localPart: string, values: object = {}) =>
  ann.call<Mailbox>('POST', '/mailboxes', { domainId, localPart, password, ...values })
const startImport = ({ id }: Mailbox, username: string, values: object = {}) =>
  ann.call<MailboxImport>('POST', `/mailboxes/${id}/imports`, {
    host: 'localhost',
    port: source.tlsPort,
    username,
    password: sourcePassword,
    ...values
  })
const show = ({ id, mailboxId }: MailboxImport) =>
  ann.call<MailboxImport>('GET', `/mailboxes/${mailboxId}/imports/${id}`)
const ended = (started: MailboxImport) =>
  eventually(async () => {
    const now = await show(started).catch(() => undefined)
    return now && ['COMPLETED', 'FAILED', 'CANCELLED'].includes(now.status) && now
  })

const folders: Record<string, number> = { INBOX: 80, 'Work/2026/Übung': 30, 'Sent Items': 40, Проекты: 30 }
const idOf = (folder: string, at: number) => `${encodeURIComponent(folder)}-${at}`
async function fillSource(user: string): Promise<void> {
  const client = await source.open(user)
  for (const [folder, count] of Object.entries(folders)) {
    if (folder !== 'INBOX') await client.mailboxCreate(folder)
    for (let at = 0; at < count; at++)
      await client.append(
        folder,
        messageOf(idOf(folder, at), 2_000),
        at % 3 === 0 ? ['\\Seen'] : [],
        new Date(Date.UTC(2019, at % 12, 5, 6, 7, 8))
      )
  }
  await client.logout()
}
const all = Object.entries(folders).flatMap(([folder, count]) =>
  Array.from({ length: count }, (_, at) => idOf(folder, at))
)

async function idsHere(address: string): Promise<Record<string, string[]>> {
  const client = await openImap(ports.IMAPS, address)
  const found: Record<string, string[]> = {}
  for (const { path, flags } of await client.list()) {
    if (flags.has('\\Noselect')) continue
    const { exists } = await client.mailboxOpen(path, { readOnly: true })
    if (exists === 0) continue
    found[path] = []
    for await (const { envelope } of client.fetch('1:*', { envelope: true }))
      found[path].push(envelope!.messageId!.replace(/^<|@.*$/g, ''))
  }
  await client.logout()
  return found
}

async function importers(): Promise<string[]> {
  const found = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map(async (pid) => {
        const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
        return commandLine.includes('mailbox-copier/copy-process') ? [pid] : []
      })
  )
  return found.flat()
}

test('a mailbox import survives a killed worker, and every message is in the export', async () => {
  const mailbox = await newMailbox('ann')
  await fillSource('ann')
  const started = await startImport(mailbox, 'ann')
  expect(started).toMatchObject({ status: 'QUEUED', progress: { messages: { done: 0, total: null } } })

  const inTheMiddle = await eventually(async () => {
    const now = await show(started)
    const { done } = now.progress.messages
    return now.status === 'RUNNING' && done > 0 && done < all.length && now
  })
  expect(inTheMiddle.progress).toMatchObject({ folders: { total: 4 }, messages: { total: all.length } })
  const [pid] = await importers()
  const of = (file: string) => readFile(`/proc/${pid}/${file}`, 'latin1')
  expect(await of('cmdline')).not.toContain(sourcePassword)
  expect(await of('environ')).not.toContain(sourcePassword)
  const status = await of('status')
  expect(status).toMatch(/^Uid:\t[1-9]\d*\t/m)
  expect(status).toMatch(/^CapBnd:\t0+$/m)
  expect(await readlink(`/proc/${pid}/ns/net`)).not.toBe(await readlink('/proc/self/ns/net'))
  expect((await of('net/dev')).match(/^ *\w+:/gm)).toEqual(['    lo:'])
  await panel.kill()
  await panel.start()

  expect(await ended(started)).toMatchObject({
    status: 'COMPLETED',
    progress: { folders: { done: 4, total: 4 }, messages: { done: all.length } },
    leftOut: [],
    reason: null
  })
  const found = await idsHere(mailbox.address)
  expect(Object.values(found).flat().sort()).toEqual([...all].sort())
  expect(Object.fromEntries(Object.entries(found).map(([path, ids]) => [path, ids.length]))).toEqual({
    INBOX: 80,
    'Work.2026.Übung': 30,
    Sent: 40,
    Проекты: 30
  })
  const [row] = await panel.query<{ password: string | null }>('select password from mailbox_imports where id = $1', [
    started.id
  ])
  expect(row).toEqual({ password: null })

  const client = await source.open('ann')
  await client.append('INBOX', messageOf('later'))
  await client.logout()
  expect(await ended(await startImport(mailbox, 'ann'))).toMatchObject({
    status: 'COMPLETED',
    progress: { messages: { done: 1, total: 1 } }
  })
  expect(
    Object.values(await idsHere(mailbox.address))
      .flat()
      .sort()
  ).toEqual([...all, 'later'].sort())

  const messages = await exported(`/mailboxes/${mailbox.id}/export`)
  const expected = [...all.map((id) => messageOf(id, 2_000)), messageOf('later')]
  // A Maildir uses bare LF line endings.
  const asKept = (message: Buffer) => message.toString('latin1').replaceAll('\r\n', '\n')
  expect([...messages.values()].sort()).toEqual(expected.map(asKept).sort())
  expect([...messages.keys()].filter((name) => name.startsWith('Maildir/.Sent/'))).toHaveLength(40)
  expect([...messages.keys()].filter((name) => /:2,[A-Z]*S/.test(name)).length).toBeGreaterThan(50)

  await ann.call('DELETE', `/mailboxes/${mailbox.id}`)
  const kept = await eventually(() => exported(`/mail/deleted-mailboxes/${mailbox.id}/export`).catch(() => undefined))
  expect([...kept.values()].sort()).toEqual([...messages.values()].sort())
})

async function exported(path: string): Promise<Map<string, string>> {
  const answer = await fetch(`${panel.url}/api${path}`, { headers: { cookie: ann.cookie } })
  if (answer.status !== 200) throw new Error(await answer.text())
  const tar = extract()
  tar.end(gunzipSync(Buffer.from(await answer.arrayBuffer())))
  const found = new Map<string, string>()
  for await (const entry of tar) {
    const parts: Buffer[] = []
    for await (const part of entry) parts.push(part as Buffer)
    if (/\/(cur|new)\/./.test(entry.header.name)) found.set(entry.header.name, Buffer.concat(parts).toString('latin1'))
  }
  return found
}

test('errors are actionable, and no password is stored', async () => {
  const mailbox = await newMailbox('bob', { quota: 1 })
  const client = await source.open('bob')
  for (let at = 0; at < 8; at++) await client.append('INBOX', messageOf(`big-${at}`, 200_000))
  await client.logout()
  expect(await ended(await startImport(mailbox, 'bob', { password: 'wrong' }))).toMatchObject({
    status: 'FAILED',
    reason: expect.stringContaining('rejected the username or password') as string
  })
  const full = await ended(await startImport(mailbox, 'bob'))
  expect(full).toMatchObject({ status: 'FAILED', reason: expect.stringContaining('Raise its quota') as string })
  const before = (await idsHere(mailbox.address)).INBOX!.length
  expect(before).toBeGreaterThan(1)
  await ann.call('PATCH', `/mailboxes/${mailbox.id}`, { quota: 100 })
  expect(await ended(await startImport(mailbox, 'bob'))).toMatchObject({
    status: 'COMPLETED',
    progress: { messages: { done: 8 - before } }
  })
  expect((await idsHere(mailbox.address)).INBOX).toEqual(Array.from({ length: 8 }, (_, at) => `big-${at}`))
  const rows = await panel.query('select from mailbox_imports where password is not null')
  expect(rows).toEqual([])
  expect(panel.output()).not.toContain(sourcePassword)
})

test('cancelling an import or deleting its mailbox ends it; the next mailbox of the address is empty', async () => {
  const mailbox = await newMailbox('carol')
  const isRunning = (one: MailboxImport) => eventually(async () => (await show(one)).progress.messages.done > 0)
  const first = await startImport(mailbox, 'ann')
  await isRunning(first)
  expect(await importers()).toHaveLength(1)
  await ann.call('POST', `/mailboxes/${mailbox.id}/imports/${first.id}/cancel`)
  expect(await show(first)).toMatchObject({ status: 'CANCELLED' })
  await eventually(async () => (await importers()).length === 0)

  const second = await startImport(mailbox, 'ann')
  await isRunning(second)
  await ann.call('DELETE', `/mailboxes/${mailbox.id}`)
  const next = await newMailbox('carol')
  await eventually(async () => (await importers()).length === 0)
  expect(await idsHere(next.address)).toEqual({})
})
