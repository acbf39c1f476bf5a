import { Id } from '@panel/contract/common'
import { workerVerb } from '../../worker/worker-verb.ts'
import type { Transaction } from '../../db/database.ts'
import { withLock } from '../../db/lock.ts'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { type ServedZone, ZoneRefusedError } from '../../infra/dns-server/dns-server.ts'
import { createCoalescer } from '../../concurrency/coalescer.ts'
import { publicIpOf } from '../domains/public-ip.service.ts'
import { listPublishedEdges } from '../nodes/published-edges.service.ts'
import type { ZoneEdges } from './zone.render.ts'
import { renderZoneText, type ZoneText } from './zone-rendering.service.ts'
import {
  findZone,
  evictApplied,
  retryRejected,
  listServedZones,
  listOutdatedZones,
  listZoneChallenges,
  listZoneHostnames,
  markZoneApplied,
  raiseSerials,
  readZoneRecords,
  type ZoneRow
} from './zones.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'dnsServer' | 'logger'>

const waitForOtherProcessMs = 30_000
const coalesce = createCoalescer()

export const pingNameServer = workerVerb('dnsZones.ping', [], async ({ dnsServer }: Pick<Deps, 'dnsServer'>) => {
  await dnsServer.ping()
})

/** Applies the current revision of a zone; it is served when this resolves. No-op if the zone is gone. */
export const applyZone = workerVerb('dnsZones.apply', [Id], applyZoneHere)

async function applyZoneHere(deps: Deps, id: string): Promise<void> {
  // Prevents two processes from applying revisions in the wrong order.
  const lock = { waitMs: waitForOtherProcessMs, ifHeld: refuse }
  await coalesce(deps.dnsServer, `zone ${id}`, () =>
    withLock(deps.db, `zone:${id}`, lock, async (lost) => {
      const found = await deps.db.transaction((trx) => readOutdatedZone(deps, trx, id), snapshot)
      if (!found) return
      try {
        await markZoneApplied(deps.db, id, found.zone.revision, await putZone(deps, found))
      } finally {
        // The lock was lost, so a newer revision may have been overwritten: apply again.
        if (lost.aborted) await evictApplied(deps.db, [found.zone.name])
      }
    })
  )
}

const refuse = () => {
  throw new Error('Timed out waiting for another process to apply this zone')
}

const snapshot = { isolationLevel: 'repeatable read', accessMode: 'read only' } as const

interface OutdatedZone {
  zone: ZoneRow
  contents: ZoneText
}

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
    extraTxt: await listZoneChallenges(trx, zone.domainId),
    edges: await edgesOf(deps, trx, zone.domainId)
  }
}

async function edgesOf(
  { config }: Pick<Deps, 'config'>,
  trx: Transaction,
  zoneId: string
): Promise<ZoneEdges | undefined> {
  const addresses = await listPublishedEdges(trx)
  if (addresses.length === 0) return undefined
  return { publicIp: publicIpOf(config), addresses, hostnames: await listZoneHostnames(trx, zoneId) }
}

/** Resolves with the reason if the zone is rejected; its last version stays in place. */
async function putZone(deps: Deps, { zone: { name }, contents }: OutdatedZone): Promise<string | null> {
  const rendered = await renderZoneText(contents)
  const problem = 'problem' in rendered ? rendered.problem : await rejectionOf(deps, name, rendered.text)
  if (problem !== null) deps.logger.error({ zone: name, error: problem }, 'Name server rejected zone')
  return problem
}

async function rejectionOf({ dnsServer }: Pick<Deps, 'dnsServer'>, name: string, text: string): Promise<string | null> {
  try {
    await dnsServer.putZone(name, text)
    return null
  } catch (error) {
    if (!(error instanceof ZoneRefusedError)) throw error
    return error.message
  }
}

/** Name servers whose zone list could not be applied. Per process: other processes find it in their audit. */
const unlisted = new WeakSet<object>()

/** Makes the name server serve exactly the zones in the database. Call applyZone for a new zone first. */
export const applyZoneList = workerVerb('dnsZones.applyList', [], applyZoneListHere)

async function applyZoneListHere(deps: Deps): Promise<void> {
  await coalesce(deps.dnsServer, 'list', async () => {
    unlisted.add(deps.dnsServer)
    await deps.dnsServer.setZones(await listServedZones(deps.db))
    unlisted.delete(deps.dnsServer)
  })
}

/** Applies zones, and the list if changed; logs failures and leaves them to the reconciler. */
export async function tryApplyZones(deps: Deps, ids: readonly string[], isListChanged = false): Promise<void> {
  const logFailure = (error: unknown) =>
    deps.logger.warn({ error: messageOf(error), zones: ids }, 'Could not apply zones')
  await Promise.all(ids.map((id) => applyZone(deps, id).catch(logFailure)))
  if (isListChanged) await applyZoneList(deps).catch(logFailure)
}

const batch = 100
const roundMs = 20_000
const auditEveryMs = 60_000

/** Last full audit: time and number of zones. Per process. */
const audits = new WeakMap<object, { at: number; zones: number }>()

/** Repairs drift left by a lost command, a crash or a manual edit. A full audit runs at most once a minute. */
export async function reconcileZones(deps: Deps & Pick<Dependencies, 'now'>): Promise<'again' | 'done'> {
  const last = audits.get(deps.dnsServer)
  const at = deps.now().getTime()
  if (last === undefined || at - last.at >= auditEveryMs) {
    if (last === undefined) await retryRejected(deps.db)
    const zones = await listServedZones(deps.db)
    audits.set(deps.dnsServer, { at, zones: zones.length })
    // Without zones no name server is needed, but the first run cleans up leftovers.
    if (zones.length > 0 || last?.zones !== 0) await audit(deps, zones)
  } else {
    await applyOutdated(deps)
    if (unlisted.has(deps.dnsServer)) await applyZoneList(deps)
  }
  return backingOff.size > 0 ? 'again' : 'done'
}

async function audit(deps: Deps, zones: readonly ServedZone[]): Promise<void> {
  const present = new Set(await deps.dnsServer.listZoneFiles())
  await evictApplied(
    deps.db,
    zones.map((zone) => zone.name).filter((name) => !present.has(name))
  )
  await applyOutdated(deps)
  await applyZoneList(deps)
  await deps.dnsServer.reload()
  await raiseSerials(deps.db, await deps.dnsServer.readSerials())
}

const [firstBackoffMs, longestBackoffMs] = [1_000, 60_000]
/** Zones that failed while the name server was otherwise working, with their next attempt. */
const backingOff = new Map<string, { until: number; ms: number }>()

/** Limited to `roundMs`. A failing zone blocks neither other zones nor the list. */
async function applyOutdated(deps: Deps): Promise<void> {
  const now = performance.now()
  // Due entries are kept for one more round, so that a repeated failure continues its backoff.
  for (const [id, { until }] of backingOff) if (until + longestBackoffMs < now) backingOff.delete(id)
  const waiting = [...backingOff].filter(([, { until }]) => until > now).map(([id]) => id)
  const failed = new Map<string, unknown>()
  let hasApplied = false
  for (let isMore = true; isMore && performance.now() < now + roundMs;) {
    const outdated = await listOutdatedZones(deps.db, batch, [...waiting, ...failed.keys()])
    const attempt = async (id: string) => {
      await applyZone(deps, id)
      backingOff.delete(id)
    }
    await Promise.all(outdated.map((id) => attempt(id).catch((error: unknown) => failed.set(id, error))))
    hasApplied ||= outdated.length > 0
    isMore = outdated.length === batch && !outdated.every((id) => failed.has(id))
  }
  // Rejects if the name server is down, in which case the failures are not the zones' own.
  if (hasApplied) await applyZoneList(deps)
  for (const [id, error] of failed) {
    deps.logger.warn({ zone: id, error: messageOf(error) }, 'Could not apply zone')
    const ms = Math.min((backingOff.get(id)?.ms ?? firstBackoffMs / 2) * 2, longestBackoffMs)
    backingOff.set(id, { until: performance.now() + ms, ms })
  }
}
