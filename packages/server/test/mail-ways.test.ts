import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Transaction } from '../src/db/database.ts'
import { mailAliases } from '../src/db/schema/mail-aliases.ts'
import { countForwarded } from '../src/features/mailboxes/mailbox-access.ts'
import { addVerifiedDomain } from './support/domains.ts'
import { newAlias } from './support/mail.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let ann: Client
beforeAll(async () => {
  panel = await createTestPanel({ PANEL_MOCK_DNS: 'true' })
  ann = await panel.signUp('ann')
})
afterAll(() => panel?.close())

const aliases = 1_000
const targets = 50

/** A domain with the maximum number of aliases, each with the maximum number of targets. */
async function addAliases(name: string, of: (alias: number, target: number) => string): Promise<void> {
  const { id: domainId } = await addVerifiedDomain(ann, name)
  await newAlias(ann, domainId, 'first', 'someone@elsewhere.example')
  const rows = Array.from({ length: aliases - 1 }, (_, alias) => ({
    id: `${name}-${alias}`,
    domainId,
    localPart: `a${alias}`,
    targets: Array.from({ length: targets }, (_target, target) => of(alias, target))
  }))
  await panel.deps.db.insert(mailAliases).values(rows)
}

/** Index lookups in the alias table by this transaction. */
async function lookUps(trx: Transaction): Promise<number> {
  const { rows } = await trx.execute<{ count: number }>(
    sql`select (seq_scan + coalesce(idx_scan, 0))::int as count from pg_stat_xact_user_tables where relname = 'mail_aliases'`
  )
  return rows[0]!.count
}

const follow = (...to: string[]) =>
  panel.deps.db.transaction(async (trx) => {
    const before = await lookUps(trx)
    const found = await countForwarded(trx, to)
    return {
      addresses: found.reduce((sum, { addresses }) => sum + addresses, 0),
      lookUps: (await lookUps(trx)) - before
    }
  })

// At most one lookup per address for its alias and one for the owner of its domain.
const mostLookUps = 2 * 2_000 + 200

test('aliases in loops are followed to the end once', async () => {
  await addAliases('ring.test', (alias, target) => `a${(alias * 7 + target * 13) % (aliases - 1)}@ring.test`)
  const { addresses, lookUps: found } = await follow('a1@ring.test', 'a2@ring.test')
  expect(addresses).toBe(0)
  expect(found).toBeGreaterThan(900)
  expect(found).toBeLessThan(mostLookUps)
})

test('growing alias chains are limited', async () => {
  await addAliases('tree.test', (alias, target) =>
    target < 25 ? `a${(alias * 25 + target) % (aliases - 1)}@tree.test` : `x${alias}-${target}@elsewhere.example`
  )
  const { addresses, lookUps: found } = await follow('a0@tree.test', 'a1@tree.test')
  // More than Postfix accepts, so more than anyone can forward.
  expect(addresses).toBeGreaterThan(1_000)
  expect(addresses).toBeLessThanOrEqual(2_000)
  expect(found).toBeLessThan(mostLookUps)
})

test('a message to all costs as much as to one', async () => {
  const everybody = Array.from({ length: aliases - 1 }, (_, alias) => `a${alias}@tree.test`)
  const { addresses, lookUps: found } = await follow(...everybody)
  expect(addresses).toBeGreaterThan(0)
  expect(found).toBeLessThan(mostLookUps)
})
