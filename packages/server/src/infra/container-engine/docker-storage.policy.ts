import type { Mount } from '../disk/mount.policy.ts'
import type { EngineInfo } from './docker-answers.ts'

/** overlay2 on XFS with project quotas. The engine does not report quotas, so they come from the mount options. */
export const canLimitLayers = ({ Driver, DriverStatus }: EngineInfo, mount: Mount | undefined): boolean =>
  Driver === 'overlay2' &&
  (DriverStatus ?? []).some(([name, value]) => name === 'Backing Filesystem' && value === 'xfs') &&
  mount?.type === 'xfs' &&
  [...mount.options, ...mount.superOptions].some((option) => ['prjquota', 'pquota'].includes(option))
