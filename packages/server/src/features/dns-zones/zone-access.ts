export {
  deleteZone,
  findZone,
  insertZone,
  listZoneDomainIds,
  listRecordsAround,
  listRecordsNamed,
  lockZone,
  markZoneChanged,
  readZoneRecords,
  type StoredRecord,
  type ZoneRow
} from './zones.repository.ts'
export { removeFromZones } from './zone-membership.repository.ts'
