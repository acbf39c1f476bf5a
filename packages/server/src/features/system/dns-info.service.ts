import type { DnsInfo, DnsInfoVerification } from '@panel/contract/system'
import type { Dependencies } from '../../dependencies.ts'
import { probedName } from '../domains/hostname.policy.ts'
import { dnsInfoOf, verifiedRecord } from './dns-info.policy.ts'

export function getDnsInfo({ config }: Pick<Dependencies, 'config'>): DnsInfo {
  return dnsInfoOf(config)
}

/** Looks all records up at once; takes as long as the slowest resolver, within its time limit. */
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
