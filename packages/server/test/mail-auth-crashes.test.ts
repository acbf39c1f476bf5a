import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dkimKeys } from '../src/db/schema/dkim-keys.ts'
import { mailAuthentication } from '../src/db/schema/mail-authentication.ts'
import type { Dependencies } from '../src/dependencies.ts'
import { reconcileZones } from '../src/features/dns-zones/zones.service.ts'
import { deleteDomain } from '../src/features/domains/domains.service.ts'
import { provisionMailAuth } from '../src/features/mail-auth/provisioning.service.ts'
import { retireDkimKey } from '../src/features/mail-auth/retirement.service.ts'
import { rotateDkimKey } from '../src/features/mail-auth/rotation.service.ts'
import { reconcileSigning } from '../src/features/mail-auth/signing.reconcile.ts'
import { createMailbox } from '../src/features/mailboxes/mailboxes.service.ts'
import { reconcileMail } from '../src/features/mailboxes/mail.reconcile.ts'
import type { MemoryDnsServer } from './fakes/memory-dns-server.ts'
import type { MemoryMailSigner } from './fakes/memory-mail-signer.ts'
import { dbSteps, dieAtEveryStep } from './support/death.ts'
import { addManagedDomain, dnsServerOf } from './support/domains.ts'
import { mailPassword, mailServerOf, uniqueDomain } from './support/mail.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let signer: MemoryMailSigner
let dnsServer: MemoryDnsServer
let ann: Client
let now = new Date()
beforeAll(async () => {
  panel = await createTestPanel(
    { DNS_NAMESERVERS: 'ns1.example.net,ns2.example.net', SERVER_IP: '192.0.2.1' },
    { now: () => now }
  )
  signer = panel.deps.mailSigner as MemoryMailSigner
  dnsServer = dnsServerOf(panel)
  ann = await panel.signUp('ann')
})
afterAll(() => panel.close())

const all = () => true
const dieEverywhere = (operation: (deps: Dependencies) => Promise<unknown>, after: () => Promise<void>) =>
  dieAtEveryStep(
    (die) => ({
      ...panel.deps,
      db: die.at(panel.deps.db, dbSteps),
      mailServer: die.at(mailServerOf(panel), (name) => name !== 'readUsage'),
      mailSigner: die.at(signer, all),
      dnsServer: die.at(dnsServer, all)
    }),
    {
      operation,
      async repair() {
        // After the last check of the signer's state.
        now = new Date(now.getTime() + 61_000)
        await reconcileMail(panel.deps)
        await reconcileZones(panel.deps)
        await reconcileSigning(panel.deps)
      },
      after
    }
  )

const keysOf = (domainId: string) => panel.deps.db.select().from(dkimKeys).where(eq(dkimKeys.domainId, domainId))

/** Exactly one key is ACTIVE; the signer has exactly the published keys, and the zone their records. */
async function expectWhole({ id, hostname }: { id: string; hostname: string }) {
  const keys = await keysOf(id)
  const published = keys.filter(({ status }) => status !== 'RETIRED')
  const active = keys.filter(({ status }) => status === 'ACTIVE')
  expect(active).toHaveLength(1)
  const held = signer.keys.get(hostname)!
  expect(held.signsWith).toBe(active[0]!.selector)
  expect(held.keys.map(({ selector }) => selector).toSorted()).toEqual(
    published.map(({ selector }) => selector).toSorted()
  )
  for (const { selector, privateKey } of held.keys) {
    const row = published.find((key) => key.selector === selector)!
    expect(panel.deps.secretBox.open(row.encryptedPrivateKey)).toBe(privateKey)
  }
  const zone = dnsServer.files.get(hostname) ?? ''
  const named = [...zone.matchAll(/^(\S+)\._domainkey /gm)].map(([, selector]) => selector)
  expect(named.toSorted()).toEqual(published.map(({ selector }) => selector).toSorted())
  for (const { publicKey } of published) expect(zone).toContain(publicKey.slice(0, 100))
  for (const { status, encryptedPrivateKey } of keys) expect(encryptedPrivateKey === '').toBe(status === 'RETIRED')
  const [auth] = await panel.deps.db.select().from(mailAuthentication).where(eq(mailAuthentication.domainId, id))
  expect(auth!.appliedRevision).toBe(auth!.revision)
  return keys
}

test('the first mailbox: if it exists, mail is signed and records are served', async () => {
  let domain = await addManagedDomain(ann, uniqueDomain())
  let made = 0
  const deaths = await dieEverywhere(
    (deps) =>
      createMailbox(deps, {}, ann.user.id, {
        domainId: domain.id,
        localPart: 'ann',
        password: mailPassword,
        quota: 5
      }),
    async () => {
      const isMade = (mailServerOf(panel).domains.get(domain.hostname)?.mailboxes ?? []).length === 1
      if (!isMade) {
        expect([await keysOf(domain.id), signer.keys.has(domain.hostname)]).toEqual([[], false])
        return
      }
      made++
      await expectWhole(domain)
      for (const record of ['IN MX 10 mail', 'v=spf1 mx a ip4:192.0.2.1 ~all', 'v=DMARC1; p=none'])
        expect(dnsServer.files.get(domain.hostname)).toContain(record)
      domain = await addManagedDomain(ann, uniqueDomain())
    }
  )
  expect(deaths).toBeGreaterThan(10)
  expect(made).toBeGreaterThan(8)
})

const withKey = async () => {
  const domain = await addManagedDomain(ann, uniqueDomain())
  await provisionMailAuth(panel.deps, {}, ann.user.id, domain.id)
  return domain
}

test('rotation: one key signs, and its record is served', async () => {
  let domain = await withKey()
  let rotated = 0
  const deaths = await dieEverywhere(
    (deps) => rotateDkimKey(deps, {}, ann.user.id, domain.id),
    async () => {
      const keys = await expectWhole(domain)
      expect(keys.map(({ status }) => status).toSorted()).toEqual(
        keys.length === 1 ? ['ACTIVE'] : ['ACTIVE', 'RETIRING']
      )
      if (keys.length === 1) return
      rotated++
      domain = await withKey()
    }
  )
  expect([deaths > 4, rotated > 3]).toEqual([true, true])
})

test('retirement: the key is gone everywhere or nowhere', async () => {
  const rotated = async () => {
    const domain = await withKey()
    const { oldKey } = await rotateDkimKey(panel.deps, {}, ann.user.id, domain.id)
    return { ...domain, keyId: oldKey.id }
  }
  let domain = await rotated()
  let retired = 0
  const deaths = await dieEverywhere(
    (deps) => retireDkimKey(deps, {}, ann.user.id, { domainId: domain.id, keyId: domain.keyId, force: true }),
    async () => {
      const keys = await expectWhole(domain)
      if (keys.find(({ id }) => id === domain.keyId)!.status === 'RETIRING') return
      retired++
      domain = await rotated()
    }
  )
  expect([deaths > 3, retired > 2]).toEqual([true, true])
})

test('a deleted domain leaves no key', async () => {
  let domain = await withKey()
  let deleted = 0
  const deaths = await dieEverywhere(
    (deps) => deleteDomain(deps, {}, ann.user.id, domain.id),
    async () => {
      if ((await keysOf(domain.id)).length > 0) {
        await expectWhole(domain)
        return
      }
      expect(signer.keys.has(domain.hostname)).toBe(false)
      deleted++
      domain = await withKey()
    }
  )
  expect([deaths > 2, deleted > 1]).toEqual([true, true])
})
