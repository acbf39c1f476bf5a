import type { Dependencies } from '../../dependencies.ts'
import { renderZoneText } from '../dns-zones/zone-rendering.service.ts'
import { findZone, readZoneRecords } from '../dns-zones/zone-access.ts'
import { baseOf } from '../domains/hostname.policy.ts'
import { getManagedDomain } from './record-access.ts'
import { movingZone } from './zone-change.service.ts'

/** For a domain in another zone, a zone of its own name with its own records; for a wildcard, of its parent. */
export async function exportZone(
  deps: Pick<Dependencies, 'config' | 'db'>,
  userId: string,
  domainId: string
): Promise<{ fileName: string; text: string }> {
  const domain = await getManagedDomain(deps.db, domainId, userId)
  const zone = await findZone(deps.db, domain.zoneId)
  if (!zone) throw movingZone(domain)
  const isApex = domain.hostname === zone.name
  const rendered = await renderZoneText({
    name: baseOf(domain.hostname),
    serial: zone.serial,
    nameservers: deps.config.DNS_NAMESERVERS,
    hostmaster: deps.config.DNS_HOSTMASTER,
    records: await readZoneRecords(deps.db, domain.zoneId, isApex ? undefined : domainId)
  })
  if ('problem' in rendered) throw new Error(rendered.problem)
  const { text } = rendered
  return { fileName: `${domain.hostname.replace('*', '_wildcard')}.zone`, text }
}
