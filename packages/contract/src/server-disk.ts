import { z } from 'zod'
import { Id, Timestamp } from './common.ts'

/** What takes the room. OTHER is the rest of a disk: the operating system, and what is not the panel's. */
export const serverDiskKinds = [
  'PROJECTS',
  'DATABASES',
  'MAIL',
  'IMAGES',
  'BUILD_CACHE',
  'OTHER_IMAGES',
  'CONTAINERS',
  'BACKUPS',
  'STORE',
  'LOGS',
  'TEMPORARY',
  'OTHER'
] as const
export const ServerDiskKind = z.enum(serverDiskKinds)
export type ServerDiskKind = z.infer<typeof ServerDiskKind>

export const diskCleanupKinds = [
  'BUILD_CACHE',
  'RELEASES',
  'LEFTOVERS',
  'BACKUP_CACHE',
  'LOGS',
  'OTHER_IMAGES'
] as const
export const DiskCleanupKind = z.enum(diskCleanupKinds)
export type DiskCleanupKind = z.infer<typeof DiskCleanupKind>

/** Why removing each kind is safe, or what it costs. */
export const diskCleanupTexts = {
  BUILD_CACHE: 'Layers that only speed up builds. No release needs them, and builds make them again.',
  RELEASES:
    'Images beyond the releases that are kept per project, and of failed builds. Live releases and rollbacks stay.',
  LEFTOVERS: 'Temporary files of work that was interrupted more than a day ago. What a restore can undo stays.',
  BACKUP_CACHE: 'Copies of backup indexes. The next backup fetches them again.',
  LOGS: 'Logs of the panel’s programs above 1 MB are emptied. Logs of projects and the audit log stay.',
  OTHER_IMAGES:
    'Images that the panel did not make and that no container or project uses. If another tool needs one, it must pull it again.'
} as const satisfies Record<DiskCleanupKind, string>

const bytes = z.int().nonnegative()

export const ServerDiskFileSystem = z
  .object({
    path: z.string().meta({ description: 'Where it is mounted.', examples: ['/'] }),
    isPanels: z.boolean().meta({ description: 'Whether it holds DATA_DIR; the forecast is about this disk.' }),
    totalBytes: bytes,
    usedBytes: bytes,
    freeBytes: bytes.meta({ description: 'What programs other than root can still write.' }),
    kinds: z
      .array(z.object({ kind: ServerDiskKind, bytes }))
      .meta({ description: 'Largest first. Images count as the container engine reports them.' })
  })
  .meta({ id: 'ServerDiskFileSystem' })
export type ServerDiskFileSystem = z.infer<typeof ServerDiskFileSystem>

export const ServerDiskProject = z
  .object({
    id: Id,
    name: z.string(),
    filesBytes: bytes.meta({ description: 'Files and git repository.' }),
    imagesBytes: bytes.meta({ description: 'Releases and build cache.' }),
    bytes
  })
  .meta({ id: 'ServerDiskProject' })
export type ServerDiskProject = z.infer<typeof ServerDiskProject>

export const DiskForecast = z
  .object({
    bytesPerDay: z.number().meta({ description: 'Slope of a linear fit; negative if usage falls.' }),
    daysUntilFull: z.number().nullable().meta({ description: 'Null if usage does not grow, or not within ten years.' }),
    since: Timestamp.meta({ description: 'Start of the history that was used: up to 14 days, at least one.' })
  })
  .meta({ id: 'DiskForecast' })
export type DiskForecast = z.infer<typeof DiskForecast>

export const diskCleanupStatuses = ['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED'] as const
export const DiskCleanupStatus = z.enum(diskCleanupStatuses)

export const DiskCleanupResult = z
  .object({
    kind: DiskCleanupKind,
    total: z.int().meta({ description: 'Items that were found.' }),
    removed: z.int(),
    failed: z
      .int()
      .meta({ description: 'Items that could not be removed, for example because they are in use by now.' }),
    bytes: bytes.meta({ description: 'Size of the removed items.' }),
    problem: z.string().nullable()
  })
  .meta({ id: 'DiskCleanupResult' })
export type DiskCleanupResult = z.infer<typeof DiskCleanupResult>

export const DiskCleanup = z
  .object({
    id: Id,
    status: DiskCleanupStatus.meta({ description: 'FAILED: a kind could not be cleaned; the others were.' }),
    kinds: z.array(DiskCleanupKind),
    results: z.array(DiskCleanupResult).meta({ description: 'One per kind that was begun; updated while it runs.' }),
    createdAt: Timestamp,
    endedAt: Timestamp.nullable()
  })
  .meta({ id: 'DiskCleanup' })
export type DiskCleanup = z.infer<typeof DiskCleanup>

export const ServerDisk = z
  .object({
    measuredAt: Timestamp.nullable().meta({ description: 'Null before the first measurement.' }),
    disks: z.array(ServerDiskFileSystem),
    projects: z.array(ServerDiskProject).meta({ description: 'The 50 largest.' }),
    forecast: DiskForecast.nullable().meta({ description: 'Null until there is a day of history.' }),
    alertPercent: z.number().meta({ description: 'ALERT_DISK_PERCENT.' }),
    alertDays: z.int().meta({ description: 'ALERT_DISK_DAYS.' }),
    cleanup: DiskCleanup.nullable().meta({ description: 'The latest cleanup.' })
  })
  .meta({ id: 'ServerDisk' })
export type ServerDisk = z.infer<typeof ServerDisk>

export const DiskCleanupGroup = z
  .object({
    kind: DiskCleanupKind,
    about: z.string().meta({ description: 'Why removing it is safe.' }),
    isRecommended: z.boolean().meta({ description: 'False for what the panel did not make.' }),
    count: z.int(),
    bytes,
    items: z.array(z.object({ name: z.string(), bytes })).meta({ description: 'The 20 largest.' }),
    problem: z.string().nullable().meta({ description: 'Why it could not be listed.' })
  })
  .meta({ id: 'DiskCleanupGroup' })
export type DiskCleanupGroup = z.infer<typeof DiskCleanupGroup>

export const DiskCleanupPreview = z.object({ groups: z.array(DiskCleanupGroup) }).meta({ id: 'DiskCleanupPreview' })
export type DiskCleanupPreview = z.infer<typeof DiskCleanupPreview>

export const StartDiskCleanup = z
  .object({
    kinds: z
      .array(DiskCleanupKind)
      .min(1)
      .max(diskCleanupKinds.length)
      .transform((kinds) => [...new Set(kinds)])
      .meta({ description: 'Kinds of the preview. What each holds is determined again when it runs.' })
  })
  .meta({ id: 'StartDiskCleanup' })
export type StartDiskCleanup = z.infer<typeof StartDiskCleanup>
