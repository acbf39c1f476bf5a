import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { newId } from '../../security/ids.ts'
import { type AcmeChallenge, AcmeError } from '../../infra/acme/acme.ts'
import { findZone, markZoneChanged } from '../dns-zones/zone-access.ts'
import { applyZone, tryApplyZones } from '../dns-zones/zones.service.ts'
import { type ChallengeRow, dropChallenges, findHttpAnswer, putChallenge, zoneIdOf } from './challenges.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'dnsServer' | 'logger' | 'now'>

/** What an authority asks for at the proxy; anything that is no token (RFC 8555 §8.3) is not even looked up. */
export async function findChallengeAnswer(deps: Pick<Deps, 'db'>, token: string): Promise<string | undefined> {
  return /^[A-Za-z0-9_-]{16,255}$/.test(token) ? findHttpAnswer(deps.db, token) : undefined
}

/** Where the proof of a name stands in DNS (RFC 8555 §8.4). */
export const proofName = (hostname: string): string => `_acme-challenge.${hostname}`

/** When it resolves, whoever asks gets the answer: from the store, or from our name server. */
export async function publishChallenge(deps: Deps, domainId: string, challenge: AcmeChallenge): Promise<void> {
  if (challenge.type === 'http-01') {
    const { token, keyAuthorization: value } = challenge
    await putChallenge(deps.db, { token, domainId, type: 'http-01', name: null, value, createdAt: deps.now() })
  } else await publishInZone(deps, domainId, challenge)
}

async function publishInZone(deps: Deps, domainId: string, challenge: AcmeChallenge): Promise<void> {
  const zoneId = await deps.db.transaction(async (trx) => {
    const id = await zoneIdOf(trx, domainId)
    if (id === null)
      throw new AcmeError('refused', `${challenge.hostname} is not managed here any more, so that it cannot be proved`)
    await putChallenge(trx, {
      token: newId(deps.now().getTime()),
      domainId,
      type: 'dns-01',
      name: proofName(challenge.hostname),
      value: challenge.dnsValue,
      createdAt: deps.now()
    })
    await markZoneChanged(trx, id, deps.now())
    return id
  })
  await applyZone(deps, zoneId)
  const problem = (await findZone(deps.db, zoneId))?.problem
  if (problem) throw new AcmeError('unavailable', 'The name server does not take the zone with the proof in it')
}

/** Takes back one proof. Never rejects: what is left over the end of the order, or the sweep, takes back. */
export async function unpublishChallenge(deps: Deps, domainId: string, challenge: AcmeChallenge): Promise<void> {
  const isOf = (row: ChallengeRow) =>
    challenge.type === 'http-01'
      ? row.token === challenge.token
      : row.name === proofName(challenge.hostname) && row.value === challenge.dnsValue
  await take(deps, domainId, isOf).catch((error: unknown) =>
    deps.logger.warn({ domain: domainId, error: messageOf(error) }, 'challenge not taken back yet')
  )
}

/** Takes back whatever proofs of the domain there are. */
export async function clearChallenges(deps: Deps, domainId: string): Promise<void> {
  await take(deps, domainId, () => true)
}

async function take(deps: Deps, domainId: string, isTaken: (row: ChallengeRow) => boolean): Promise<void> {
  const zoneId = await deps.db.transaction(async (trx) => {
    const dropped = await dropChallenges(trx, domainId, isTaken)
    if (!dropped.some((row) => row.type === 'dns-01')) return null
    const id = await zoneIdOf(trx, domainId)
    if (id !== null) await markZoneChanged(trx, id, deps.now())
    return id
  })
  if (zoneId !== null) await tryApplyZones(deps, [zoneId])
}
