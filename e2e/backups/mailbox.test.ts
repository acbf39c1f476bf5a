import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Schema, unwrap } from '@panel/client'
import type { Mailbox } from '@panel/contract/mailboxes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, openImap, password, readInbox, send } from '../mail/servers.harness.ts'
import type { MailPorts } from '../support/mail-panel.ts'
import { at, type Client } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { sharedWorld } from '../support/shared-world.ts'

let ports: MailPorts
let admin: Client
let ann: Client
let mailbox: Mailbox
let directory: string
let targetId: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'panel-mailbox-'))
  await mkdir(join(directory, 'disk'))
  const world = await sharedWorld()
  ports = world.ports
  admin = await world.panel.signUp()
  const { id } = await admin.call<{ id: string }>('GET', '/auth/me')
  await world.panel.query(`update users set role = 'ADMIN' where id = $1`, [id])
  ann = await world.panel.signUp()
  const domain = await world.addManaged(undefined, ann)
  mailbox = await ann.call<Mailbox>('POST', '/mailboxes', { domainId: domain.id, localPart: 'ann', password })
  const body = { kind: 'FOLDER' as const, name: 'Disk of the mailbox', path: join(directory, 'disk/panel') }
  const target = await unwrap(admin.api.POST('/api/backups/targets', { body }))
  targetId = target.id
  await unwrap(admin.api.POST('/api/backups/targets/{id}/confirm', { ...at(target.id), body: { key: target.key } }))
})
afterAll(async () => {
  if (targetId) await admin.request('DELETE', `/backups/targets/${targetId}`)
  await rm(directory, { recursive: true, force: true })
})

async function arrive(subject: string): Promise<void> {
  await send({ port: ports.SMTP, from: 'bob@elsewhere.example', to: mailbox.address, subject, plain: true })
  await eventually(async () => (await readInbox(ports.IMAPS, mailbox.address)).some((text) => text.includes(subject)))
}

/** What a mail program compares with its copy: of each folder its validity, and of each message UID, flags and subject. */
async function stateOf() {
  const client = await openImap(ports.IMAPS, mailbox.address)
  try {
    const folders = (await client.list()).map(({ path, subscribed }) => ({ path, subscribed }))
    const found = []
    for (const { path, subscribed } of folders.sort((a, b) => a.path.localeCompare(b.path))) {
      const lock = await client.getMailboxLock(path)
      try {
        const messages = await client.fetchAll('1:*', { uid: true, flags: true, envelope: true }).catch(() => [])
        const opened = client.mailbox
        found.push({
          path,
          subscribed,
          uidValidity: opened === false ? '' : String(opened.uidValidity),
          messages: messages.map(({ uid, flags, envelope }) => [uid, [...(flags ?? [])].filter((flag) => flag !== '\\Recent').sort(), envelope?.subject]) // oxfmt-ignore
        })
      } finally {
        lock.release()
      }
    }
    return found
  } finally {
    await client.logout()
  }
}

test('a restored mailbox has messages, flags, folders and UIDs of the backup; newer mail is kept for undoing', async () => {
  await arrive('first')
  await arrive('second')
  const client = await openImap(ports.IMAPS, mailbox.address)
  await client.mailboxCreate('Work')
  await client.mailboxSubscribe('Work')
  const lock = await client.getMailboxLock('INBOX')
  await client.messageFlagsAdd('1', ['\\Flagged', '\\Seen', 'keyword'])
  await client.messageCopy('1', 'Work')
  lock.release()
  await client.logout()
  const before = await stateOf()

  await unwrap(admin.api.POST('/api/backups', { body: { subject: 'PANEL', targetId } }))
  const list = async () => (await unwrap(ann.api.GET('/api/mailboxes/{id}/backups', at(mailbox.id)))).backups
  const [backup] = await until(list, (backups) => backups.length > 0)

  await arrive('after the backup')
  const changed = await openImap(ports.IMAPS, mailbox.address)
  await changed.mailboxDelete('Work')
  const inbox = await changed.getMailboxLock('INBOX')
  await changed.messageDelete('1')
  inbox.release()
  await changed.logout()
  const after = await stateOf()

  const params = { path: { id: mailbox.id, backupId: backup!.id } }
  const { id } = await unwrap(ann.api.POST('/api/mailboxes/{id}/backups/{backupId}/restore', { params }))
  const find = async (): Promise<Schema<'Restore'>> =>
    (await unwrap(ann.api.GET('/api/mailboxes/{id}/restores', at(mailbox.id)))).restores.find((each) => each.id === id)!
  const ended = await until(find, ({ endedAt }) => endedAt !== null)
  expect([ended.status, ended.problem]).toEqual(['COMPLETED', null])
  expect(await stateOf()).toEqual(before)

  // Mail programs see new mail, because its UIDs are higher than those they know.
  await arrive('after the restore')
  const undo = { params: { path: { id: mailbox.id, restoreId: id } } }
  await unwrap(ann.api.POST('/api/mailboxes/{id}/restores/{restoreId}/undo', undo))
  expect(await stateOf()).toEqual(after)
})
