import type { CreatedDomain, Domain } from '@panel/contract/domains'
import type { Dependencies } from '../../dependencies.ts'
import type { DomainRow } from './domains.repository.ts'
import { publicIpOf } from './public-ip.service.ts'
import { challengeName, challengeValue } from './verification.policy.ts'

/** A domain and whether a certificate of its own is served for it. */
export function domainView(domain: DomainRow, sslEnabled: boolean): Domain {
  const { id, hostname, status, verificationToken, projectId, parentId, pathPrefix, dnsMode } = domain
  return {
    id,
    hostname,
    status,
    sslEnabled,
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

/** A domain with what proves its ownership, until that is done. */
export function instructedDomainView(
  config: Dependencies['config'],
  domain: DomainRow,
  sslEnabled: boolean
): CreatedDomain {
  const { hostname, verificationToken, status } = domain
  return {
    ...domainView(domain, sslEnabled),
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
