import type { Dependencies } from '../../dependencies.ts'
import { renderZone } from '../dns-zones/zone.render.ts'
import { findZone, listZoneRecords } from '../dns-zones/zone-access.ts'
import { baseOf } from '../domains/hostname.policy.ts'
import { getManagedDomain } from './record-access.ts'
import { movingZone } from './zone-change.service.ts'

/**
 * The zone as a file. Of a domain in the zone of another one, a zone of its own name with its own records, as if it stood alone; of a
 * wildcard, that of the name it stands below.
 */
export async function exportZone(
  deps: Pick<Dependencies, 'config' | 'db'>,
  userId: string,
  domainId: string
): Promise<{ fileName: string; text: string }> {
  const domain = await getManagedDomain(deps.db, domainId, userId)
  const zone = await findZone(deps.db, domain.zoneId)
  if (!zone) throw movingZone(domain)
  const records = await listZoneRecords(deps.db, domain.zoneId)
  const isApex = domain.hostname === zone.name
  const text = renderZone({
    name: baseOf(domain.hostname),
    serial: zone.serial,
    nameservers: deps.config.DNS_NAMESERVERS,
    hostmaster: deps.config.DNS_HOSTMASTER,
    records: isApex ? records : records.filter((record) => record.domainId === domainId)
  })
  return { fileName: `${domain.hostname.replace('*', '_wildcard')}.zone`, text }
}
