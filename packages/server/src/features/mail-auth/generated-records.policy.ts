import { defaultTtl } from '@panel/contract/dns-records'
import type { MtaStsMode, RequiredRecord } from '@panel/contract/mail-auth'
import type { ZoneRecord } from '../dns-zones/zone-record.types.ts'
import type { RecordValues } from '../dns-zones/record.policy.ts'
import type { MailServicePorts } from '../mail-clients/client-settings.policy.ts'
import type { MailHostLabel } from '../mail-clients/mail-hosts.policy.ts'
import { isDmarcRecord, isSpfRecord } from './auth-checks.policy.ts'
import { dkimName, dkimValue } from './dkim-record.policy.ts'
import { isMtaStsRecord, mtaStsValue } from './mta-sts.policy.ts'

export type RecordPurpose = RequiredRecord['purpose']

export interface GeneratedRecord {
  purpose: RecordPurpose
  values: RecordValues & { type: RequiredRecord['type'] }
}

export interface GeneratedFor {
  hostname: string
  serverIp: string
  /** Target of `mail.<hostname>`. */
  hostIp: string
  keys: readonly { selector: string; publicKey: string }[]
  hosts: ReadonlySet<MailHostLabel>
  ports: MailServicePorts
  mtaStsMode: MtaStsMode
}

export function generatedRecords(facts: GeneratedFor): GeneratedRecord[] {
  const { hostname, serverIp, hostIp, keys, hosts } = facts
  return [
    record('SPF', 'TXT', '@', `v=spf1 mx a ip4:${serverIp} ~all`),
    ...keys.map(({ selector, publicKey }) => record('DKIM', 'TXT', dkimName(selector), dkimValue(publicKey))),
    record('DMARC', 'TXT', '_dmarc', `v=DMARC1; p=none; rua=mailto:postmaster@${hostname}; pct=100`),
    record('MX', 'MX', '@', `mail.${hostname}`, { priority: 10 }),
    record('Mail host', 'A', 'mail', hostIp),
    ...[...hosts].filter((label) => label !== 'mail').map((label) => record('Mail host', 'A', label, hostIp)),
    ...serviceRecords(facts),
    ...(hosts.has('mta-sts') ? [record('MTA-STS', 'TXT', '_mta-sts', mtaStsValue(hostname, facts.mtaStsMode))] : []),
    record('TLS-RPT', 'TXT', '_smtp._tls', `v=TLSRPTv1; rua=mailto:postmaster@${hostname}`)
  ]
}

/** RFC 6186, RFC 8314 §5.1, RFC 5804 §1.8. Target `.`: unavailable (POP3, and IMAP without implicit TLS). */
function serviceRecords({ hostname, ports, hosts }: GeneratedFor): GeneratedRecord[] {
  const at = (name: string, port: number, target = `mail.${hostname}`) =>
    record('Service', 'SRV', `_${name}._tcp`, target, { priority: 0, weight: target === '.' ? 0 : 1, port })
  return [
    at('imaps', ports.IMAPS_PORT),
    at('imap', ports.IMAP_PORT, '.'),
    at('pop3s', 995, '.'),
    at('pop3', 110, '.'),
    at('submissions', ports.SUBMISSIONS_PORT),
    at('submission', ports.SUBMISSION_PORT),
    at('sieve', ports.MANAGESIEVE_PORT),
    ...(hosts.has('autodiscover') ? [at('autodiscover', 443, `autodiscover.${hostname}`)] : [])
  ]
}

const record = (
  purpose: RecordPurpose,
  type: RequiredRecord['type'],
  name: string,
  value: string,
  numbers: Partial<Pick<RecordValues, 'priority' | 'weight' | 'port'>> = {}
): GeneratedRecord => ({
  purpose,
  values: { name, type, value, ttl: defaultTtl, priority: null, weight: null, port: null, ...numbers }
})

export const recordKey = ({ type, name }: Pick<RecordValues, 'type' | 'name'>): string => `${type} ${name}`

type There = Pick<ZoneRecord, 'type' | 'value'>

/** By purpose: an existing record that satisfies it. The owner's records are never overwritten or duplicated. */
export const isThere: Readonly<Record<RecordPurpose, (there: There) => boolean>> = {
  SPF: ({ type, value }) => type === 'TXT' && isSpfRecord(value),
  DKIM: ({ type }) => type === 'TXT',
  DMARC: ({ type, value }) => type === 'TXT' && isDmarcRecord(value),
  MX: ({ type }) => type === 'MX',
  'Mail host': ({ type }) => type === 'A' || type === 'AAAA' || type === 'CNAME',
  Service: ({ type }) => type === 'SRV',
  'MTA-STS': ({ type, value }) => type === 'TXT' && isMtaStsRecord(value),
  'TLS-RPT': ({ type, value }) => type === 'TXT' && /^v=TLSRPTv1/i.test(value)
}
