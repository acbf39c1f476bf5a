import type { MailStatus } from '@panel/contract/mailboxes'
import type { Dependencies } from '../../dependencies.ts'
import type { MailServerProbe } from '../../infra/mail-server/mail-server.ts'
import { workerVerb } from '../../worker-verb.ts'
import { getActor } from '../users/account-access.ts'
import { mailStatus } from './mail-status.policy.ts'
import { countEnabledMailboxes } from './mailboxes.repository.ts'

const believedMs = 5_000

interface Probed {
  probe: MailServerProbe
  checkedAt: number
}

/** Per process, whose sockets they are: however many ask, the ports are knocked at once in five seconds. */
const probes = new WeakMap<object, { at: number; probed: Promise<Probed> }>()

const probe = workerVerb('mailboxes.probe', [], (deps: Pick<Dependencies, 'mailServer' | 'now'>): Promise<Probed> => {
  const at = deps.now().getTime()
  const known = probes.get(deps.mailServer)
  if (known && at - known.at < believedMs) return known.probed
  const probed = deps.mailServer.probe().then((found) => ({ probe: found, checkedAt: at }))
  probes.set(deps.mailServer, { at, probed })
  return probed
})

export async function getMailStatus(
  deps: Pick<Dependencies, 'db' | 'mailServer' | 'now'>,
  userId: string
): Promise<MailStatus> {
  const { role } = await getActor(deps.db, userId)
  const [found, activeMailboxesCount] = await Promise.all([
    probe(deps),
    countEnabledMailboxes(deps.db, role === 'ADMIN' ? undefined : userId)
  ])
  return mailStatus({ probe: found.probe, activeMailboxesCount, checkedAt: new Date(found.checkedAt) })
}
