import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { checkPublicRecords } from './live-check.service.ts'
import { listUnchecked } from './mail-auth.repository.ts'

const checkedEveryMs = 24 * 3600 * 1000
// Each asks every resolver for five names: what is more comes with the next hour.
const maxPerRun = 200

/** Looks again at the records of domains whose DNS is elsewhere, so that the list of domains says nothing that is long over. */
export async function checkAgain(deps: Dependencies, _data: object): Promise<void> {
  const before = new Date(deps.now().getTime() - checkedEveryMs)
  for (const domain of await listUnchecked(deps.db, before, maxPerRun))
    await checkPublicRecords(deps, domain).catch((error: unknown) =>
      deps.logger.warn({ domain: domain.hostname, error: messageOf(error) }, 'records of mail not looked up')
    )
}
