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

// Long enough to load all certificates after a restore.
const waitMs = 60_000

/** Reads and applies under one lock, so that no process applies an outdated certificate. */
const withCertificates = <T>(deps: Pick<Deps, 'db'>, work: () => Promise<T>): Promise<T> =>
  withLock(deps.db, 'certificates', { waitMs, ifHeld: refuse }, work)

const refuse = () => {
  throw new AppError('REVERSE_PROXY_UNAVAILABLE', 'Timed out waiting for another certificate update', {
    remedy: 'TRY_AGAIN'
  })
}

export const applyCertificate = workerVerb('certificates.apply', [Id], applyCertificateHere)

async function applyCertificateHere(deps: Deps, id: string): Promise<void> {
  await withCertificates(deps, async () => {
    const certificate = await loadCertificate(deps, id)
    if (certificate) await deps.proxy.setCertificate(certificate)
    else await deps.proxy.removeCertificate(id)
  })
}

/** Sets certificate and HTTPS of all routes of the hostname. Logs failures; the reconciler retries. */
export async function tryApplyCertificate(
  deps: Deps & Pick<Dependencies, 'config' | 'instanceId' | 'logger' | 'network'>,
  { id, hostname, isGone = false }: { id: string; hostname: string; isGone?: boolean }
): Promise<void> {
  const certificate = () => applyCertificate(deps, id)
  const routes = async () => applyRoutes(deps, await listActiveDomains(deps.db, [hostname]))
  try {
    // Never redirect to HTTPS while there is no certificate.
    for (const step of isGone ? [routes, certificate] : [certificate, routes]) await step()
  } catch (error) {
    deps.logger.warn({ certificate: id, error: messageOf(error) }, 'Could not apply certificate')
  }
}

/** Decrypts missing ones only. `isAudit` asks the running proxy instead of this process's memory. */
export async function syncCertificates(deps: Deps, isAudit = true): Promise<boolean> {
  return withCertificates(deps, async () =>
    deps.proxy.syncCertificates(await listVersions(deps.db), (id) => loadCertificate(deps, id), { isAudit })
  )
}

/** A certificate that the proxy rejects is not retried until something changes. */
export async function reconcileCertificates(deps: Deps & Pick<Dependencies, 'logger'>, isAudit = true): Promise<void> {
  try {
    await syncCertificates(deps, isAudit)
  } catch (error) {
    if (!(error instanceof CertificateRefusedError)) throw error
    deps.logger.warn({ error: messageOf(error) }, 'Proxy rejected certificate')
  }
}

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

/** Served for its domain's hostname only: other names in an uploaded certificate may belong to other accounts. */
const open = (deps: Pick<Deps, 'secretBox'>, row: ServedRow): ServedCertificate => ({
  id: row.id,
  fingerprint: row.fingerprint ?? '',
  hostnames: [row.hostname],
  chain: row.chain ?? '',
  keyPem: deps.secretBox.open(row.encryptedKey ?? '')
})
