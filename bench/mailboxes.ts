import { setTimeout as sleep } from 'node:timers/promises'
import type { ImapFlow } from 'imapflow'
import type { Mailbox, MailSyncResult } from '@panel/contract/mailboxes'
import { openImap, password, send } from '../e2e/mail/servers.harness.ts'
import { type Client, type RunningPanel, startMeasuredPanel } from './panel.ts'
import { freePort } from '../packages/server/test/support/ports.ts'
import { median, report } from './figures.ts'
import { reportMailMemory } from './mail-memory.ts'
import { step } from './step.ts'

const sizes = [10, 1_000]
const mailboxesEach = 10
const rounds = 15
const logIns = 100
const portNames = [
  'SMTP',
  'SUBMISSION',
  'SUBMISSIONS',
  'IMAP',
  'IMAPS',
  'MANAGESIEVE',
  'LMTP',
  'MAIL_AUTH',
  'MAIL_QUOTA',
  'MAIL_POLICY'
]

interface Figures {
  sync: number
  created: number
  delivered: number
  logIn: number
}

/**
 * One domain given to the mail servers anew, a mailbox made until it can log in, a message until it is in the mailbox, and a log-in: among 10 domains
 * and among 1,000, of ten mailboxes each. Then a log-in while a hundred others are under way, and what the servers hold of memory at rest.
 */
export async function benchMailboxes(): Promise<void> {
  const ports = Object.fromEntries(
    await Promise.all(portNames.map(async (name) => [`${name}_PORT`, String(await freePort())] as const))
  )
  const panel = await startMeasuredPanel({
    ...ports,
    MAIL: 'on',
    PANEL_MOCK_DNS: 'true',
    PANEL_DOMAIN: 'panel.test',
    DEFAULT_MAX_MAILBOXES: 'unlimited',
    DEFAULT_MAX_DISK_MB: 'unlimited'
  })
  try {
    const client = await panel.signUp()
    const others = await panel.signUp()
    const { id: othersId } = await others.call<{ id: string }>('GET', '/auth/me')
    const domain = await client.call<{ id: string }>('POST', '/domains', { hostname: 'measured.example' })
    await client.call('POST', `/domains/${domain.id}/verify?mock=true`)
    await client.call<Mailbox>('POST', '/mailboxes', { domainId: domain.id, localPart: 'ann', password })
    const figures = new Map<number, Figures>()
    let there = 1
    await step('settling', () => sleep(30_000)) // What a start leaves behind is done by then.
    await reportMailMemory(panel, 'the mail servers at rest, 1 domain')
    for (const size of sizes) {
      await step(`adding domains up to ${size} and waiting until they are served`, async () => {
        await addDomains(panel, othersId, there, size)
        await untilServed(panel)
      })
      there = size
      const [smtp, imaps] = [Number(ports.SMTP_PORT), Number(ports.IMAPS_PORT)]
      figures.set(size, await step(`measuring among ${size} domains`, () => measure(client, domain.id, smtp, imaps)))
    }
    const labels: Record<keyof Figures, string> = {
      sync: 'a domain given to the servers anew',
      created: 'a mailbox made, until it logs in',
      delivered: 'a message, until it is read',
      logIn: 'a log-in and -out'
    }
    const [few, many] = sizes.map((size) => figures.get(size)!) as [Figures, Figures]
    for (const [name, label] of Object.entries(labels) as [keyof Figures, string][]) {
      report(`${label}, ${sizes[0]! * mailboxesEach} mailboxes`, `${few[name].toFixed(1)} ms`)
      report(`${label}, ${(sizes[1]! * mailboxesEach).toLocaleString('en')}`, `${many[name].toFixed(1)} ms`, {
        value: many[name] / few[name],
        aim: '<= 2x'
      })
    }
    await step(`a log-in beside ${logIns} others`, () => benchLogInAmongOthers(Number(ports.IMAPS_PORT), many.logIn))
    await step('settling', () => sleep(30_000))
    await reportMailMemory(panel, `the mail servers at rest, ${there.toLocaleString('en')} domains`)
  } finally {
    await panel.dispose()
  }
}

/** Rows as the panel itself makes them; through the API 10,000 hashes of passwords would take longer than the measurement. */
async function addDomains(panel: RunningPanel, userId: string, from: number, to: number): Promise<void> {
  const numbers = `generate_series(${from}, ${to - 1}) as n`
  const name = `'m' || n || '.others.example'`
  for (const statement of [
    `insert into domains (id, user_id, hostname, status, verified_at) select 'm' || n, $1, ${name}, 'ACTIVE', now() from ${numbers}`,
    `insert into host_names (hostname, user_id) select ${name}, $1 from ${numbers}`
  ])
    await panel.query(statement, [userId])
  await panel.query(`insert into mail_domains (domain_id, name) select 'm' || n, ${name} from ${numbers}`)
  await panel.query(
    `insert into mailboxes (id, domain_id, domain_name, user_id, node_id, local_part, password_hash, quota_mb)
       select 'm' || n || '-' || k, 'm' || n, ${name}, $1, b.node_id, 'u' || k, b.password_hash, 1024
       from ${numbers}, generate_series(1, ${mailboxesEach}) as k, (select node_id, password_hash from mailboxes where local_part = 'ann') as b`,
    [userId]
  )
}

async function untilServed(panel: RunningPanel): Promise<void> {
  for (;;) {
    const [outdated] = await panel.query<{ count: string }>(
      'select count(*) from mail_domains where applied_revision <> revision'
    )
    if (outdated!.count === '0') return
    await sleep(1_000)
  }
}

async function measure(client: Client, domainId: string, smtp: number, imaps: number): Promise<Figures> {
  return {
    sync: await medianOf(async () => {
      const { success } = await client.call<MailSyncResult>('POST', '/mail/sync')
      if (!success) throw new Error('not synchronized')
    }),
    created: await medianOf(async (round) => {
      const localPart = `new${round}${Date.now()}`
      await client.call<Mailbox>('POST', '/mailboxes', { domainId, localPart, password })
      await logIn(imaps, `${localPart}@measured.example`)
    }),
    delivered: await medianOf(async () => {
      const imap = await openImap(imaps, 'ann@measured.example')
      try {
        const before = await count(imap)
        const { code, text } = await send({
          port: smtp,
          from: 'bob@elsewhere.example',
          to: 'ann@measured.example',
          plain: true
        })
        if (code !== 250) throw new Error(text)
        while ((await count(imap)) === before);
      } finally {
        await imap.logout()
      }
    }),
    logIn: await medianOf(() => logIn(imaps, 'ann@measured.example'))
  }
}

async function count(imap: ImapFlow): Promise<number | undefined> {
  const status = await imap.status('INBOX', { messages: true })
  return status ? status.messages : undefined
}

async function logIn(port: number, user: string): Promise<void> {
  await (await openImap(port, user)).logout()
}

async function benchLogInAmongOthers(port: number, alone: number): Promise<void> {
  let isOn = true
  let done = 0
  const all = Promise.all(
    Array.from({ length: logIns }, async (_, n) => {
      while (isOn) {
        await logIn(port, `u${(n % mailboxesEach) + 1}@m${n + 1}.others.example`)
        done++
      }
    })
  )
  const started = performance.now()
  const beside = await medianOf(() => logIn(port, 'ann@measured.example'))
  const seconds = (performance.now() - started) / 1000
  isOn = false
  await all
  report(`a log-in while ${logIns} others are under way`, `${beside.toFixed(0)} ms`, { value: beside / alone })
  report('  log-ins meanwhile', `${(done / seconds).toFixed(0)}/s`)
}

async function medianOf(work: (round: number) => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const started = performance.now()
    await work(round)
    if (round > 0) times.push(performance.now() - started) // After one to warm up.
  }
  return median(times)
}
