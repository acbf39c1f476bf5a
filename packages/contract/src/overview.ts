import { z } from 'zod'
import { certificateProblemTexts } from './certificate-texts.ts'
import { Id, sentencesOf, Timestamp } from './common.ts'
import { DeploymentStatus, DeploymentTrigger } from './deployments.ts'
import { failureTexts } from './failure-texts.ts'
import { remedyTexts } from './remedy-texts.ts'

/** What somebody has to look at, the worst first where they come together. */
export const overviewCodes = [
  'PART_AWAY',
  'CONTAINER_STOPPED',
  'CONTAINER_LIMIT',
  'CERTIFICATE_EXPIRED',
  'CERTIFICATE_FAILED',
  'CERTIFICATE_RENEWAL_FAILING',
  'DEPLOYMENT_FAILED',
  'CONTAINER_RESTARTING',
  'DOMAIN_ERROR',
  'CERTIFICATE_EXPIRING',
  'QUOTA_NEARLY_USED',
  'MAIL_HELD',
  'TWO_FACTOR_OFF',
  'DOMAIN_NOT_VERIFIED'
] as const
export const OverviewCode = z.enum(overviewCodes)
export type OverviewCode = z.infer<typeof OverviewCode>

const overviewTargets = ['project', 'deployment', 'domain', 'quota', 'part', 'mail', 'account'] as const
export const OverviewTarget = z.enum(overviewTargets)
export type OverviewTarget = z.infer<typeof OverviewTarget>

export const OverviewSeverity = z.enum(['problem', 'warning'])
export type OverviewSeverity = z.infer<typeof OverviewSeverity>

/** How many are told one by one. */
export const maxOverviewItems = 50

/** What the details say that have codes. */
export const overviewTexts = { ...failureTexts, ...certificateProblemTexts, ...remedyTexts } as const

export const OverviewItem = z
  .object({
    code: OverviewCode,
    severity: OverviewSeverity.meta({
      description: '`problem`: something does not work now; `warning`: it will not, or should be better.'
    }),
    targetType: OverviewTarget,
    targetId: z.string().meta({
      description: 'Of a quota its name (`maxProjects`), of a part that of GET /api/health; of held mail always `held`.'
    }),
    projectId: Id.nullable().meta({ description: 'Of a deployment.' }),
    title: z.string().meta({ description: 'The name of it, as its owner has it.' }),
    detail: z.string().nullable().meta({
      description:
        'What is known of the cause: why a deployment failed, the error of a certificate, the remedy of a part, `9/10`.'
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
    isLive: z.boolean().meta({ description: 'Whether its container serves.' }),
    createdAt: Timestamp
  })
  .meta({ id: 'OverviewDeployment' })
export type OverviewDeployment = z.infer<typeof OverviewDeployment>

export const Overview = z
  .object({
    items: z
      .array(OverviewItem)
      .meta({ description: `Problems before warnings, the newest first; at most ${maxOverviewItems}.` }),
    total: z.int().meta({ description: 'How many there are, with those that are not told one by one.' }),
    deployments: z.array(OverviewDeployment).meta({ description: 'The newest of all projects, at most 8.' })
  })
  .meta({ id: 'Overview' })
export type Overview = z.infer<typeof Overview>
