import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { applyMailDomain, tryApplyMailDomain } from './mail-apply.service.ts'
import { openDomain } from './mail-opening.service.ts'
import {
  evictAppliedMail,
  listOpeningDomains,
  listServedMailDomains,
  listOutdatedMailDomains
} from './mail-domains.repository.ts'

const batch = 50
const roundMs = 20_000
const auditEveryMs = 60_000
const [firstBackoffMs, longestBackoffMs] = [1_000, 60_000]

const audits = new WeakMap<object, number>()
const backingOff = new Map<string, { until: number; ms: number }>()

/** Repairs drift left by a lost command, a crash or a manual edit. */
export async function reconcileMail(deps: Dependencies): Promise<'again' | 'done'> {
  if (!deps.config.MAIL) return 'done'
  for (const domain of await listOpeningDomains(deps.db, batch)) await openDomain(deps, domain)
  const last = audits.get(deps.mailServer)
  const at = deps.now().getTime()
  if (last === undefined || at - last >= auditEveryMs) {
    await audit(deps)
    audits.set(deps.mailServer, at)
  }
  await applyOutdated(deps)
  return backingOff.size > 0 ? 'again' : 'done'
}

async function audit(deps: Dependencies): Promise<void> {
  const wanted = new Set(await listServedMailDomains(deps.db))
  const served = new Set(
    await deps.mailServer.listDomains().catch((error: unknown) => {
      if (wanted.size > 0) throw error
      return []
    })
  )
  for (const name of served) if (!wanted.has(name)) await tryApplyMailDomain(deps, name)
  await evictAppliedMail(
    deps.db,
    [...wanted].filter((name) => !served.has(name))
  )
}

async function applyOutdated(deps: Dependencies): Promise<void> {
  const now = performance.now()
  // Keep entries for one round after they are due, so that the next failure does not restart the backoff.
  for (const [name, { until }] of backingOff) if (until + longestBackoffMs < now) backingOff.delete(name)
  const waiting = [...backingOff].filter(([, { until }]) => until > now).map(([name]) => name)
  const failed = new Map<string, unknown>()
  for (let isMore = true; isMore && performance.now() < now + roundMs;) {
    const outdated = await listOutdatedMailDomains(deps.db, batch, [...waiting, ...failed.keys()])
    for (const name of outdated)
      await applyMailDomain(deps, name).then(
        () => backingOff.delete(name),
        (error: unknown) => failed.set(name, error)
      )
    isMore = outdated.length === batch
  }
  for (const [name, error] of failed) {
    deps.logger.warn({ mailDomain: name, error: messageOf(error) }, 'mail domain not applied')
    const ms = Math.min((backingOff.get(name)?.ms ?? firstBackoffMs / 2) * 2, longestBackoffMs)
    backingOff.set(name, { until: performance.now() + ms, ms })
  }
}
