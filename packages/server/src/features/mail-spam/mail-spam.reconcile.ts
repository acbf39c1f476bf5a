import type { Dependencies } from '../../dependencies.ts'
import { evictAppliedSpam, listSpamDomains, listOutdatedSpam } from './mail-spam.repository.ts'
import { tryApplySpam } from './spam-apply.service.ts'

const batch = 50
const auditEveryMs = 60_000

/** When the filter's settings were last compared. Per process: what a second one finds is done. */
const audits = new WeakMap<object, number>()

/** What a lost command, a crash or a hand on the files has left undone. One that fails keeps no other back, and is tried in the next round. */
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

/** Domains whose settings the filter has and shall not, and the other way round. */
async function audit(deps: Dependencies): Promise<void> {
  const [wanted, given] = [new Set(await listSpamDomains(deps.db)), new Set(await deps.mailFilter.listDomains())]
  for (const name of given) if (!wanted.has(name)) await tryApplySpam(deps, name)
  await evictAppliedSpam(
    deps.db,
    [...wanted].filter((name) => !given.has(name))
  )
}
