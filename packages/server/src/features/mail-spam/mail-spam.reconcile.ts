import type { Dependencies } from '../../dependencies.ts'
import { evictAppliedSpam, listSpamDomains, listOutdatedSpam } from './mail-spam.repository.ts'
import { tryApplySpam } from './spam-apply.service.ts'

const batch = 50
const auditEveryMs = 60_000

const audits = new WeakMap<object, number>()

/** Repairs drift left by a lost command, a crash or a manual edit. */
export async function reconcileSpam(deps: Dependencies): Promise<'again' | 'done'> {
  if (!deps.config.MAIL || !deps.config.MAIL_SPAM_FILTER) return 'done'
  const last = audits.get(deps.mailFilter)
  const at = deps.now().getTime()
  if (last === undefined || at - last >= auditEveryMs) {
    await audit(deps)
    audits.set(deps.mailFilter, at)
  }
  const tried: string[] = []
  for (let names = await listOutdatedSpam(deps.db, batch, []); names.length > 0;) {
    for (const name of names) await tryApplySpam(deps, name)
    tried.push(...names)
    names = await listOutdatedSpam(deps.db, batch, tried)
  }
  return tried.length > 0 && (await listOutdatedSpam(deps.db, 1, [])).length > 0 ? 'again' : 'done'
}

async function audit(deps: Dependencies): Promise<void> {
  const [wanted, given] = [new Set(await listSpamDomains(deps.db)), new Set(await deps.mailFilter.listDomains())]
  for (const name of given) if (!wanted.has(name)) await tryApplySpam(deps, name)
  await evictAppliedSpam(
    deps.db,
    [...wanted].filter((name) => !given.has(name))
  )
}
