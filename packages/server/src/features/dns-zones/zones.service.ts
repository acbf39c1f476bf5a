import { Id } from '@panel/contract/common'
import { workerVerb } from '../../worker/worker-verb.ts'
import type { Transaction } from '../../db/database.ts'
import { withLock } from '../../db/lock.ts'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { type ServedZone, ZoneRefusedError } from '../../infra/dns-server/dns-server.ts'
import { createCoalescer } from '../../concurrency/coalescer.ts'
import { renderZoneText, type ZoneText } from './zone-rendering.service.ts'
import {
  findZone,
  evictApplied,
  removeRefused,
  listServedZones,
  listOutdatedZones,
  listZoneChallenges,
  markZoneApplied,
  raiseSerials,
  readZoneRecords,
  type ZoneRow
} from './zones.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'dnsServer' | 'logger'>

const waitForOtherProcessMs = 30_000
const coalesce = createCoalescer()

/** Rejects with DNS_SERVER_UNAVAILABLE where no name server answers. */
export const pingNameServer = workerVerb('dnsZones.ping', [], async ({ dnsServer }: Pick<Deps, 'dnsServer'>) => {
  await dnsServer.ping()
})

/** Gives the name server a zone as the store has it now; when it resolves, that is what is answered. A zone that is gone is none to give. */
export const applyZone = workerVerb('dnsZones.apply', [Id], applyZoneHere)

async function applyZoneHere(deps: Deps, id: string): Promise<void> {
  // Two processes must not put two revisions in place in the wrong order.
  const lock = { waitMs: waitForOtherProcessMs, ifHeld: refuse }
  await coalesce(deps.dnsServer, `zone ${id}`, () =>
    withLock(deps.db, `zone:${id}`, lock, async (lost) => {
      const found = await deps.db.transaction((trx) => readOutdatedZone(deps, trx, id), snapshot)
      if (!found) return
      try {
        await markZoneApplied(deps.db, id, found.zone.revision, await put(deps, found))
      } finally {
        // Another process may have put in a newer revision before ours: nobody knows which is in place.
        if (lost.aborted) await evictApplied(deps.db, [found.zone.name])
      }
    })
  )
}

const refuse = () => {
  throw new Error('Another process is applying this zone')
}

const snapshot = { isolationLevel: 'repeatable read', accessMode: 'read only' } as const

interface OutdatedZone {
  zone: ZoneRow
  contents: ZoneText
}

/** Undefined when there is nothing to apply. */
async function readOutdatedZone(deps: Deps, trx: Transaction, id: string): Promise<OutdatedZone | undefined> {
  const zone = await findZone(trx, id)
  if (!zone || zone.appliedRevision === zone.revision) return undefined
  return { zone, contents: await contentsOf(deps, trx, zone) }
}

async function contentsOf(deps: Pick<Deps, 'config'>, trx: Transaction, zone: ZoneRow): Promise<ZoneText> {
  return {
    name: zone.name,
    serial: zone.serial,
    nameservers: deps.config.DNS_NAMESERVERS,
    hostmaster: deps.config.DNS_HOSTMASTER,
    records: await readZoneRecords(trx, zone.domainId),
    extraTxt: await listZoneChallenges(trx, zone.domainId)
  }
}

/** Resolves with why the zone cannot be put in place: a defect of ours, which leaves it as it was and touches no other. */
async function put(deps: Deps, { zone: { name }, contents }: OutdatedZone): Promise<string | null> {
  const rendered = await renderZoneText(contents)
  const problem = 'problem' in rendered ? rendered.problem : await refusalOf(deps, name, rendered.text)
  if (problem !== null) deps.logger.error({ zone: name, error: problem }, 'zone refused')
  return problem
}

async function refusalOf({ dnsServer }: Pick<Deps, 'dnsServer'>, name: string, text: string): Promise<string | null> {
  try {
    await dnsServer.putZone(name, text)
    return null
  } catch (error) {
    if (!(error instanceof ZoneRefusedError)) throw error
    return error.message
  }
}

/** Where the last list did not arrive. Per process: others find it in their audit. */
const unlisted = new WeakSet<object>()

/** Makes the name server answer for exactly the zones of the store. A new zone is given first: applyZone. */
export const applyZoneList = workerVerb('dnsZones.applyList', [], applyZoneListHere)

async function applyZoneListHere(deps: Deps): Promise<void> {
  await coalesce(deps.dnsServer, 'list', async () => {
    unlisted.add(deps.dnsServer)
    await deps.dnsServer.setZones(await listServedZones(deps.db))
    unlisted.delete(deps.dnsServer)
  })
}

/** As the two above, for a change that is done already: a name server that is away is told by the reconcile loop. */
export async function tryApplyZones(deps: Deps, ids: readonly string[], isListChanged = false): Promise<void> {
  const notifyOwner = (error: unknown) =>
    deps.logger.warn({ error: messageOf(error), zones: ids }, 'zones not applied yet')
  await Promise.all(ids.map((id) => applyZone(deps, id).catch(notifyOwner)))
  if (isListChanged) await applyZoneList(deps).catch(notifyOwner)
}

const batch = 100
const roundMs = 20_000
const auditEveryMs = 60_000

/** What the last audit of all zones was: when, and of how many. Per process: the audit of a second one finds all done. */
const audits = new WeakMap<object, { at: number; zones: number }>()

/**
 * What a lost command, a crash or a hand on the files has left undone. What is asked for every time does not grow with the zones; an
 * audit of all comes once a minute at most.
 */
export async function reconcileZones(deps: Deps & Pick<Dependencies, 'now'>): Promise<'again' | 'done'> {
  const last = audits.get(deps.dnsServer)
  const at = deps.now().getTime()
  if (last === undefined || at - last.at >= auditEveryMs) {
    if (last === undefined) await removeRefused(deps.db)
    const zones = await listServedZones(deps.db)
    audits.set(deps.dnsServer, { at, zones: zones.length })
    // A panel without zones needs no name server; the first time it clears away what there was before.
    if (zones.length > 0 || last?.zones !== 0) await audit(deps, zones)
  } else {
    await applyOutdated(deps)
    if (unlisted.has(deps.dnsServer)) await applyZoneList(deps)
  }
  return backingOff.size > 0 ? 'again' : 'done'
}

async function audit(deps: Deps, zones: readonly ServedZone[]): Promise<void> {
  const there = new Set(await deps.dnsServer.listZoneFiles())
  await evictApplied(
    deps.db,
    zones.map((zone) => zone.name).filter((name) => !there.has(name))
  )
  await applyOutdated(deps)
  await applyZoneList(deps)
  await deps.dnsServer.reload()
  await raiseSerials(deps.db, await deps.dnsServer.readSerials())
}

const [firstBackoffMs, longestBackoffMs] = [1_000, 60_000]
/**
 * Zones that failed alone, while the name server did what it was told: when each is tried again by this process. Soon at first: the server may have been
 * away for them and back for the rest.
 */
const backingOff = new Map<string, { until: number; ms: number }>()

/**
 * What is not done in this time is done in the next round, so that other repairs are not held up. A zone that fails keeps no other one
 * back, nor the list.
 */
async function applyOutdated(deps: Deps): Promise<void> {
  const now = performance.now()
  // Those that are due stay known, for the time that one round takes, so that their next failure is not their first.
  for (const [id, { until }] of backingOff) if (until + longestBackoffMs < now) backingOff.delete(id)
  const waiting = [...backingOff].filter(([, { until }]) => until > now).map(([id]) => id)
  const failed = new Map<string, unknown>()
  let isAny = false
  for (let isMore = true; isMore && performance.now() < now + roundMs;) {
    const outdated = await listOutdatedZones(deps.db, batch, [...waiting, ...failed.keys()])
    const attempt = async (id: string) => {
      await applyZone(deps, id)
      backingOff.delete(id)
    }
    await Promise.all(outdated.map((id) => attempt(id).catch((error: unknown) => failed.set(id, error))))
    isAny ||= outdated.length > 0
    isMore = outdated.length === batch && !outdated.every((id) => failed.has(id))
  }
  // Rejects where the name server is away: then it is no zone's own failure.
  if (isAny) await applyZoneList(deps)
  for (const [id, error] of failed) {
    deps.logger.warn({ zone: id, error: messageOf(error) }, 'zone not applied')
    const ms = Math.min((backingOff.get(id)?.ms ?? firstBackoffMs / 2) * 2, longestBackoffMs)
    backingOff.set(id, { until: performance.now() + ms, ms })
  }
}
