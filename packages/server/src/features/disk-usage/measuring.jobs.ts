import type { DiskUsageKind } from '@panel/contract/disk-usage'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { recordAudit } from '../audit/recording.service.ts'
import { evaluateUsage, filesLimit, limitBytesOf } from './disk-usage.policy.ts'
import { recordDay } from './disk-usage-history.repository.ts'
import {
  clearOver,
  type DiskAccount,
  listDiskAccounts,
  listUsage,
  markOver,
  saveUsage
} from './disk-usage.repository.ts'

const accountsAtOnce = 100
const historyDays = 400
const nearFrom = 0.9

export async function measureDisk(deps: Dependencies): Promise<void> {
  for (let after = ''; ;) {
    const accounts = await listDiskAccounts(deps.db, after, accountsAtOnce)
    if (accounts.length > 0) await measureAccounts(deps, accounts)
    if (accounts.length < accountsAtOnce) break
    after = accounts.at(-1)!.id
  }
  await recordDay(deps.db, deps.now(), historyDays)
}

async function measureAccounts(deps: Dependencies, accounts: readonly DiskAccount[]): Promise<void> {
  const before = await usageByAccount(deps, accounts)
  const measured = new Map<DiskUsageKind, ReadonlyMap<string, number>>()
  const unknown = new Set<DiskUsageKind>()
  for (const { diskUsage } of deps.features) {
    if (!diskUsage) continue
    const { kind, measure } = diskUsage
    try {
      measured.set(kind, added(measured.get(kind), await measure(deps, accounts)))
    } catch (error) {
      // Keeps the previous values.
      unknown.add(kind)
      deps.logger.warn({ kind, error: messageOf(error) }, 'could not measure disk usage')
    }
  }
  for (const kind of unknown) measured.delete(kind)
  const owned = await measureOwned(deps, accounts)
  const files = measured.get('FILES')
  if (files)
    measured.set('FILES', new Map([...files].map(([id, bytes]) => [id, Math.max(0, bytes - (owned.get(id) ?? 0))])))
  for (const [kind, bytes] of measured)
    await saveUsage(deps.db, kind, new Map(accounts.map(({ id }) => [id, bytes.get(id) ?? 0])), deps.now())
  const after = await usageByAccount(deps, accounts)
  await limitFiles(deps, accounts, after, owned)
  for (const account of accounts)
    await enforceLimit(deps, account, sumOf(before.get(account.id)), sumOf(after.get(account.id)) ?? 0)
}

/** Several features may hold data of one kind. */
const added = (some: ReadonlyMap<string, number> = new Map(), more: ReadonlyMap<string, number>) =>
  new Map([...some.keys(), ...more.keys()].map((id) => [id, (some.get(id) ?? 0) + (more.get(id) ?? 0)]))

/** Container and image layers that the file system attributes to the account's uid: they would count twice. */
async function measureOwned(deps: Dependencies, accounts: readonly DiskAccount[]): Promise<Map<string, number>> {
  const owned = new Map<string, number>()
  try {
    if (!(await deps.accountDisk.covers(await deps.engine.storageDirectory()))) return owned
    for (const { diskUsage } of deps.features)
      for (const [id, bytes] of (await diskUsage?.measureOwned?.(deps, accounts)) ?? [])
        owned.set(id, (owned.get(id) ?? 0) + bytes)
  } catch (error) {
    // Counted twice until the engine is back: the account gets less room for that time, never more.
    deps.logger.warn({ error: messageOf(error) }, 'could not measure account data in the engine storage')
  }
  return owned
}

async function limitFiles(
  { accountDisk, logger }: Dependencies,
  accounts: readonly DiskAccount[],
  usage: Usage,
  owned: ReadonlyMap<string, number>
): Promise<void> {
  const limits = accounts.map(({ id, uid, maxDiskMb }) => {
    const kinds = usage.get(id)
    const counted = (kinds?.get('FILES') ?? 0) + (owned.get(id) ?? 0)
    return [uid, filesLimit(limitBytesOf(maxDiskMb), sumOf(kinds) ?? 0, counted)] as const
  })
  await accountDisk
    .limit(new Map(limits))
    .catch((error: unknown) => logger.warn({ error: messageOf(error) }, 'could not update file system quotas'))
}

/** An account that was deleted or got another limit in the meantime is handled in the next run. */
async function enforceLimit(
  deps: Dependencies,
  account: DiskAccount,
  before: number | undefined,
  total: number
): Promise<void> {
  const limit = limitBytesOf(account.maxDiskMb)
  const facts = { limit, before, total, overSince: account.diskOverSince, now: deps.now() }
  const verdict = evaluateUsage({ ...facts, graceSeconds: deps.config.DISK_GRACE_SECONDS })
  // Near its limit: quota-alerts decides whether to notify.
  if (limit !== null && limit > 0 && total >= limit * nearFrom)
    await deps.db.transaction((trx) =>
      deps.jobs.enqueue(trx, 'quotas.check', { userId: account.id }, { key: account.id })
    )
  if (verdict === 'fits' && account.diskOverSince !== null) await clearOver(deps.db, account.id)
  if (verdict === 'warn') {
    await deps.db.transaction(async (trx) => {
      if (!(await markOver(trx, account.id, deps.now()))) return
      const metadata = { usedBytes: total, limitBytes: limit }
      await recordAudit(deps, trx, {}, { action: 'user.disk_exceeded', actorId: null, targetId: account.id, metadata })
    })
  }
  if (verdict === 'halt') for (const { diskUsage } of deps.features) await diskUsage?.halt?.(deps, account.id)
}

type Usage = ReadonlyMap<string, ReadonlyMap<DiskUsageKind, number>>

async function usageByAccount({ db }: Pick<Dependencies, 'db'>, accounts: readonly DiskAccount[]): Promise<Usage> {
  const byAccount = new Map<string, Map<DiskUsageKind, number>>()
  const rows = await listUsage(
    db,
    accounts.map(({ id }) => id)
  )
  for (const { userId, kind, bytes } of rows) {
    const kinds = byAccount.get(userId) ?? new Map<DiskUsageKind, number>()
    byAccount.set(userId, kinds.set(kind, bytes))
  }
  return byAccount
}

const sumOf = (kinds: ReadonlyMap<DiskUsageKind, number> | undefined): number | undefined =>
  kinds && [...kinds.values()].reduce((sum, bytes) => sum + bytes, 0)
