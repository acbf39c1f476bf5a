import { z } from 'zod'
import { Id, Timestamp } from './common.ts'
import { secret } from './field-scope.ts'
import { Branch, GitUrl, ProjectType, RepositoryPath } from './projects.ts'
import { DeploymentStatus, FailureSentences } from './deployments.ts'
import { Detection } from './detection.ts'

export const GitConnect = z.object({
  gitUrl: GitUrl,
  branch: Branch.optional().meta({ description: 'Default: the branch that `gitUrl` names, else `main`.' }),
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
      description: 'Null with `secrets=false`, and for API tokens below the scope full.'
    }),
    isPrivate: z.boolean()
  })
  .meta({ id: 'GitInfo' })
export type GitInfo = z.infer<typeof GitInfo>

export const GitInspect = z.object({
  gitUrl: GitUrl,
  branch: Branch.optional().meta({
    description:
      'Branch to inspect. Default: the branch that `gitUrl` names, else the default branch of the repository.'
  }),
  rootDirectory: RepositoryPath.nullish().meta({
    description:
      'Directory to inspect; null: the repository itself. Default: the folder that `gitUrl` names, else the only folder that can be a ' +
      'project, else the repository itself.'
  }),
  dockerfilePath: RepositoryPath.nullish().meta({ description: 'Path of the Dockerfile below `rootDirectory`.' }),
  type: ProjectType.optional().meta({
    description: 'Project type for the detection. Default: guessed from the files.'
  }),
  projectId: Id.optional().meta({ description: 'One of your projects, to use its deploy key.' })
})
export type GitInspect = z.infer<typeof GitInspect>

export const ProjectPlace = z
  .object({
    type: ProjectType,
    rootDirectory: z.string().nullable(),
    dockerfilePath: z.string().nullable()
  })
  .meta({ id: 'ProjectPlace' })
export type ProjectPlace = z.infer<typeof ProjectPlace>

export const GitInspection = z
  .object({
    gitUrl: z.string().meta({ description: 'In the form in which it would be stored.' }),
    sshUrl: z.string().meta({ description: 'The SSH address of the same repository, for use with a deploy key.' }),
    private: z.boolean().meta({
      description:
        'Read with a deploy key, or not readable without one: Git servers do not tell a private repository from a missing one.'
    }),
    branches: z.array(z.string()).meta({ description: 'Alphabetical, up to 1,000.' }),
    default: z.string().nullable().meta({ description: 'The default branch; null if there is none.' }),
    branch: z.string().nullable().meta({ description: 'The inspected branch.' }),
    rootDirectory: z.string().nullable().meta({ description: 'The inspected directory; null: the repository itself.' }),
    dockerfilePath: z.string().nullable(),
    places: z.array(ProjectPlace).meta({
      description:
        'Folders that could be projects of their own, such as the apps of a monorepo, with the settings that build them; at most 50.'
    }),
    detection: Detection.nullable().meta({
      description: 'How it would be built; null if nothing was read.'
    }),
    problem: z.string().nullable().meta({ description: 'Why nothing was read, and what to do.' }),
    sentences: FailureSentences
  })
  .meta({ id: 'GitInspection' })
export type GitInspection = z.infer<typeof GitInspection>

export const SshKey = z.object({ publicKey: z.string() })
export const WebhookSecret = z.object({ webhookSecret: secret(z.string()) })

export const DeployHook = z
  .object({
    createdAt: Timestamp.nullable().meta({ description: 'When its secret was created; null: there is none.' })
  })
  .meta({ id: 'DeployHook' })

/** The only response with the secret, of which the server keeps a hash. */
export const NewDeployHook = z
  .object({
    url: secret(z.string()).meta({ description: 'With the secret, which is not shown again.' }),
    createdAt: Timestamp
  })
  .meta({ id: 'NewDeployHook' })
export type NewDeployHook = z.infer<typeof NewDeployHook>

/** PushAccepted is sent with 202, because its build has not started; the others with 200. */
export const PushPong = z.object({ message: z.literal('pong') })
export const PushIgnored = z.object({ ignored: z.literal(true), reason: z.string() })
export const PushAccepted = z.object({ deploymentId: Id, status: DeploymentStatus })
