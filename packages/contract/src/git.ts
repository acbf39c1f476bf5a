import { z } from 'zod'
import { Id } from './common.ts'
import { secret } from './field-scope.ts'
import { Branch, GitUrl } from './projects.ts'
import { DeploymentStatus } from './deployments.ts'

export const GitConnect = z.object({
  gitUrl: GitUrl,
  branch: Branch.default('main'),
  isPrivate: z.boolean().default(false)
})
export type GitConnect = z.infer<typeof GitConnect>

export const GitInfo = z
  .object({
    gitUrl: z.string().nullable(),
    branch: z.string().nullable(),
    sshPublicKey: z.string().nullable(),
    webhookUrl: z.string(),
    webhookSecret: secret(z.string().nullable()).meta({
      description: 'Null also for API tokens below the scope full.'
    }),
    isPrivate: z.boolean()
  })
  .meta({ id: 'GitInfo' })
export type GitInfo = z.infer<typeof GitInfo>

export const SshKey = z.object({ publicKey: z.string() })
export const WebhookSecret = z.object({ webhookSecret: secret(z.string()) })

/** What the push receiver answers: 200 but for PushAccepted, which is 202, since its build has not begun. */
export const PushPong = z.object({ message: z.literal('pong') })
export const PushIgnored = z.object({ ignored: z.literal(true), reason: z.string() })
export const PushAccepted = z.object({ deploymentId: Id, status: DeploymentStatus })
