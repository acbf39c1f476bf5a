import type { MailStatus } from '@panel/contract/mailboxes'
import type { Dependencies } from '../../dependencies.ts'
import type { MailServerProbe } from '../../infra/mail-server/mail-server.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { getActor } from '../users/account-access.ts'
import { mailStatus } from './mail-status.policy.ts'
import { countEnabledMailboxes } from './mailboxes.repository.ts'

const believedMs = 5_000

interface Probed {
  probe: MailServerProbe
  hasFilter: boolean
  checkedAt: number
}

/** Cached per process, which bounds the number of probes. */
const probes = new WeakMap<object, { at: number; probed: Promise<Probed> }>()

const probe = workerVerb(
  'mailboxes.probe',
  [],
  (deps: Pick<Dependencies, 'mailFilter' | 'mailServer' | 'now'>): Promise<Probed> => {
    const at = deps.now().getTime()
    const known = probes.get(deps.mailServer)
    if (known && at - known.at < believedMs) return known.probed
    const asksFilter = deps.mailFilter.ping('filter').then(
      () => true,
      () => false
    )
    const probed = Promise.all([deps.mailServer.probe(), asksFilter]).then(([found, hasFilter]) => ({
      probe: found,
      hasFilter,
      checkedAt: at
    }))
    probes.set(deps.mailServer, { at, probed })
    return probed
  }
)

export async function getMailStatus(
  deps: Pick<Dependencies, 'config' | 'db' | 'mailFilter' | 'mailServer' | 'now'>,
  userId: string
): Promise<MailStatus> {
  const { role } = await getActor(deps.db, userId)
  const [found, activeMailboxesCount] = await Promise.all([
    probe(deps),
    countEnabledMailboxes(deps.db, role === 'ADMIN' ? undefined : userId)
  ])
  const isOff = !deps.config.MAIL || !deps.config.MAIL_SPAM_FILTER
  const filter = isOff ? 'off' : found.hasFilter ? 'running' : 'stopped'
  return mailStatus({ probe: found.probe, filter, activeMailboxesCount, checkedAt: new Date(found.checkedAt) })
}
