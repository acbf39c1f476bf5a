import type { DnsInfo, DnsInfoVerification } from '@panel/contract/system'
import type { Dependencies } from '../../dependencies.ts'
import { probedName } from '../domains/hostname.policy.ts'
import { dnsInfoOf, verifiedRecord } from './dns-info.policy.ts'

export function getDnsInfo({ config }: Pick<Dependencies, 'config'>): DnsInfo {
  return dnsInfoOf(config)
}

/** Queries all records in parallel; takes as long as the slowest resolver, up to its timeout. */
export async function verifyDnsInfo({
  config,
  publicDns
}: Pick<Dependencies, 'config' | 'publicDns'>): Promise<DnsInfoVerification> {
  const info = dnsInfoOf(config)
  const records = await Promise.all(
    info.records.map(async (record) =>
      verifiedRecord(record, await publicDns.lookUp(probedName(record.name), record.type))
    )
  )
  return { ...info, records }
}
