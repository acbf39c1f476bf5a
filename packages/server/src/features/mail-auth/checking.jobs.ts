import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { checkPublicRecords } from './live-check.service.ts'
import { listUnchecked } from './mail-auth.repository.ts'

const checkedEveryMs = 24 * 3600 * 1000
// Each domain costs five lookups per resolver; the rest waits for the next hourly run.
const maxPerRun = 200

export async function checkAgain(deps: Dependencies, _data: object): Promise<void> {
  const before = new Date(deps.now().getTime() - checkedEveryMs)
  for (const domain of await listUnchecked(deps.db, before, maxPerRun))
    await checkPublicRecords(deps, domain).catch((error: unknown) =>
      deps.logger.warn({ domain: domain.hostname, error: messageOf(error) }, 'mail record check failed')
    )
}
