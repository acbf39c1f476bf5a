import { Id } from '@panel/contract/common'
import { workerVerb } from '../../worker/worker-verb.ts'
import { withLock } from '../../db/lock.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { messageOf } from '../../text/message-of.ts'
import { CertificateRefusedError, type ServedCertificate } from '../../infra/reverse-proxy/reverse-proxy.ts'
import { listActiveDomains } from '../domains/domain-access.ts'
import { applyRoutes } from '../domains/routing.service.ts'
import { findServed, listVersions, type ServedRow } from './served.repository.ts'

type Deps = Pick<Dependencies, 'db' | 'proxy' | 'secretBox'>

// Of all certificates at once, which a restored server may have to load.
const waitMs = 60_000

/** What was read before a change must not reach the proxy after it, whichever process read it: reading and applying are under one lock. */
const withCertificates = <T>(deps: Pick<Deps, 'db'>, work: () => Promise<T>): Promise<T> =>
  withLock(deps.db, 'certificates', { waitMs, ifHeld: refuse }, work)

const refuse = () => {
  throw new AppError('REVERSE_PROXY_UNAVAILABLE', 'Another process has been at work on the certificates for too long', {
    remedy: 'TRY_AGAIN'
  })
}

/** Brings the proxy to what the store says of this certificate, also of one that is gone. */
export const applyCertificate = workerVerb('certificates.apply', [Id], applyCertificateHere)

async function applyCertificateHere(deps: Deps, id: string): Promise<void> {
  await withCertificates(deps, async () => {
    const certificate = await loadCertificate(deps, id)
    if (certificate) await deps.proxy.setCertificate(certificate)
    else await deps.proxy.removeCertificate(id)
  })
}

/**
 * The same, with all routes of the host name, which turn to HTTPS with it: for a change that is done already. A proxy that is away is
 * told by the reconcile loop.
 */
export async function tryApplyCertificate(
  deps: Deps & Pick<Dependencies, 'config' | 'logger' | 'network'>,
  { id, hostname, isGone = false }: { id: string; hostname: string; isGone?: boolean }
): Promise<void> {
  const certificate = () => applyCertificate(deps, id)
  const routes = async () => applyRoutes(deps, await listActiveDomains(deps.db, [hostname]))
  try {
    // Nobody is sent to HTTPS while there is nothing to serve.
    for (const step of isGone ? [routes, certificate] : [certificate, routes]) await step()
  } catch (error) {
    deps.logger.warn({ certificate: id, error: messageOf(error) }, 'certificate not applied yet')
  }
}

/**
 * Makes the proxy serve exactly the certificates of the store; only those that it lacks are opened. Compares with all that runs, unless
 * it is no audit and this process knows that nothing is missing.
 */
export async function syncCertificates(deps: Deps, isAudit = true): Promise<boolean> {
  return withCertificates(deps, async () =>
    deps.proxy.syncCertificates(await listVersions(deps.db), (id) => loadCertificate(deps, id), { isAudit })
  )
}

/** For the reconcile loop: one that the proxy refuses is not tried again before something changes, as all the others are in place. */
export async function reconcileCertificates(deps: Deps & Pick<Dependencies, 'logger'>, isAudit = true): Promise<void> {
  try {
    await syncCertificates(deps, isAudit)
  } catch (error) {
    if (!(error instanceof CertificateRefusedError)) throw error
    deps.logger.warn({ error: messageOf(error) }, 'certificate refused by the proxy')
  }
}

/** What a proxy that is about to start serves from its first moment. */
export const certificateSource = (deps: Pick<Deps, 'db' | 'secretBox'>) => ({
  list: () => listVersions(deps.db),
  load: (id: string) => loadCertificate(deps, id)
})

async function loadCertificate(
  deps: Pick<Deps, 'db' | 'secretBox'>,
  id: string
): Promise<ServedCertificate | undefined> {
  const row = await findServed(deps.db, id)
  return row && open(deps, row)
}

/** For the host name of its domain alone, whatever else an uploaded one names: other names are for who has verified them. */
const open = (deps: Pick<Deps, 'secretBox'>, row: ServedRow): ServedCertificate => ({
  id: row.id,
  fingerprint: row.fingerprint ?? '',
  hostnames: [row.hostname],
  chain: row.chain ?? '',
  keyPem: deps.secretBox.open(row.encryptedKey ?? '')
})
