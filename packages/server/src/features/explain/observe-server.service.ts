import { certificateProblemTexts } from '@panel/contract/certificate-texts'
import { sentenceText } from '@panel/contract/sentences'
import type { Dependencies } from '../../dependencies.ts'
import { probeFrontDoor } from '../../infra/front-door/front-door.ts'
import { findCaaProblem } from '../certificates/precheck.service.ts'
import { listClosedPorts } from '../firewall/firewall-access.ts'
import { isProxyResponding } from '../uptime-checks/probing.service.ts'
import { findCertificateFor } from './known-host.repository.ts'
import type { CertificateObservations, ServerObservations } from './observations.types.ts'

type Deps = Pick<Dependencies, 'acme' | 'config' | 'db' | 'nodeId' | 'now' | 'publicDns'>

export const userAgent = 'panel-site-check'
const handshakeTimeoutMs = 5_000

export async function observeServer(
  deps: Pick<Deps, 'config' | 'db' | 'nodeId'>
): Promise<Omit<ServerObservations, 'unreachable'>> {
  const { PROXY_HTTP_PORT, PROXY_HTTPS_PORT } = deps.config
  const [isProxyUp, closedPorts] = await Promise.all([
    isProxyResponding(PROXY_HTTP_PORT),
    listClosedPorts(deps, [PROXY_HTTP_PORT, PROXY_HTTPS_PORT])
  ])
  return { isProxyUp, closedPorts }
}

export async function observeCertificate(
  deps: Deps,
  hostname: string,
  signal: AbortSignal
): Promise<CertificateObservations> {
  const found = await findCertificateFor(deps.db, hostname)
  if (!found) return { hostname, certificate: null, caaProblem: null, presented: null }
  const { errorMessage: problem, ...certificate } = found
  const isValid = found.hasContent && found.validTo !== null && found.validTo > deps.now()
  const [caaProblem, presented] = await Promise.all([
    isValid || found.type !== 'LETS_ENCRYPT' ? null : explainCaa(deps, hostname, signal),
    found.hasContent ? presentedFor(deps, hostname) : null
  ])
  return { hostname, certificate: { ...certificate, problem }, caaProblem, presented }
}

async function explainCaa(deps: Deps, hostname: string, signal: AbortSignal): Promise<string | null> {
  // Without an answer of the certificate authority, the reason stored with the order remains.
  const problem = await findCaaProblem(deps, hostname, signal).catch(() => undefined)
  return problem === undefined ? null : sentenceText(certificateProblemTexts, problem)
}

async function presentedFor(
  { config }: Pick<Deps, 'config'>,
  hostname: string
): Promise<CertificateObservations['presented']> {
  const { certificate } = await probeFrontDoor({
    address: '127.0.0.1',
    port: config.PROXY_HTTPS_PORT,
    protocol: 'https',
    hostname,
    path: '/',
    method: 'HEAD',
    userAgent,
    maxBytes: 0,
    timeoutMs: handshakeTimeoutMs
  })
  return certificate
}
