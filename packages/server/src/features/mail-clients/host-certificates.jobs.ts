import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import {
  type CertificateRow,
  findCertificateOf,
  hasCapacityForUnattendedOrder
} from '../certificates/certificate-access.ts'
import { requestOrder } from '../certificates/certificate-changes.service.ts'
import { certificateTypeFor } from '../certificates/certificate-type.policy.ts'
import { listDueMailHosts, setProbeAt } from '../domains/domain-access.ts'
import { ownAddressesOf } from '../domains/public-ip.service.ts'
import type { DomainRow } from '../feature.ts'
import { wildcardAndName } from './client-settings.policy.ts'
import { listTrustedNames } from './mail-clients.repository.ts'
import { decideOrder } from './mail-hosts.policy.ts'

const maxPerRun = 50
const fewAtATime = createSemaphore(5)
const afterFailureMs = 3_600_000

export async function orderHostCertificates(deps: Dependencies): Promise<void> {
  if (!deps.config.MAIL) return
  const due = await listDueMailHosts(deps.db, deps.now(), maxPerRun)
  await Promise.all(due.map((host) => fewAtATime(() => probe(deps, host))))
}

async function probe(deps: Dependencies, host: DomainRow): Promise<void> {
  const now = deps.now()
  const retry = (error: unknown) => {
    deps.logger.warn({ hostname: host.hostname, error: messageOf(error) }, 'certificate order for a mail host failed')
    return new Date(now.getTime() + afterFailureMs)
  }
  await setProbeAt(deps.db, host.id, await orderIfReady(deps, host, now).catch(retry))
}

async function orderIfReady(deps: Dependencies, host: DomainRow, now: Date): Promise<Date | null> {
  // Mail clients do not trust self-signed certificates.
  if (certificateTypeFor(host.hostname, deps.config) === 'SELF_SIGNED') return null
  const certificate = await findCertificateOf(deps.db, host.id)
  const facts = {
    certificate: certificate && stateOf(certificate),
    isCovered: (await listTrustedNames(deps.db, wildcardAndName(host.hostname), now)).size > 0,
    hasCapacity: await hasCapacityForUnattendedOrder(deps.db, host.userId, now),
    pointsHere: () => pointsHere(deps, host.hostname)
  }
  const { isOrdered, probeAt } = await decideOrder(facts, { createdAt: host.createdAt, now })
  if (isOrdered) await requestOrder(deps, {}, host)
  return probeAt
}

const stateOf = ({ chain, status, renewAt }: CertificateRow) => ({
  isServed: chain !== null,
  isUnderWay: status === 'PENDING' || renewAt !== null
})

async function pointsHere({ config, publicDns }: Pick<Dependencies, 'config' | 'publicDns'>, name: string) {
  if (config.PANEL_MOCK_DNS) return true
  const own = ownAddressesOf(config)
  const lookups = await Promise.all([publicDns.lookUp(name, 'A'), publicDns.lookUp(name, 'AAAA')])
  return lookups.flat().some(({ values }) => values.some((value) => own.includes(value)))
}
