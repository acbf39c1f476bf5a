import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { Delivery, DeliveryLog } from '@panel/contract/delivery-log'
import type { MailDomainList } from '@panel/contract/mail-auth'
import type { MailQueueList } from '@panel/contract/mail-queue'
import type { Mailbox } from '@panel/contract/mailboxes'
import { type MailPaths, mailPaths } from '../../packages/server/src/infra/mail-server/mail-paths.ts'
import { findByDirectory } from '../../packages/server/src/infra/process/find-by-directory.ts'
import { mailDirectories } from '../../packages/server/src/process/paths.ts'
import { canLogIn, eventually, password, send } from './servers.harness.ts'
import type { MailPorts } from '../support/mail-panel.ts'
import type { Client, RunningPanel } from '../support/panel.ts'
import { kill } from '../support/processes.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'

/**
 * kill -9 of the panel, Postfix and Dovecot during changes while mail flows. Accepted messages are counted by queue id.
 */
let world: World
let panel: RunningPanel
let ports: MailPorts
let paths: MailPaths
let user: Client
let domainId: string
let [keep, guest] = ['', '']
beforeAll(async () => {
  world = await sharedWorld()
  ;({ panel, ports } = world)
  paths = mailPaths(await mailDirectories({ DATA_DIR: panel.dataDir }))
  user = await panel.signUp()
  const { id, hostname } = await world.addManaged(world.newName('kills'), user)
  domainId = id
  ;[keep, guest] = [`keep@${hostname}`, `guest@${hostname}`]
  await newMailbox('keep')
})

const newMailbox = (localPart: string) => user.call<Mailbox>('POST', '/mailboxes', { domainId, localPart, password })

const taken = new Map<string, string>()
let isSending = false
async function keepSending(from: 'inside' | 'outside', to: string): Promise<void> {
  for (let number = 1; isSending; number++) {
    const subject = `${from} ${to.split('@')[0]} ${number}`
    const sender =
      from === 'inside'
        ? { port: ports.SUBMISSION, as: keep, from: keep }
        : { port: ports.SMTP, from: 'eve@elsewhere.example' }
    const { code, text } = await send({ ...sender, to, subject })
    const id = /queued as (\w+)/.exec(text)?.[1]
    if (code === 250 && id !== undefined) taken.set(id, subject)
    await sleep(150)
  }
}

const victims = {
  panel: async () => {
    await panel.kill()
    await panel.start()
  },
  postfix: () => killAll([paths.postfix.queue], join(paths.postfix.queue, 'pid', 'master.pid')),
  dovecot: () => {
    const { base, pid } = paths.dovecot
    return killAll([base, ...['login', 'empty', 'token-login'].map((name) => join(base, name))], pid)
  }
}

async function killAll(directories: readonly string[], pidFile: string): Promise<void> {
  const found = await Promise.all(directories.map((directory) => findByDirectory(directory, pidFile)))
  const all = new Set(found.flatMap((each) => each.all))
  expect(all.size).toBeGreaterThan(1)
  for (const pid of all) kill(pid, 'SIGKILL')
}

const findGuest = async () =>
  (await user.call<{ mailboxes: Mailbox[] }>('GET', '/mailboxes?limit=100')).mailboxes.find(
    ({ address }) => address === guest
  )

const operations = {
  create: () => newMailbox('guest'),
  delete: async () => {
    const { id } = (await findGuest())!
    return user.request('DELETE', `/mailboxes/${id}`)
  },
  rotate: () => user.call('POST', `/mail/dkim/${domainId}/rotate`)
}

const repaired = {
  create: async () => {
    await eventually(async () => (await findGuest()) ?? (await newMailbox('guest').catch(() => undefined)))
    await eventually(() => canLogIn(ports.IMAPS, guest).catch(() => false))
  },
  delete: async () => {
    await eventually(async () => {
      const found = await findGuest()
      if (found) await user.request('DELETE', `/mailboxes/${found.id}`)
      return !found
    })
    await eventually(async () => !(await canLogIn(ports.IMAPS, guest).catch(() => true)))
  },
  rotate: () =>
    eventually(async () => {
      const [listed] = (await user.call<MailDomainList>('GET', '/mail/domains')).domains
      return listed?.dkimEnabled && listed.deliverabilityScore === 100
    })
}

// Also after a failed attempt: nothing may carry over to the next one.
afterEach(() => {
  isSending = false
  taken.clear()
})

test('no accepted message is lost when servers are killed during mailbox and key changes', async () => {
  isSending = true
  const sending = [keepSending('inside', keep), keepSending('outside', keep), keepSending('outside', guest)]
  const killed: string[] = []
  for (const [operation, victim] of [
    ['create', 'panel'],
    ['rotate', 'panel'],
    ['delete', 'panel'],
    ['create', 'postfix'],
    ['delete', 'dovecot']
  ] as const) {
    if (operation === 'create') await repaired.delete()
    if (operation === 'delete') await repaired.create()
    const under = operations[operation]().catch(() => undefined)
    await sleep(40 * killed.length)
    await victims[victim]()
    await under
    await repaired[operation]()
    const before = taken.size
    await eventually(async () => taken.size > before)
    killed.push(`${victim} at ${operation}`)
  }
  isSending = false
  await Promise.all(sending)
  expect(killed).toHaveLength(5)

  const ended = await eventually(async () => {
    await world.ann.call('POST', '/mail/queue/flush')
    const queued = new Set(
      (await world.ann.call<MailQueueList>('GET', '/mail/queue?limit=100')).messages.map(({ queueId }) => queueId)
    )
    return [...taken.keys()].some((id) => queued.has(id)) ? undefined : statusById(await allDeliveries())
  })
  const stored = await allStored()
  // The log may miss lines after the kill, so check the stored mail.
  const lost = [...taken].filter(([id, subject]) => !stored.has(subject) && ended.get(id) !== 'bounced')
  expect(lost).toEqual([])
  const statuses = [...taken].map(([id, subject]) => [ended.get(id), subject] as const)
  expect(statuses.filter(([status, subject]) => status === 'bounced' && !subject.includes('guest'))).toEqual([])
  for (const kind of ['inside keep', 'outside keep', 'outside guest'])
    expect([kind, statuses.some(([, subject]) => subject.startsWith(kind))]).toEqual([kind, true])
})

async function allDeliveries(): Promise<Delivery[]> {
  const found: Delivery[] = []
  for (let page = 1; ; page++) {
    const { deliveries, pagination } = await world.ann.call<DeliveryLog>('GET', `/mail/logs?limit=200&page=${page}`)
    found.push(...deliveries)
    if (page >= pagination.totalPages) return found
  }
}

/** Final status of each message; the list is newest first. */
function statusById(deliveries: readonly Delivery[]): Map<string, Delivery['status']> {
  const last = new Map<string, Delivery['status']>()
  for (const { queueId, status } of deliveries.toReversed()) if (queueId !== null) last.set(queueId, status)
  return last
}

async function allStored(): Promise<Set<string>> {
  const subjects = new Set<string>()
  for (const directory of [paths.mail, paths.kept])
    for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\/(?:new|cur)$/.test(entry.parentPath)) continue
      const text = await readFile(join(entry.parentPath, entry.name), 'latin1')
      const subject = /^Subject: (.*?)\r?$/m.exec(text)?.[1]
      if (subject !== undefined) subjects.add(subject)
    }
  return subjects
}
