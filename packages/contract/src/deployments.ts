import { z } from 'zod'
import { Id, pageQuery, Pagination, sentencesOf, ShellLine, singleLine, Timestamp, unlessFalse } from './common.ts'
import { failureTexts } from './failure-texts.ts'
import { fullScope } from './field-scope.ts'
import { maxInstances, WorkerName } from './processes.ts'

export const deploymentStatuses = ['QUEUED', 'BUILDING', 'DEPLOYING', 'RUNNING', 'FAILED', 'CANCELLED'] as const
export const DeploymentStatus = z.enum(deploymentStatuses).meta({
  description:
    'QUEUED: waiting. BUILDING: the image is being built. DEPLOYING: the container is starting. RUNNING: finished successfully; ' +
    '`active` says which deployment is live now. FAILED (see `failure`) and CANCELLED: the previous release stays live.'
})
export type DeploymentStatus = z.infer<typeof DeploymentStatus>

export const openStatuses = ['QUEUED', 'BUILDING', 'DEPLOYING'] as const satisfies readonly DeploymentStatus[]

export const deploymentTriggers = ['MANUAL', 'WEBHOOK', 'DEPLOY', 'ROLLBACK', 'UPLOAD', 'SNAPSHOT'] as const
export const DeploymentTrigger = z.enum(deploymentTriggers).meta({
  description:
    'MANUAL: `buildProject`. WEBHOOK: a push, or a newer image. DEPLOY: the latest image again. ROLLBACK: a previous image. UPLOAD: a folder or archive, ' +
    'by `uploadSource`. SNAPSHOT: the files of a project whose source is FILES, by `buildProject` and before other files replace them.'
})
export type DeploymentTrigger = z.infer<typeof DeploymentTrigger>

const failurePhases = ['PREPARE', 'SOURCE', 'BUILD', 'RELEASE', 'START'] as const
export const FailurePhase = z.enum(failurePhases)
export type FailurePhase = z.infer<typeof FailurePhase>

export const FailureSentences = sentencesOf('FailureCode', failureTexts)

export const DeploymentFailure = z
  .object({
    phase: FailurePhase.meta({
      description:
        'PREPARE: preparing. SOURCE: fetching the repository. BUILD: building the image. RELEASE: running the release command. START: starting the container.'
    }),
    reason: z.string().meta({ description: 'One sentence, the same as at the end of the log. Secrets are masked.' }),
    sentences: FailureSentences,
    exitCode: z
      .int()
      .nullable()
      .meta({ description: 'Exit code of the build step or container; null if none exited.' }),
    line: z.int().nullable().meta({
      description: 'Log line, 1-based, of the first error, or else of the reason; null if unknown.'
    })
  })
  .meta({ id: 'DeploymentFailure' })
export type DeploymentFailure = z.infer<typeof DeploymentFailure>
/** The stored form: older versions did not write sentences. */
export type StoredDeploymentFailure = Omit<DeploymentFailure, 'sentences'> & Partial<DeploymentFailure>

export const DeploymentUpload = z
  .object({
    folder: z.string().meta({ description: 'Name of the folder.', examples: ['shop'] }),
    by: z.string().meta({ description: 'Email address of the account that uploaded it.' }),
    files: z.int(),
    bytes: z.int().meta({ description: 'Size of the files.' })
  })
  .meta({ id: 'DeploymentUpload' })
export type DeploymentUpload = z.infer<typeof DeploymentUpload>

export const DeploymentSnapshot = z
  .object({
    archive: z.string().nullable().meta({ description: 'Name of the uploaded archive or folder; null: the files of the project.', examples: ['shop.zip'] }), // oxfmt-ignore
    files: z.int(),
    bytes: z.int().meta({ description: 'Size of the files.' })
  })
  .meta({ id: 'DeploymentSnapshot' })
export type DeploymentSnapshot = z.infer<typeof DeploymentSnapshot>

export const UploadSourceQuery = z.object({
  folder: singleLine(100)
    .min(1)
    .default('folder')
    .meta({
      description: 'Name of the folder or archive, shown with the deployment.',
      examples: ['shop']
    })
})
export type UploadSourceQuery = z.infer<typeof UploadSourceQuery>

export const Deployment = z
  .object({
    id: Id,
    status: DeploymentStatus,
    active: z.boolean().meta({ description: 'Whether this deployment is live.' }),
    failure: DeploymentFailure.nullable().meta({
      description: 'Null unless `status` is FAILED, and for old deployments.'
    }),
    trigger: DeploymentTrigger,
    commitHash: z.string().nullable(),
    commitMsg: z.string().nullable(),
    sourceImage: z
      .object({ reference: z.string(), digest: z.string() })
      .nullable()
      .meta({ description: 'The image from a registry, and the digest that its tag had. Only for the type IMAGE.' }),
    upload: DeploymentUpload.nullable().meta({
      description: 'The uploaded folder that it was built from; null if it was built from the repository.'
    }),
    snapshot: DeploymentSnapshot.nullable()
      .optional()
      .meta({ description: 'The files of the project at this deployment. Only if the source is FILES.' }),
    buildLogs: z
      .string()
      .nullable()
      .meta({
        description:
          'The log, up to its last 1 MiB; in lists up to the last 16 KiB each. By default the latest 20 logs per project and 100 MB per ' +
          'account are kept; if the log was removed, this says so.'
      }),
    duration: z.int().nullable().meta({ description: 'Seconds from start to end.' }),
    canRollback: z.boolean().meta({
      description:
        'Whether its image, and its snapshot if the source is FILES, are still kept, so that you can roll back to it.'
    }),
    projectId: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
  .meta({ id: 'Deployment' })
export type Deployment = z.infer<typeof Deployment>

export const DeploymentQuery = z.object({
  ...pageQuery(10, 50),
  logs: unlessFalse('`false` omits the logs: `buildLogs` is null.')
})
export type DeploymentQuery = z.infer<typeof DeploymentQuery>
export const OneDeploymentQuery = DeploymentQuery.pick({ logs: true })
export type OneDeploymentQuery = z.infer<typeof OneDeploymentQuery>
export const DeploymentList = z
  .object({ deployments: z.array(Deployment), pagination: Pagination })
  .meta({ id: 'DeploymentList' })

export const DeploymentChanges = z
  .object({
    base: z.object({ deploymentId: Id, commitHash: z.string() }).nullable().meta({
      description: 'The previous release; null for the first, or if it had no commit.'
    }),
    commits: z
      .array(
        z.object({
          hash: z.string(),
          subject: z.string().meta({ description: 'Up to 300 characters.' }),
          author: z.string(),
          at: Timestamp
        })
      )
      .meta({ description: 'Commits since the previous release, newest first, up to 50.' }),
    complete: z.boolean().meta({
      description:
        'Whether the list is complete. False if there are more commits, or if one of the two is no longer on the branch.'
    })
  })
  .meta({ id: 'DeploymentChanges' })
export type DeploymentChanges = z.infer<typeof DeploymentChanges>

const logOffset = z
  .number()
  .int()
  .min(0)
  .max(2 ** 40)
export const DeploymentLogQuery = z.object({
  after: z.coerce
    .number()
    .pipe(logOffset)
    .default(0)
    .meta({ description: 'The `next` of the previous piece; 0 is the beginning.' }),
  tail: z.coerce.number().int().min(1).max(10_000).optional().meta({
    description: 'Instead of `after`: the last lines, up to this number and the size of a piece.'
  })
})
export type DeploymentLogQuery = z.infer<typeof DeploymentLogQuery>
/** `subscribe:deployment-log` */
export const DeploymentLogSubscription = z.object({ deploymentId: Id, after: logOffset.default(0) })
export const DeploymentLogPiece = z
  .object({
    offset: z.int(),
    text: z.string().meta({ description: 'Up to 256 KiB. Secrets are masked as in `buildLogs`.' }),
    next: z.int().meta({ description: 'UTF-8 byte offset of the next piece.' }),
    complete: z.boolean().meta({ description: 'Whether the deployment has ended and this is the end of its log.' }),
    removed: z.boolean().meta({ description: 'Whether the log was removed to save space.' }),
    line: z.int().optional().meta({ description: 'With `tail`: the number of the first line, 1-based.' })
  })
  .meta({ id: 'DeploymentLogPiece' })
export type DeploymentLogPiece = z.infer<typeof DeploymentLogPiece>

export const BuildRequest = z
  .object({
    buildCmd: fullScope(ShellLine.nullish()).meta({
      description:
        'Replaces the project’s build command for this build. API tokens need the scope full, because the command sees all variables.'
    }),
    retryOf: Id.optional().meta({
      description:
        'A deployment to repeat: if it was built from an uploaded folder, builds that folder again instead of the branch.'
    })
  })
  .nullish()
export type BuildRequest = z.infer<typeof BuildRequest>
export const DeployRequest = z.object({ domain: singleLine(253).toLowerCase().optional() }).nullish()

export const DeployResult = z
  .object({ containerId: z.string(), internalPort: z.int(), deployedDomain: z.string(), containerStatus: z.string() })
  .meta({ id: 'DeployResult' })
export type DeployResult = z.infer<typeof DeployResult>

const containerActions = ['start', 'stop', 'restart', 'remove'] as const
export const ContainerAction = fullScope(z.enum(containerActions), ['remove']).meta({
  description: '`remove` requires the scope full for API tokens.'
})
export type ContainerAction = z.infer<typeof ContainerAction>

export const ContainerActionResult = z.object({ message: z.string(), containerStatus: z.string().nullable() })
export const ContainerStatus = z.object({ containerStatus: z.string().nullable(), containerId: z.string().nullable() })
const logOf = {
  process: WorkerName.optional().meta({ description: 'A worker. Default: the web process.' }),
  instance: z.coerce.number().int().min(1).max(maxInstances).default(1).meta({ description: 'Instance of the worker.' })
}
export const LogQuery = z.object({
  tail: z.coerce.number().int().min(1).max(10_000).default(200),
  since: z.iso
    .datetime({ offset: true })
    .optional()
    .meta({ description: 'Only lines that were written at this time or later.' }),
  ...logOf
})
export type LogQuery = z.infer<typeof LogQuery>
export const Logs = z.object({ logs: z.string().meta({ description: 'Up to 1 MiB.' }) })
/** A position from `container:log`. */
const LogCursor = z
  .string()
  .max(160)
  .regex(/^[0-9A-Za-z]{12,64}_[0-9TZ:.+-]{1,40}_[0-9]{1,9}$/, 'must be a `next` from container:log')
export const ContainerLogStart = z.object({
  tail: z.number().int().min(1).max(10_000).default(200),
  since: LogCursor.optional(),
  ...logOf
})
export type ContainerLogStart = z.infer<typeof ContainerLogStart>
/** `subscribe:container-log` */
export const ContainerLogSubscription = z.object({ projectId: Id, ...ContainerLogStart.shape })
export type ContainerLogSubscription = z.infer<typeof ContainerLogSubscription>
