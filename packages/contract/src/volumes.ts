import { z } from 'zod'
import { Id, Timestamp } from './common.ts'
import { words } from './details.ts'

/** Of a project. */
export const maxVolumes = 10

export const VolumeName = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,28}[a-z0-9])?$/, words.VOLUME_NAME)
  .meta({ examples: ['uploads'] })

/** Its rules beyond the form are in the server (features/volumes/volume-path.policy.ts). */
const VolumePath = z
  .string()
  .max(200)
  .regex(/^(?:\/[A-Za-z0-9._@+-]+)+$/, words.VOLUME_PATH)
  .meta({ description: 'Absolute path in the container.', examples: ['/app/uploads'] })

const sizeMb = z
  .int()
  .min(1)
  .max(10_485_760)
  .meta({
    description:
      'In MiB. The panel measures it every DISK_MEASURE_SECONDS and refuses its own uploads above it; what the application writes in between is not refused. ' +
      'A volume that is above its size and keeps growing for DISK_GRACE_SECONDS stops the project. The disk quota of the account applies as well.',
    examples: [1024]
  })

export const ProjectVolume = z
  .object({
    id: Id.meta({ description: 'Use it in place of the project in `/api/files/{id}/…` to work with its files.' }),
    name: z.string(),
    path: z.string(),
    sizeMb: z.int(),
    usedBytes: z.int(),
    measuredAt: Timestamp.nullable().meta({ description: 'Null before the first measurement.' }),
    isFull: z.boolean(),
    isMounted: z.boolean().meta({ description: 'Whether the live release has it.' }),
    createdAt: Timestamp
  })
  .meta({ id: 'ProjectVolume' })
export type ProjectVolume = z.infer<typeof ProjectVolume>

export const VolumeList = z.object({ volumes: z.array(ProjectVolume) }).meta({ id: 'VolumeList' })
export type VolumeList = z.infer<typeof VolumeList>

export const CreateVolume = z.object({
  name: VolumeName,
  path: VolumePath,
  sizeMb: sizeMb.default(1024),
  overCode: z.boolean().default(false).meta({
    description:
      'true: also over the folder of the application itself. The volume then keeps the files of the first release, and later releases do not change them.'
  })
})
export type CreateVolume = z.infer<typeof CreateVolume>

export const ResizeVolume = z.object({ sizeMb })

export const DeleteVolume = z.object({
  name: z.string().max(60).meta({ description: 'The name of the volume again, because its files are lost.' })
})
