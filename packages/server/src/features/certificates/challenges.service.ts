import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { newId } from '../../security/ids.ts'
import { type AcmeChallenge, AcmeError } from '../../infra/acme/acme.ts'
import { findZone, markZoneChanged } from '../dns-zones/zone-access.ts'
import { applyZone, tryApplyZones } from '../dns-zones/zones.service.ts'
import { type ChallengeRow, deleteChallenges, findHttpAnswer, putChallenge, zoneIdOf } from './challenges.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'dnsServer' | 'logger' | 'now'>

/** Looks up an HTTP-01 response; skips the query for anything that is not a token (RFC 8555 §8.3). */
export async function findChallengeAnswer(deps: Pick<Deps, 'db'>, token: string): Promise<string | undefined> {
  return /^[A-Za-z0-9_-]{16,255}$/.test(token) ? findHttpAnswer(deps.db, token) : undefined
}

/** Owner name of the dns-01 record (RFC 8555 §8.4). */
export const challengeRecordName = (hostname: string): string => `_acme-challenge.${hostname}`

export async function publishChallenge(deps: Deps, domainId: string, challenge: AcmeChallenge): Promise<void> {
  if (challenge.type === 'http-01') {
    const { token, keyAuthorization: value } = challenge
    await putChallenge(deps.db, { token, domainId, type: 'http-01', name: null, value, createdAt: deps.now() })
  } else await publishInZone(deps, domainId, challenge)
}

async function publishInZone(deps: Deps, domainId: string, challenge: AcmeChallenge): Promise<void> {
  const zoneId = await deps.db.transaction(async (trx) => {
    const id = await zoneIdOf(trx, domainId)
    if (id === null) throw new AcmeError('refused', `DNS for ${challenge.hostname} is no longer managed by this panel`)
    await putChallenge(trx, {
      token: newId(deps.now().getTime()),
      domainId,
      type: 'dns-01',
      name: challengeRecordName(challenge.hostname),
      value: challenge.dnsValue,
      createdAt: deps.now()
    })
    await markZoneChanged(trx, id, deps.now())
    return id
  })
  await applyZone(deps, zoneId)
  const problem = (await findZone(deps.db, zoneId))?.problem
  if (problem) throw new AcmeError('unavailable', 'The name server rejected the zone with the challenge record')
}

/** Deletes one challenge. Never rejects: the end of the order or the sweep deletes leftovers. */
export async function unpublishChallenge(deps: Deps, domainId: string, challenge: AcmeChallenge): Promise<void> {
  const isOf = (row: ChallengeRow) =>
    challenge.type === 'http-01'
      ? row.token === challenge.token
      : row.name === challengeRecordName(challenge.hostname) && row.value === challenge.dnsValue
  await removeChallenges(deps, domainId, isOf).catch((error: unknown) =>
    deps.logger.warn({ domain: domainId, error: messageOf(error) }, 'Could not delete ACME challenge')
  )
}

export async function clearChallenges(deps: Deps, domainId: string): Promise<void> {
  await removeChallenges(deps, domainId, () => true)
}

async function removeChallenges(deps: Deps, domainId: string, matches: (row: ChallengeRow) => boolean): Promise<void> {
  const zoneId = await deps.db.transaction(async (trx) => {
    const deleted = await deleteChallenges(trx, domainId, matches)
    if (!deleted.some((row) => row.type === 'dns-01')) return null
    const id = await zoneIdOf(trx, domainId)
    if (id !== null) await markZoneChanged(trx, id, deps.now())
    return id
  })
  if (zoneId !== null) await tryApplyZones(deps, [zoneId])
}
