import type { AuthCheckName, AuthChecks, MailDomain, RequiredRecord } from '@panel/contract/mail-auth'
import type { DomainRow } from '../feature.ts'
import { ownerOf } from '../dns-zones/record-name.policy.ts'
import { dkimValue } from './dkim-record.policy.ts'
import { type GeneratedRecord, recordKey, type RecordPurpose } from './generated-records.policy.ts'
import { gradeOf, scoreOf } from './score.policy.ts'

interface MailDomainFacts {
  domain: DomainRow
  mailboxCount: number
  key: { selector: string; publicKey: string } | undefined
  isSigning: boolean
  checks: AuthChecks
  elsewhere: { records: readonly GeneratedRecord[]; checkedAt: Date | null; found: ReadonlySet<string> } | undefined
}

export function mailDomainView({
  domain,
  mailboxCount,
  key,
  isSigning,
  checks,
  elsewhere
}: MailDomainFacts): MailDomain {
  const score = scoreOf(checks)
  return {
    domainId: domain.id,
    domain: domain.hostname,
    dnsMode: domain.dnsMode,
    mailboxCount,
    dkimEnabled: isSigning,
    dkimSelector: key?.selector ?? null,
    dkimRecord: key ? dkimValue(key.publicKey) : null,
    spfConfigured: checks.spf.status === 'pass',
    dmarcConfigured: checks.dmarc.status === 'pass',
    mxConfigured: checks.mx.status === 'pass',
    deliverabilityScore: score,
    deliverabilityGrade: gradeOf(score),
    authChecks: checks,
    checkedAt: elsewhere?.checkedAt?.toISOString() ?? null,
    requiredRecords: (elsewhere?.records ?? []).map((record) =>
      requiredRecord(record, domain.hostname, { checks, found: elsewhere!.found })
    )
  }
}

const checkOf: Partial<Record<RecordPurpose, AuthCheckName>> = { SPF: 'spf', DKIM: 'dkim', DMARC: 'dmarc', MX: 'mx' }

function requiredRecord(
  { purpose, values }: GeneratedRecord,
  hostname: string,
  { checks, found }: { checks: AuthChecks; found: ReadonlySet<string> }
): RequiredRecord {
  const { type, name, value, priority, weight, port, ttl } = values
  const check = checkOf[purpose]
  const isFound = check === undefined ? found.has(recordKey(values)) : checks[check].status === 'pass'
  const isOptional = check === undefined && name !== 'mail'
  return { purpose, type, name: ownerOf(name, hostname), value, priority, weight, port, ttl, isOptional, isFound }
}
