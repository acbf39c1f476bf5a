import { z } from 'zod'
import { Id, pageQuery, Pagination, sentencesOf, Timestamp } from './common.ts'
import { deliveryReasonTexts } from './delivery-reason-texts.ts'

export const webhookProviders = ['GITHUB', 'GITLAB', 'GITEA', 'BITBUCKET', 'OTHER', 'DEPLOY_HOOK'] as const
export const WebhookProvider = z.enum(webhookProviders).meta({
  description:
    'The sender by its headers. GITEA: Gitea or Forgejo. OTHER: any client that sends X-GitProvider-Event. DEPLOY_HOOK: the deploy hook.'
})
export type WebhookProvider = z.infer<typeof WebhookProvider>

export const deliveryVerdicts = ['ACCEPTED', 'IGNORED', 'REFUSED'] as const
export const DeliveryVerdict = z.enum(deliveryVerdicts).meta({
  description:
    'ACCEPTED: queued a deployment, or a ping. IGNORED: answered with 200, but starts nothing. REFUSED: answered with an error.'
})
export type DeliveryVerdict = z.infer<typeof DeliveryVerdict>

export const RefKind = z.enum(['branch', 'tag'])
export const PushedRef = z.object({ kind: RefKind, name: z.string() })
export type PushedRef = z.infer<typeof PushedRef>

export const WebhookDelivery = z
  .object({
    id: Id,
    provider: WebhookProvider,
    event: z.string().meta({ description: 'As the provider calls it.', examples: ['push'] }),
    verdict: DeliveryVerdict,
    reason: z.string().nullable().meta({ description: 'Why it was ignored or refused, or that it was a repetition.' }),
    sentences: sentencesOf('DeliveryReasonCode', deliveryReasonTexts),
    ref: PushedRef.nullable().meta({ description: 'The pushed branch or tag.' }),
    commitHash: z.string().nullable(),
    commitMsg: z.string().nullable(),
    deploymentId: Id.nullable().meta({ description: 'The deployment that it, or its latest replay, queued.' }),
    replayable: z.boolean().meta({ description: 'Whether `replayWebhookDelivery` can deploy its commit.' }),
    createdAt: Timestamp
  })
  .meta({ id: 'WebhookDelivery' })
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

export const WebhookDeliveryQuery = z.object({
  ...pageQuery(20, 100),
  verdict: DeliveryVerdict.optional().meta({ description: 'Only deliveries with this verdict.' })
})
export type WebhookDeliveryQuery = z.infer<typeof WebhookDeliveryQuery>

export const WebhookDeliveryList = z
  .object({
    deliveries: z.array(WebhookDelivery),
    unsigned: z
      .object({ count: z.int(), latestAt: Timestamp.nullable() })
      .meta({ description: 'Requests with a wrong signature or secret: only counted, because they need no secret.' }),
    pagination: Pagination
  })
  .meta({ id: 'WebhookDeliveryList' })
export type WebhookDeliveryList = z.infer<typeof WebhookDeliveryList>
