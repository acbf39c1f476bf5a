import { randomBytes } from 'node:crypto'
import type { CreateDomain } from '@panel/contract/domains'
import type { Queryable, Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { getOwnProject } from '../projects/project-access.ts'
import { claimQuota } from '../users/quotas.service.ts'
import { getOwnDomain } from './domain-access.ts'
import {
  type DomainRow,
  findDomain,
  findMailHost,
  insertDomain,
  listActiveDomains,
  updateDomain
} from './domains.repository.ts'
import { findHostname, reserveForAccount } from './host-names.repository.ts'
import { baseOf, isAtOrBelow, isReservedName, namesAbove, parseDomainName } from './hostname.policy.ts'
import { challengeName, challengeValue } from './verification.policy.ts'

const challengeTtl = 300

/** Verified at once if the account owns a verified parent, otherwise PENDING with a challenge. */
export async function insertNewDomain(
  deps: Dependencies,
  trx: Transaction,
  userId: string,
  input: CreateDomain
): Promise<DomainRow> {
  const user = await claimQuota(deps, trx, userId, 'maxDomains')
  const hostname = validateHostname(deps.config, input.hostname, user.role === 'ADMIN')
  if (input.projectId != null) await getOwnProject(trx, input.projectId, userId)
  const pathPrefix = input.pathPrefix ?? null
  const explicit = input.parentId == null ? undefined : await getOwnParent(trx, input.parentId, userId, hostname)
  const proof = await findProof(trx, userId, hostname)
  await refuseTaken(trx, userId, hostname)

  const now = deps.now()
  // Only an administrator can add it, and it is the server's own name.
  const isPanelDomain = hostname === deps.config.PANEL_DOMAIN && pathPrefix === null
  const isVerified = proof !== undefined || isPanelDomain
  const mailHost = await findMailHost(trx, userId, hostname)
  const parent = explicit ?? proof
  const values = {
    status: isVerified ? 'ACTIVE' : 'PENDING',
    verificationToken: isVerified ? null : `panel-verify-${randomBytes(16).toString('hex')}`,
    projectId: input.projectId ?? null,
    // A mail host must not become its own parent.
    parentId: parent && parent.id === mailHost?.id ? mailHost.parentId : (parent?.id ?? null),
    pathPrefix,
    isMailHost: false,
    probeAt: null,
    verifiedAt: isVerified ? now : null,
    createdAt: now
  } as const
  // Takes over the mail host's row, with its certificate.
  const domain = mailHost
    ? await updateDomain(trx, mailHost.id, values, now)
    : await insertDomain(trx, { ...values, id: newId(now.getTime()), userId, hostname, updatedAt: now })
  if (!domain) throw hostnameExists(hostname)
  if (!isVerified) {
    await claim(deps, trx, domain)
    return domain
  }
  return reserveName(deps, trx, domain)
}

/** Reserves the hostname and runs `verified` hooks. The caller locks account or row. Resolves with the updated row. */
export async function reserveName(deps: Dependencies, trx: Transaction, domain: DomainRow): Promise<DomainRow> {
  if (!(await reserveForAccount(trx, domain.userId, domain.hostname))) throw hostnameExists(domain.hostname)
  for (const feature of deps.features) await feature.domain?.verified?.(deps, trx, domain)
  return (await findDomain(trx, domain.id, domain.userId)) ?? domain
}

function validateHostname(config: Dependencies['config'], text: string, isAdmin: boolean): string {
  const parsed = parseDomainName(text)
  if ('problem' in parsed)
    throw new AppError('VALIDATION_ERROR', `hostname ${parsed.problem}`, {
      details: [{ path: 'hostname', message: parsed.problem }]
    })
  const { BASE_DOMAIN: baseDomain, PANEL_DOMAIN: panelDomain, DNS_NAMESERVERS: nameservers } = config
  if (isReservedName(parsed.hostname, { baseDomain, panelDomain, nameservers }, isAdmin))
    throw new AppError('HOSTNAME_RESERVED', `${parsed.hostname} is reserved for the panel`)
  return parsed.hostname
}

async function getOwnParent(trx: Transaction, parentId: string, userId: string, hostname: string): Promise<DomainRow> {
  const parent = await getOwnDomain(trx, parentId, userId)
  const isParent = !parent.hostname.startsWith('*.') && isAtOrBelow(baseOf(hostname), parent.hostname)
  if (isParent) return parent
  const message = `must be a parent domain of ${hostname}; ${parent.hostname} is not`
  throw new AppError('VALIDATION_ERROR', `parentId ${message}`, { details: [{ path: 'parentId', message }] })
}

/**
 * The same name with another prefix, or else the nearest parent. If the nearest parent belongs to another account,
 * a more distant one of this account proves nothing.
 */
export async function findProof(trx: Queryable, userId: string, hostname: string): Promise<DomainRow | undefined> {
  const candidates = [hostname, ...namesAbove(hostname)]
  const verified = await listActiveDomains(trx, candidates)
  for (const name of candidates) {
    const nearest = verified.find((row) => row.hostname === name)
    if (nearest) return nearest.userId === userId ? nearest : undefined
  }
  return undefined
}

async function refuseTaken(trx: Transaction, userId: string, hostname: string): Promise<void> {
  const holder = await findHostname(trx, hostname)
  if (!holder || holder.userId === userId) return
  if (holder.projectId !== null) throw new AppError('HOSTNAME_RESERVED', `${hostname} is the hostname of a project`)
  throw hostnameExists(hostname)
}

async function claim(deps: Dependencies, trx: Transaction, domain: DomainRow): Promise<void> {
  const { hostname, verificationToken } = domain
  const value = challengeValue(verificationToken!)
  const challenge = { type: 'TXT', name: challengeName(hostname), value, ttl: challengeTtl } as const
  for (const feature of deps.features) await feature.domain?.claimed?.(deps, trx, domain, challenge)
}

export const hostnameExists = (hostname: string) =>
  new AppError('HOSTNAME_EXISTS', `${hostname} already exists in your account or is verified by another account`)
