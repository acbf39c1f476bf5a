import type { ProjectVolume } from '@panel/contract/volumes'
import type { ProjectRow } from '../projects/project-access.ts'
import type { VolumeRow } from './volumes.repository.ts'

export const mebibyte = 2 ** 20

export const volumeView = (
  { id, name, path, sizeMb, usedBytes, measuredAt, createdAt }: VolumeRow,
  { mountedVolumes }: Pick<ProjectRow, 'mountedVolumes'>
): ProjectVolume => ({
  id,
  name,
  path,
  sizeMb,
  usedBytes,
  measuredAt: measuredAt?.toISOString() ?? null,
  isFull: usedBytes >= sizeMb * mebibyte,
  isMounted: mountedVolumes.split(',').includes(id),
  createdAt: createdAt.toISOString()
})
