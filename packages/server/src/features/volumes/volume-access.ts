export { mountVolumes } from './mounts.service.ts'
export { findVolumeNamed, listOutdatedMounts, listVolumes, volumeIdsOf, type VolumeRow } from './volumes.repository.ts'
