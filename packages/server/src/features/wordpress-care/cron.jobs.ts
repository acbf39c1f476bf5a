import { signalWithin } from '../../concurrency/time-limit.ts'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { messageOf } from '../../text/message-of.ts'
import { siteHostname } from '../domains/hostname.policy.ts'
import { engineOn } from '../nodes/on-machine.service.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { openSiteDatabase, type SiteDatabase } from '../wordpress/site-database.service.ts'
import { firstEventAt, lateSince, nextCheck } from './cron.policy.ts'
import { siteEndpoint } from './page-check.service.ts'
import { siteTree } from './site-files.service.ts'
import { claimCheck, listSitesToCheck, saveSite } from './sites.repository.ts'

const sitesPerRound = 500
const sitesAtOnce = 16
/** So that slow sites of one account leave room for the others. */
const sitesOfAccountAtOnce = 4
const queryMs = 5_000
/** Below a minute, so that the next request does not meet it. WordPress has a lock of its own beyond that. */
const requestMs = 50_000
const roundMs = 55_000
const rememberMs = 5 * 60_000

/** Looks at each site once a minute, and lets WordPress run its events only where one is due. */
export async function runDueEvents(deps: Dependencies, stopping: AbortSignal): Promise<void> {
  const signal = signalWithin(roundMs, stopping)
  const all = createSemaphore(sitesAtOnce)
  const perAccount = new Map<string, ReturnType<typeof createSemaphore>>()
  const sites = await listSitesToCheck(deps.db, deps.now(), sitesPerRound)
  await Promise.all(
    sites.map((site) => {
      const own = perAccount.get(site.userId) ?? createSemaphore(sitesOfAccountAtOnce)
      perAccount.set(site.userId, own)
      return own(() => all(() => checkSite(deps, site, signal)))
    })
  )
}

async function checkSite(deps: Dependencies, site: ProjectRow, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const now = deps.now()
  if (!(await claimCheck(deps.db, site.id, now, nextCheck(site.id, now)))) return
  try {
    const database = await rememberedDatabase(deps, site)
    const due = database && (await firstDue(deps, database))
    if (database === undefined || (due !== undefined && due <= now)) await request(deps, site, signal)
    const nextEventAt = database && due !== undefined && due <= now ? await firstDue(deps, database) : due
    await saveSite(deps.db, site.id, {
      cronCheckedAt: deps.now(),
      nextEventAt: nextEventAt ?? null,
      lateSince: lateSince(nextEventAt, deps.now())
    })
  } catch (error) {
    remembered.get(deps.db)?.delete(site.id)
    if (!signal.aborted) deps.logger.warn({ project: site.id, error: messageOf(error) }, 'could not check WordPress events') // oxfmt-ignore
  }
}

async function firstDue({ siteDatabase }: Dependencies, { account, prefix }: SiteDatabase): Promise<Date | undefined> {
  const options = await siteDatabase.readOptions(account, `${prefix}options`, ['cron'], { timeoutMs: queryMs })
  return firstEventAt(options.get('cron'))
}

/** As the proxy would ask. WordPress continues after the time limit. */
async function request(deps: Dependencies, site: ProjectRow, signal: AbortSignal): Promise<void> {
  const endpoint = await siteEndpoint(deps, site)
  if (!endpoint) return
  const hostname = siteHostname(deps.config, site)
  const engine = await engineOn(deps, site.nodeId)
  await engine.httpStatus(endpoint, { path: '/wp-cron.php?doing_wp_cron', hostname, timeoutMs: requestMs, signal })
}

interface Remembered {
  at: number
  /** Undefined: on another server, which the panel does not connect to. Its events are run every minute. */
  database: SiteDatabase | undefined
}

const remembered = new WeakMap<Dependencies['db'], Map<string, Remembered>>()

async function rememberedDatabase(deps: Dependencies, site: ProjectRow): Promise<SiteDatabase | undefined> {
  const known = remembered.get(deps.db) ?? new Map<string, Remembered>()
  remembered.set(deps.db, known)
  const now = performance.now()
  const found = known.get(site.id)
  if (found && now - found.at < rememberMs) return found.database
  const tree = await siteTree(deps, site)
  const database = await openSiteDatabase(deps, site, tree).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'CONFLICT') return undefined
    throw error
  })
  for (const [id, { at }] of known) if (now - at > rememberMs) known.delete(id)
  known.set(site.id, { at: now, database })
  return database
}
