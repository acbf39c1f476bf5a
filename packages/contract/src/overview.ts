import { z } from 'zod'
import { certificateProblemTexts } from './certificate-texts.ts'
import { Id, sentencesOf, Timestamp } from './common.ts'
import { DeploymentStatus, DeploymentTrigger } from './deployments.ts'
import { failureTexts } from './failure-texts.ts'
import { remedyTexts } from './remedy-texts.ts'

/** Items that need attention, most severe first. */
export const overviewCodes = [
  'PART_AWAY',
  'MACHINE_AWAY',
  'CONTAINER_STOPPED',
  'CONTAINER_LIMIT',
  'CERTIFICATE_EXPIRED',
  'DISK_NEARLY_FULL',
  'CERTIFICATE_FAILED',
  'CERTIFICATE_RENEWAL_FAILING',
  'BACKUP_DRILL_FAILED',
  'BACKUP_FAILED',
  'BACKUP_OVERDUE',
  'DEPLOYMENT_FAILED',
  'VARIABLE_BROKEN',
  'CONTAINER_RESTARTING',
  'CONTAINER_OUT_OF_MEMORY',
  'WORKER_OUT_OF_MEMORY',
  'WORKER_CRASH_LOOPING',
  'DOMAIN_ERROR',
  'CERTIFICATE_EXPIRING',
  'DISK_FILLING_UP',
  'MACHINE_HAS_PROBLEMS',
  'MACHINE_NO_SPARE',
  'QUOTA_NEARLY_USED',
  'MAIL_HELD',
  'TWO_FACTOR_OFF',
  'DOMAIN_NOT_VERIFIED'
] as const
export const OverviewCode = z.enum(overviewCodes)
export type OverviewCode = z.infer<typeof OverviewCode>

const overviewTargets = [
  'project',
  'deployment',
  'domain',
  'quota',
  'part',
  'mail',
  'account',
  'backup',
  'disk',
  'machine'
] as const
export const OverviewTarget = z.enum(overviewTargets)
export type OverviewTarget = z.infer<typeof OverviewTarget>

export const OverviewSeverity = z.enum(['problem', 'warning'])
export type OverviewSeverity = z.infer<typeof OverviewSeverity>

export const maxOverviewItems = 50

export const overviewTexts = { ...failureTexts, ...certificateProblemTexts, ...remedyTexts } as const

export const OverviewItem = z
  .object({
    code: OverviewCode,
    severity: OverviewSeverity.meta({
      description: '`problem`: something does not work now; `warning`: it soon will not, or should be improved.'
    }),
    targetType: OverviewTarget,
    targetId: z.string().meta({
      description:
        'For a quota its name (`maxProjects`), for a component its name in GET /api/health; for held mail always `held`, for a disk its mount point.'
    }),
    projectId: Id.nullable().meta({ description: 'For a deployment, its project.' }),
    title: z.string().meta({ description: 'The name of the resource.' }),
    detail: z.string().nullable().meta({
      description:
        'The cause, if known: why a deployment failed, a certificate error, the remedy for a component, `9/10`, the days until a disk is full, or what is wrong with a machine.'
    }),
    sentences: sentencesOf('OverviewSentenceCode', overviewTexts),
    since: Timestamp.nullable().meta({ description: 'Null if unknown.' })
  })
  .meta({ id: 'OverviewItem' })
export type OverviewItem = z.infer<typeof OverviewItem>

export const OverviewDeployment = z
  .object({
    id: Id,
    projectId: Id,
    projectName: z.string(),
    status: DeploymentStatus,
    trigger: DeploymentTrigger,
    commitMsg: z.string().nullable(),
    isLive: z.boolean().meta({ description: 'Whether this deployment is live.' }),
    createdAt: Timestamp
  })
  .meta({ id: 'OverviewDeployment' })
export type OverviewDeployment = z.infer<typeof OverviewDeployment>

export const Overview = z
  .object({
    items: z
      .array(OverviewItem)
      .meta({ description: `Problems before warnings, newest first; up to ${maxOverviewItems}.` }),
    total: z.int().meta({ description: 'Total number, including items that are not listed.' }),
    deployments: z.array(OverviewDeployment).meta({ description: 'Latest deployments of all projects, up to 8.' })
  })
  .meta({ id: 'Overview' })
export type Overview = z.infer<typeof Overview>
