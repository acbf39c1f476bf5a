import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { evictAppliedSigning, listSigningDomains, listUnsettledSigning } from './mail-auth.repository.ts'
import { applySigning, tryApplySigning } from './signing.service.ts'

const batch = 50
const roundMs = 20_000
const auditEveryMs = 60_000
const [firstBackoffMs, longestBackoffMs] = [1_000, 60_000]

const audits = new WeakMap<object, number>()
const backingOff = new Map<string, { until: number; ms: number }>()

/** Repairs drift left by a lost command, a crash or a manual edit. */
export async function reconcileSigning(deps: Dependencies): Promise<'again' | 'done'> {
  if (!deps.config.MAIL) return 'done'
  const last = audits.get(deps.mailSigner)
  const at = deps.now().getTime()
  if (last === undefined || at - last >= auditEveryMs) {
    await audit(deps)
    audits.set(deps.mailSigner, at)
  }
  await settle(deps)
  return backingOff.size > 0 ? 'again' : 'done'
}

async function audit(deps: Dependencies): Promise<void> {
  const [wanted, signing] = [await listSigningDomains(deps.db), await deps.mailSigner.listSigning()]
  for (const name of signing.keys()) if (!wanted.has(name)) await tryApplySigning(deps, name)
  const wrong = [...wanted].filter(([name, selector]) => signing.get(name) !== selector)
  await evictAppliedSigning(
    deps.db,
    wrong.map(([name]) => name)
  )
}

async function settle(deps: Dependencies): Promise<void> {
  const now = performance.now()
  // Keep entries for one round after they are due, so that the next failure does not restart the backoff.
  for (const [name, { until }] of backingOff) if (until + longestBackoffMs < now) backingOff.delete(name)
  const waiting = [...backingOff].filter(([, { until }]) => until > now).map(([name]) => name)
  const tried: string[] = []
  for (let isMore = true; isMore && performance.now() < now + roundMs;) {
    const names = await listUnsettledSigning(deps.db, batch, [...waiting, ...tried])
    for (const name of names)
      await applySigning(deps, name).catch((error: unknown) =>
        deps.logger.warn({ mailDomain: name, error: messageOf(error) }, 'DKIM keys not applied')
      )
    tried.push(...names)
    isMore = names.length === batch
  }
  if (tried.length === 0) return
  const left = new Set(await listUnsettledSigning(deps.db, tried.length + waiting.length, waiting))
  for (const name of tried) {
    if (!left.has(name)) {
      backingOff.delete(name)
      continue
    }
    const ms = Math.min((backingOff.get(name)?.ms ?? firstBackoffMs / 2) * 2, longestBackoffMs)
    backingOff.set(name, { until: performance.now() + ms, ms })
  }
}
