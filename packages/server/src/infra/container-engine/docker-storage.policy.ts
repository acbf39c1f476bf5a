import type { Mount } from '../disk/mount.policy.ts'
import type { EngineInfo } from './docker-answers.ts'

/**
 * Whether the engine can hold a container's own layer to a size: with overlay2, on XFS that is mounted with quotas of projects. Of the file
 * system the engine says its name; of the quotas nothing, so that is read from the mount of its directory.
 */
export const canLimitLayers = ({ Driver, DriverStatus }: EngineInfo, mount: Mount | undefined): boolean =>
  Driver === 'overlay2' &&
  (DriverStatus ?? []).some(([name, value]) => name === 'Backing Filesystem' && value === 'xfs') &&
  mount?.type === 'xfs' &&
  [...mount.options, ...mount.superOptions].some((option) => ['prjquota', 'pquota'].includes(option))
