import { z } from 'zod'
import { Id } from './common.ts'
import { secret } from './field-scope.ts'
import { Branch, GitUrl, ProjectType } from './projects.ts'
import { DeploymentStatus, FailureSentences } from './deployments.ts'
import { Detection } from './detection.ts'

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
      description: 'Null also where `secrets=false` is asked, and for API tokens below the scope full.'
    }),
    isPrivate: z.boolean()
  })
  .meta({ id: 'GitInfo' })
export type GitInfo = z.infer<typeof GitInfo>

export const GitInspect = z.object({
  gitUrl: GitUrl,
  branch: Branch.optional().meta({
    description: 'Looked at for the detection. Default: the one that the server names.'
  }),
  type: ProjectType.optional().meta({
    description: 'To be detected as this type. Default: the one that its files suggest.'
  }),
  projectId: Id.optional().meta({ description: 'A project of yours whose deploy key is to be used.' })
})
export type GitInspect = z.infer<typeof GitInspect>

export const GitInspection = z
  .object({
    gitUrl: z.string().meta({ description: 'As it would be stored.' }),
    sshUrl: z.string().meta({ description: 'The same repository as it is reached with a deploy key.' }),
    private: z.boolean().meta({
      description:
        'Read with a deploy key, or not to be read without one: git servers say the same of a private repository and of none.'
    }),
    branches: z.array(z.string()).meta({ description: 'In the order of the alphabet, at most 1,000.' }),
    default: z.string().nullable().meta({ description: 'The branch that the server names; null where it names none.' }),
    branch: z.string().nullable().meta({ description: 'The one that was looked at.' }),
    detection: Detection.nullable().meta({
      description: 'What a build would make of it; null where nothing was read.'
    }),
    problem: z.string().nullable().meta({ description: 'Why nothing was read, with what to do.' }),
    sentences: FailureSentences
  })
  .meta({ id: 'GitInspection' })
export type GitInspection = z.infer<typeof GitInspection>

export const SshKey = z.object({ publicKey: z.string() })
export const WebhookSecret = z.object({ webhookSecret: secret(z.string()) })

/** What the push receiver answers: 200 but for PushAccepted, which is 202, since its build has not begun. */
export const PushPong = z.object({ message: z.literal('pong') })
export const PushIgnored = z.object({ ignored: z.literal(true), reason: z.string() })
export const PushAccepted = z.object({ deploymentId: Id, status: DeploymentStatus })
