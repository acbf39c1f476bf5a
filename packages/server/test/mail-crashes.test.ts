import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailDomains } from '../src/db/schema/mail-domains.ts'
import { mailboxes } from '../src/db/schema/mailboxes.ts'
import type { Dependencies } from '../src/dependencies.ts'
import { features } from '../src/features/index.ts'
import type { DomainRow, Feature } from '../src/features/feature.ts'
import { applyMailDomain } from '../src/features/mailboxes/mail-apply.service.ts'
import { deleteMailbox, restoreMailbox } from '../src/features/mailboxes/mailbox-removal.service.ts'
import { changeMailbox, createMailbox } from '../src/features/mailboxes/mailboxes.service.ts'
import { purgeKeptMail } from '../src/features/mailboxes/purge.jobs.ts'
import { reconcileMail } from '../src/features/mailboxes/mail.reconcile.ts'
import { deleteDomain } from '../src/features/domains/domains.service.ts'
import type { MailServer } from '../src/infra/mail-server/mail-server.ts'
import type { MemoryMailServer } from './fakes/memory-mail-server.ts'
import { dbSteps, dieAtEveryStep } from './support/death.ts'
import { addVerifiedDomain } from './support/domains.ts'
import { mailPassword, mailServerOf, newMailbox, uniqueDomain } from './support/mail.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const followed = new Set<string>()
const following: Feature = {
  name: 'follower',
  domain: {
    async firstMailbox(_deps, { hostname }: DomainRow) {
      followed.add(hostname)
    }
  }
}

let panel: TestPanel
let server: MemoryMailServer
let ann: Client
let now: Date | undefined
beforeAll(async () => {
  panel = await createTestPanel({}, { features: [...features, following], now: () => now ?? new Date() })
  server = mailServerOf(panel)
  ann = await panel.signUp('ann')
})
afterAll(() => panel.close())

const newDomain = () => addVerifiedDomain(ann, uniqueDomain())
const rowsOf = (name: string) => panel.deps.db.select().from(mailboxes).where(eq(mailboxes.domainName, name))
const liveOf = async (name: string) => (await rowsOf(name)).filter(({ deletedAt }) => deletedAt === null)

const dieEverywhere = (operation: (deps: Dependencies) => Promise<unknown>, after: () => Promise<void>) =>
  dieAtEveryStep(
    (die) => ({
      ...panel.deps,
      db: die.at(panel.deps.db, dbSteps),
      mailServer: die.at<MailServer>(server, (name) => name !== 'readUsage')
    }),
    { operation, repair: () => reconcileMail(panel.deps), after }
  )

/** Mail servers match the database, and all mail is in the right mailbox. */
async function expectWhole(name: string): Promise<void> {
  const live = await liveOf(name)
  const served = server.domains.get(name)?.mailboxes ?? []
  expect(served.map(({ localPart, passwordHash, quotaMb }) => [localPart, passwordHash, quotaMb]).toSorted()).toEqual(
    live.map(({ localPart, passwordHash, quotaMb }) => [localPart, passwordHash, quotaMb]).toSorted()
  )
  for (const row of await rowsOf(name))
    expect([row.deletedAt === null, row.keptAt === null]).toEqual([row.deletedAt === null, row.deletedAt === null])
  const [domain] = await panel.deps.db.select().from(mailDomains).where(eq(mailDomains.name, name))
  if (domain) expect([domain.appliedRevision, domain.isOpening]).toEqual([domain.revision, false])
}

test('creation: exists and served, or not at all', async () => {
  const { id, hostname } = await newDomain()
  let at = 0
  let isFollowed = false
  const deaths = await dieEverywhere(
    (deps) =>
      createMailbox(deps, {}, ann.user.id, { domainId: id, localPart: `a${at}`, password: mailPassword, quota: 5 }),
    async () => {
      await expectWhole(hostname)
      const made = await liveOf(hostname)
      if (made.length > 0) isFollowed ||= followed.has(hostname)
      expect(isFollowed).toBe(made.length > 0)
      for (const row of made) await deleteMailbox(panel.deps, {}, ann.user.id, row.id)
      followed.delete(hostname)
      isFollowed = false
      at++
    }
  )
  expect(deaths).toBeGreaterThan(5)
})

test('a password change: valid, with old sessions ended', async () => {
  const { id, hostname } = await newDomain()
  const mailbox = await newMailbox(ann, id)
  server.ended.length = 0
  let changed = 0
  let before = (await liveOf(hostname))[0]!.passwordHash
  const deaths = await dieEverywhere(
    (deps) => changeMailbox(deps, {}, ann.user.id, mailbox.id, { password: 'quite another one' }),
    async () => {
      await expectWhole(hostname)
      const [row] = await liveOf(hostname)
      const isChanged = row!.passwordHash !== before
      if (isChanged) changed++
      before = row!.passwordHash
      expect(row!.sessionsRevision).toBe(row!.passwordRevision)
      // Ending the session twice is harmless.
      expect(server.ended.includes(mailbox.address)).toBe(isChanged)
      server.ended.length = 0
    }
  )
  expect([deaths > 4, changed > 3]).toEqual([true, true])
})

test('deletion and recreation: no mail is lost or exposed', async () => {
  const { id, hostname } = await newDomain()
  const messages = new Map<string, string>()
  let mailbox = await newMailbox(ann, id)
  const deliver = () => {
    messages.set(mailbox.id, `of ${mailbox.id}`)
    expect(server.deliver(mailbox.address, `of ${mailbox.id}`)).toBe(true)
  }
  deliver()
  const deaths = await dieEverywhere(
    async (deps) => {
      await deleteMailbox(deps, {}, ann.user.id, mailbox.id)
      await createMailbox(deps, {}, ann.user.id, { domainId: id, localPart: 'ann', password: mailPassword, quota: 5 })
    },
    async () => {
      await expectWhole(hostname)
      const [live] = await liveOf(hostname)
      for (const [mailboxId, message] of messages) {
        const lies = mailboxId === live?.id ? server.mail.get(`ann@${hostname}`) : server.kept.get(mailboxId)
        expect([mailboxId, lies]).toEqual([mailboxId, [message]])
      }
      if (live && !messages.has(live.id)) expect(server.mail.get(`ann@${hostname}`) ?? []).toEqual([])
      if (live?.id === mailbox.id) return
      mailbox = live ? { ...mailbox, id: live.id } : await newMailbox(ann, id)
      deliver()
    }
  )
  expect(deaths).toBeGreaterThan(10)
})

test('restoration: deleted with its mail, or served with it', async () => {
  const { id, hostname } = await newDomain()
  const mailbox = await newMailbox(ann, id)
  server.deliver(mailbox.address, 'a message')
  await deleteMailbox(panel.deps, {}, ann.user.id, mailbox.id)
  const deaths = await dieEverywhere(
    (deps) => restoreMailbox(deps, {}, ann.user.id, mailbox.id),
    async () => {
      await expectWhole(hostname)
      const isLive = (await liveOf(hostname)).length === 1
      expect([server.mail.get(mailbox.address), server.kept.get(mailbox.id)]).toEqual(
        isLive ? [['a message'], undefined] : [undefined, ['a message']]
      )
      if (isLive) await deleteMailbox(panel.deps, {}, ann.user.id, mailbox.id)
    }
  )
  expect(deaths).toBeGreaterThan(5)
})

test('domain deletion: with its mailboxes, whose mail is kept', async () => {
  let domain = await newDomain()
  let mailbox = await newMailbox(ann, domain.id)
  server.deliver(mailbox.address, 'a message')
  const deaths = await dieEverywhere(
    (deps) => deleteDomain(deps, {}, ann.user.id, domain.id),
    async () => {
      now = new Date((now ?? new Date()).getTime() + 120_000)
      await reconcileMail(panel.deps)
      await expectWhole(domain.hostname)
      if ((await liveOf(domain.hostname)).length === 1) {
        expect(server.mail.get(mailbox.address)).toEqual(['a message'])
        return
      }
      expect([server.domains.has(domain.hostname), server.kept.get(mailbox.id)]).toEqual([false, ['a message']])
      domain = await newDomain()
      mailbox = await newMailbox(ann, domain.id)
      server.deliver(mailbox.address, 'a message')
    }
  )
  expect(deaths).toBeGreaterThan(3)
  now = undefined
})

test('purging: the row outlives the mail', async () => {
  const { id } = await newDomain()
  const mailbox = await newMailbox(ann, id)
  server.deliver(mailbox.address, 'a message')
  await deleteMailbox(panel.deps, {}, ann.user.id, mailbox.id)
  now = new Date(Date.now() + 15 * 24 * 3600 * 1000)
  const deaths = await dieEverywhere(purgeKeptMail, async () => {
    const isThere = (await rowsOf(mailbox.address.split('@')[1]!)).length === 1
    if (!isThere) expect(server.kept.has(mailbox.id)).toBe(false)
  })
  expect(deaths).toBeGreaterThan(0)
  expect(await rowsOf(mailbox.address.split('@')[1]!)).toEqual([])
  now = undefined
})

test('ten concurrent syncs of a domain match the database', async () => {
  const { id, hostname } = await newDomain()
  await newMailbox(ann, id)
  await Promise.all(
    Array.from({ length: 10 }, async (_, at) => {
      await newMailbox(ann, id, { localPart: `b${at}` })
      await applyMailDomain(panel.deps, hostname)
    })
  )
  await expectWhole(hostname)
  expect(await liveOf(hostname)).toHaveLength(11)
})
