import { randomBytes } from 'node:crypto'
import { unlessAborted } from '../../concurrency/time-limit.ts'
import type { Dependencies } from '../../dependencies.ts'
import { probeHttp } from '../../infra/http-probe/http-probe.ts'
import { saysNone } from '../../infra/public-dns/public-dns.ts'
import { isPublicAddress } from '../../net/public-address.ts'
import { conflictOf } from '../dns-zones/record-conflict.policy.ts'
import { findZone, listRecordsAround } from '../dns-zones/zone-access.ts'
import type { DomainRow } from '../domains/domain-access.ts'
import { baseOf } from '../domains/hostname.policy.ts'
import { ownAddressesOf, publicIpOf } from '../domains/public-ip.service.ts'
import { listPublishedEdges } from '../nodes/published-edges.service.ts'
import { type CaaRecords, caaNames, caaProblem } from './caa.policy.ts'
import { challengeTypeFor } from './certificate-type.policy.ts'
import { deleteChallenges, putChallenge } from './challenges.repository.ts'
import { challengeRecordName } from './challenges.service.ts'
import type { OrderFailure } from './order-outcome.service.ts'
import {
  addressProblem,
  type CertificateProblem,
  nameFacts,
  type ProbeResult,
  probeProblem
} from './precheck.policy.ts'

type Deps = Pick<Dependencies, 'acme' | 'config' | 'db' | 'now' | 'publicDns'>

const probeTimeoutMs = 5_000
const maxProbes = 8
const precheckTimeoutMs = 30_000

/** Failed orders count toward the CA's limits, so check first. Rejects with AcmeError if the CA is unavailable. */
export async function findIssuanceProblem(
  deps: Deps,
  domain: DomainRow,
  signal: AbortSignal,
  timeoutMs = precheckTimeoutMs
): Promise<OrderFailure | undefined> {
  const deadline = AbortSignal.timeout(timeoutMs)
  try {
    const reason = await findProblem(deps, domain, AbortSignal.any([signal, deadline]))
    return reason === undefined ? undefined : { kind: 'refused', reason }
  } catch (error) {
    signal.throwIfAborted()
    if (!deadline.aborted) throw error
    const values = { seconds: timeoutMs / 1000, hostname: domain.hostname }
    return { kind: 'unavailable', reason: [{ code: 'CHECK_TOOK_TOO_LONG', values }] }
  }
}

async function findProblem(
  deps: Deps,
  domain: DomainRow,
  signal: AbortSignal
): Promise<CertificateProblem | undefined> {
  const challengeType = challengeTypeFor(domain.hostname)
  return (
    (challengeType === 'dns-01' ? await zoneProblem(deps, domain) : undefined) ??
    (await findCaaProblem(deps, domain.hostname, signal)) ??
    (challengeType === 'http-01' && deps.config.ACME_CHECK_REACHABLE
      ? await reachabilityProblem(deps, domain, signal)
      : undefined)
  )
}

/** Checks that the challenge record can be added to our zone. */
async function zoneProblem(deps: Pick<Deps, 'db'>, domain: DomainRow): Promise<CertificateProblem | undefined> {
  const { hostname, zoneId } = domain
  const zone = zoneId === null ? undefined : await findZone(deps.db, zoneId)
  if (!zone) return [{ code: 'WILDCARD_NOT_MANAGED', values: { hostname } }]
  const owner = challengeRecordName(baseOf(hostname))
  const proof = { owner, type: 'TXT', value: 'proof', ttl: 60, priority: null, weight: null, port: null } as const
  const conflict = conflictOf(proof, await listRecordsAround(deps.db, zone, [owner]), zone.name)
  if (!conflict) return undefined
  return [{ code: 'PROOF_HAS_NO_PLACE', values: { hostname, owner, problem: conflict.message } }]
}

/** Why CAA forbids an order for this name; undefined if it does not, or that is not known. */
export async function findCaaProblem(
  deps: Pick<Deps, 'acme' | 'publicDns'>,
  hostname: string,
  signal: AbortSignal
): Promise<CertificateProblem | undefined> {
  const [identities, records] = await Promise.all([
    unlessAborted(deps.acme.caaIdentities(), signal),
    unlessAborted(findCaa(deps, hostname), signal)
  ])
  return caaProblem({
    hostname,
    challengeType: challengeTypeFor(hostname),
    identities: identities.map((name) => name.toLowerCase()),
    records
  })
}

/** CAA records of the nearest name that has any; undefined if there are none or no resolver answered. */
async function findCaa(deps: Pick<Deps, 'publicDns'>, hostname: string): Promise<CaaRecords | undefined> {
  const names = caaNames(hostname)
  const answers = await Promise.all(names.map((name) => deps.publicDns.lookUp(name, 'CAA')))
  for (const [index, name] of names.entries()) {
    const lookups = answers[index]!
    const sets = lookups.map(({ values }) => values).filter((values) => values.length > 0)
    if (sets.length > 0) return { name, sets }
    if (!lookups.some(saysNone)) return undefined
  }
  return undefined
}

async function reachabilityProblem(
  deps: Deps,
  domain: DomainRow,
  signal: AbortSignal
): Promise<CertificateProblem | undefined> {
  const { hostname } = domain
  const publicIp = publicIpOf(deps.config)
  const own = [...ownAddressesOf(deps.config), ...(await listPublishedEdges(deps.db))]
  const ports = portsOf(deps.config)
  const isAllowed = (address: string) => own.includes(address) || isPublicAddress(address)
  const lookUps = Promise.all([lookUp(deps, hostname, 'A'), lookUp(deps, hostname, 'AAAA')])
  const facts = nameFacts(...(await unlessAborted(lookUps, signal)))
  const problem = addressProblem(hostname, facts, { publicIp, isAllowed })
  if (problem !== undefined) return problem
  const probes = await probeAddresses(deps, domain, facts.addresses, signal)
  return probeProblem(hostname, probes, { publicIp, port: ports[0]! })
}

/** Port 80, where the CA connects, and the proxy's own port if that differs behind a router or in tests. */
export const portsOf = ({ ACME_HTTP_PORT, PROXY_HTTP_PORT }: Deps['config']): number[] =>
  ACME_HTTP_PORT === undefined ? [...new Set([80, PROXY_HTTP_PORT])] : [ACME_HTTP_PORT]

const lookUp = (deps: Pick<Deps, 'publicDns'>, hostname: string, type: 'A' | 'AAAA') =>
  deps.publicDns.lookUp(hostname, type)

/** Whether requests for the domain to these addresses arrive at this panel. The caller decides which may be probed. */
export async function probeAddresses(
  deps: Pick<Deps, 'config' | 'db' | 'now'>,
  domain: Pick<DomainRow, 'id' | 'hostname'>,
  addresses: readonly string[],
  signal: AbortSignal
): Promise<{ address: string; result: ProbeResult }[]> {
  const ports = portsOf(deps.config)
  const token = randomBytes(24).toString('base64url')
  const value = randomBytes(24).toString('base64url')
  await putChallenge(deps.db, {
    token,
    domainId: domain.id,
    type: 'http-01',
    name: null,
    value,
    createdAt: deps.now()
  })
  try {
    return await Promise.all(
      addresses.slice(0, maxProbes).map(async (address) => {
        const probePort = (port: number) => probe({ address, port, hostname: domain.hostname, token, value, signal })
        const results = await Promise.all(ports.map(probePort))
        return { address, result: results.find((result) => result === 'proof') ?? results[0]! }
      })
    )
  } finally {
    await deps.db.transaction((trx) => deleteChallenges(trx, domain.id, (row) => row.token === token))
  }
}

interface Probe {
  address: string
  port: number
  hostname: string
  token: string
  value: string
  signal: AbortSignal
}

/** Probes one address as the CA would. Redirects are not followed: they could reach our own network (SSRF). */
async function probe({ address, port, hostname, token, value, signal }: Probe): Promise<ProbeResult> {
  const answer = await probeHttp({
    address,
    port,
    path: `/.well-known/acme-challenge/${token}`,
    hostname,
    userAgent: 'panel-certificate-check',
    maxBytes: value.length + 16,
    timeoutMs: probeTimeoutMs,
    signal
  })
  if (typeof answer === 'string') return answer
  if (answer.status >= 300 && answer.status < 400) return 'redirected'
  return answer.status === 200 && answer.isWhole && answer.body.trim() === value ? 'proof' : 'other'
}
