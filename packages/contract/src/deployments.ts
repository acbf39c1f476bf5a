import { z } from 'zod'
import { Id, pageQuery, Pagination, sentencesOf, ShellLine, singleLine, Timestamp, unlessFalse } from './common.ts'
import { failureTexts } from './failure-texts.ts'
import { fullScope } from './field-scope.ts'

export const deploymentStatuses = ['QUEUED', 'BUILDING', 'DEPLOYING', 'RUNNING', 'FAILED', 'CANCELLED'] as const
export const DeploymentStatus = z.enum(deploymentStatuses).meta({
  description:
    'QUEUED: waits. BUILDING: the image is made. DEPLOYING: the container starts. RUNNING: it served at its end, which is all that it ' +
    'says; `active` has which one serves now. FAILED (`failure` has why) and CANCELLED: what served before goes on.'
})
export type DeploymentStatus = z.infer<typeof DeploymentStatus>

/** Queued, or somebody works on it. */
export const openStatuses = ['QUEUED', 'BUILDING', 'DEPLOYING'] as const satisfies readonly DeploymentStatus[]

export const deploymentTriggers = ['MANUAL', 'WEBHOOK', 'DEPLOY', 'ROLLBACK'] as const
export const DeploymentTrigger = z.enum(deploymentTriggers).meta({
  description: 'MANUAL: `buildProject`. WEBHOOK: a push. DEPLOY: the newest image again. ROLLBACK: an image of before.'
})
export type DeploymentTrigger = z.infer<typeof DeploymentTrigger>

const failurePhases = ['PREPARE', 'SOURCE', 'BUILD', 'START'] as const
export const FailurePhase = z.enum(failurePhases)
export type FailurePhase = z.infer<typeof FailurePhase>

/** Why a deployment failed, or would. */
export const FailureSentences = sentencesOf('FailureCode', failureTexts)

export const DeploymentFailure = z
  .object({
    phase: FailurePhase.meta({
      description:
        'PREPARE: before anything of it. SOURCE: the repository was fetched. BUILD: the image was made. START: the container came up.'
    }),
    reason: z.string().meta({ description: 'In a sentence, as the log ends with it. Secrets are masked.' }),
    sentences: FailureSentences,
    exitCode: z.int().nullable().meta({ description: 'Of the step, or of the container; null where none ended.' }),
    line: z.int().nullable().meta({
      description:
        'Of the log, from 1: where it begins to speak of the error, else where the reason stands; null where that is not known.'
    })
  })
  .meta({ id: 'DeploymentFailure' })
export type DeploymentFailure = z.infer<typeof DeploymentFailure>
/** As it lies in the store: without sentences where an earlier version wrote it. */
export type StoredDeploymentFailure = Omit<DeploymentFailure, 'sentences'> & Partial<DeploymentFailure>

export const Deployment = z
  .object({
    id: Id,
    status: DeploymentStatus,
    active: z.boolean().meta({ description: 'Whether this is the one that serves.' }),
    failure: DeploymentFailure.nullable().meta({
      description: 'Null unless `status` is FAILED, and of one that failed before this was kept.'
    }),
    trigger: DeploymentTrigger,
    commitHash: z.string().nullable(),
    commitMsg: z.string().nullable(),
    buildLogs: z
      .string()
      .nullable()
      .meta({
        description:
          'Everything the deployment logged, at most its last 1 MiB; in a list at most the last 16 KiB of each. The newest 20 logs of a ' +
          'project and 100 MB of an account are kept, as the server is set; of one that was removed this says so.'
      }),
    duration: z.int().nullable().meta({ description: 'Seconds from the start of the work to its end.' }),
    canRollback: z.boolean().meta({ description: 'Whether the image of this deployment is still kept.' }),
    projectId: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
  .meta({ id: 'Deployment' })
export type Deployment = z.infer<typeof Deployment>

export const DeploymentQuery = z.object({
  ...pageQuery(10, 50),
  logs: unlessFalse('`false` leaves the logs out: `buildLogs` is null then.')
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
      description: 'The one that served when this one came; null of the first, or where it came without a commit.'
    }),
    commits: z
      .array(
        z.object({
          hash: z.string(),
          subject: z.string().meta({ description: 'At most 300 characters.' }),
          author: z.string(),
          at: Timestamp
        })
      )
      .meta({ description: 'What this one has and the other has not, the newest first, at most 50.' }),
    complete: z.boolean().meta({
      description: 'Whether these are all. Not where more lie between, or where one of both is no longer on the branch.'
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
  after: z.coerce.number().pipe(logOffset).default(0).meta({ description: 'A `next` of before; 0 is the beginning.' }),
  tail: z.coerce.number().int().min(1).max(10_000).optional().meta({
    description: 'In place of `after`: the last lines, at most so many and as many as a piece has room for.'
  })
})
export type DeploymentLogQuery = z.infer<typeof DeploymentLogQuery>
/** `subscribe:deployment-log` */
export const DeploymentLogSubscription = z.object({ deploymentId: Id, after: logOffset.default(0) })
export const DeploymentLogPiece = z
  .object({
    offset: z.int(),
    text: z.string().meta({ description: 'At most 256 KiB. Secrets are masked as in `buildLogs`.' }),
    next: z.int().meta({ description: 'In bytes of UTF-8, where the next piece begins.' }),
    complete: z.boolean().meta({ description: 'Whether the deployment has ended and this is the end of its log.' }),
    removed: z.boolean().meta({ description: 'Whether the log was removed to make room.' }),
    line: z.int().optional().meta({ description: 'With `tail`: the number of the line with which it begins, from 1.' })
  })
  .meta({ id: 'DeploymentLogPiece' })
export type DeploymentLogPiece = z.infer<typeof DeploymentLogPiece>

export const BuildRequest = z
  .object({
    buildCmd: fullScope(ShellLine.nullish()).meta({
      description:
        'In place of the project’s for this build. Takes the scope full of a token: the command sees all variables.'
    })
  })
  .nullish()
export const DeployRequest = z.object({ domain: singleLine(253).toLowerCase().optional() }).nullish()

export const DeployResult = z
  .object({ containerId: z.string(), internalPort: z.int(), deployedDomain: z.string(), containerStatus: z.string() })
  .meta({ id: 'DeployResult' })
export type DeployResult = z.infer<typeof DeployResult>

const containerActions = ['start', 'stop', 'restart', 'remove'] as const
export const ContainerAction = fullScope(z.enum(containerActions), ['remove']).meta({
  description: '`remove` takes the scope full of a token.'
})
export type ContainerAction = z.infer<typeof ContainerAction>

export const ContainerActionResult = z.object({ message: z.string(), containerStatus: z.string().nullable() })
export const ContainerStatus = z.object({ containerStatus: z.string().nullable(), containerId: z.string().nullable() })
export const LogQuery = z.object({ tail: z.coerce.number().int().min(1).max(10_000).default(200) })
export const Logs = z.object({ logs: z.string().meta({ description: 'At most 1 MiB.' }) })
/** Where a reader of a container's log is, as `container:log` has told it. */
const LogCursor = z
  .string()
  .max(160)
  .regex(/^[0-9A-Za-z]{12,64}_[0-9TZ:.+-]{1,40}_[0-9]{1,9}$/, 'is no `next` of a log')
export const ContainerLogStart = z.object({
  tail: z.number().int().min(1).max(10_000).default(200),
  since: LogCursor.optional()
})
export type ContainerLogStart = z.infer<typeof ContainerLogStart>
/** `subscribe:container-log` */
export const ContainerLogSubscription = z.object({ projectId: Id, ...ContainerLogStart.shape })
export type ContainerLogSubscription = z.infer<typeof ContainerLogSubscription>
