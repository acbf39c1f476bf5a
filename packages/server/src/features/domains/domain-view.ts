import type { CreatedDomain, Domain } from '@panel/contract/domains'
import type { Dependencies } from '../../dependencies.ts'
import { evaluateExpiry } from './certificate-expiry.policy.ts'
import type { CertificateFacts, DomainRow } from './domains.repository.ts'
import { publicIpOf } from './public-ip.service.ts'
import { challengeName, challengeValue } from './verification.policy.ts'

export function domainView(domain: DomainRow, certificate: CertificateFacts | null, now: Date): Domain {
  const { id, hostname, status, verificationToken, projectId, parentId, pathPrefix, dnsMode } = domain
  return {
    id,
    hostname,
    status,
    sslEnabled: certificate?.isServed ?? false,
    certificate: certificate && {
      status: evaluateExpiry(certificate.status, certificate.validTo, now),
      validTo: certificate.validTo?.toISOString() ?? null
    },
    verificationToken,
    projectId,
    parentId,
    pathPrefix,
    isWildcard: hostname.startsWith('*.'),
    dnsMode,
    createdAt: domain.createdAt.toISOString(),
    updatedAt: domain.updatedAt.toISOString()
  }
}

export function domainDetailView(
  { config, now }: Pick<Dependencies, 'config' | 'now'>,
  domain: DomainRow,
  certificate: CertificateFacts | null
): CreatedDomain {
  const { hostname, verificationToken, status } = domain
  return {
    ...domainView(domain, certificate, now()),
    verificationInstructions:
      verificationToken === null || status === 'ACTIVE'
        ? null
        : {
            recordType: 'TXT',
            recordName: challengeName(hostname),
            recordValue: challengeValue(verificationToken),
            routingRecord: { recordType: 'A', recordName: hostname, publicIp: publicIpOf(config) }
          }
  }
}
