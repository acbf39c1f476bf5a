import { z } from 'zod'
import { Id, pageQuery, Pagination, ShellLine, singleLine, Timestamp, unlessFalse } from './common.ts'
import { DeploymentStatus } from './deployments.ts'
import { words } from './details.ts'
import { secret } from './field-scope.ts'

export const projectTypes = ['NODEJS', 'PYTHON', 'STATIC', 'WORDPRESS', 'DOCKERFILE'] as const
export const ProjectType = z.enum(projectTypes).meta({
  description:
    'How a project is built and run. NODEJS and PYTHON: an application that listens on PORT, with a framework or without; a NODEJS one ' +
    'that only leaves a site is served as one. STATIC: a site, built or as it is. WORDPRESS: WordPress with the theme or plugin of the ' +
    'repository, or none. DOCKERFILE: as its Dockerfile says.'
})
export type ProjectType = z.infer<typeof ProjectType>

export const projectStatuses = ['ACTIVE', 'CREATING', 'STOPPED', 'DELETED'] as const
export const ProjectStatus = z.enum(projectStatuses).meta({
  description:
    'What its owner wants. ACTIVE: its container runs, once it is deployed. STOPPED: it does not, by its owner, a suspension or a limit ' +
    '(`stopReason`). DELETED: gone, and listed on request alone. CREATING: not in use.'
})
export type ProjectStatus = z.infer<typeof ProjectStatus>

/**
 * A DNS label, as it becomes one in `{name}.{BASE_DOMAIN}`: the pattern of the spec, 63 octets (RFC 1035 §2.3.4), and not `xn--…`, which
 * would read as another name. Other labels with `--` in third and fourth place are unusual (RFC 5891 §4.2.3.1), but nobody reads them otherwise.
 */
export const ProjectName = z
  .string()
  .max(63)
  .regex(/^[a-z0-9][a-z0-9-]*[a-z0-9]$/, words.PROJECT_NAME)
  .refine((name) => !name.startsWith('xn--'), {
    error: words.PUNYCODE_NAME
  })

/**
 * A branch as `git check-ref-format --branch` accepts it, less what a shell, an option parser or a revision expression
 * could read otherwise. Git gets it as one argument behind `refs/heads/` all the same.
 */
export const Branch = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[A-Za-z0-9_][A-Za-z0-9._/+@#-]*$/, words.BRANCH)
  .refine((branch) => !/\.\.|\/\/|@\{|\/\.|\.lock(\/|$)|[./]$/.test(branch) && branch !== '@', {
    error: words.BRANCH
  })

export const GitUrl = singleLine(500)

export const projectStates = ['DEPLOYING', 'RUNNING', 'ATTENTION', 'IDLE'] as const
export const ProjectState = z.enum(projectStates).meta({
  description:
    'DEPLOYING: its newest deployment is under way. ATTENTION: that one failed, the panel stopped its container, or it should run and does not. RUNNING: it runs. IDLE: its owner stopped it, or it was never deployed.'
})
export type ProjectState = z.infer<typeof ProjectState>

export const Project = z
  .object({
    id: Id,
    userId: Id,
    name: z.string(),
    type: ProjectType,
    status: ProjectStatus,
    gitUrl: z.string().nullable(),
    branch: z.string().nullable(),
    buildCmd: z.string().nullable(),
    startCmd: z.string().nullable(),
    port: z.int().nullable().meta({ description: 'Container port; null means the default of the type.' }),
    readOnlyRoot: z
      .boolean()
      .meta({ description: 'Whether its container may write nowhere but below /data and /tmp.' }),
    webhookSecret: secret(z.string().nullable()).meta({
      description: 'Null in lists, where `secrets=false` is asked, and for API tokens below the scope full.'
    }),
    sshPublicKey: z.string().nullable(),
    containerId: z.string().nullable(),
    containerStatus: z.string().nullable(),
    internalPort: z.int().nullable().meta({ description: 'Host port on 127.0.0.1.' }),
    deployedDomain: z.string().nullable(),
    deployedAt: Timestamp.nullable(),
    stopReason: z.string().nullable().optional().meta({
      description:
        'Why the panel stopped its container: CONTAINER_DISK_LIMIT, of a container that has written too much, or goes on writing while the account has no room; CONTAINER_FILES_LIMIT, of one that has made too many files. Null if its owner stopped it.'
    }),
    state: ProjectState.optional().meta({ description: 'In lists, and of a project that is asked for.' }),
    latestDeployment: z
      .object({ id: Id, status: DeploymentStatus, createdAt: Timestamp })
      .nullable()
      .optional()
      .meta({ description: 'The newest one, whatever became of it; as `state`.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
  .meta({ id: 'Project' })
export type Project = z.infer<typeof Project>

const editable = {
  gitUrl: GitUrl.nullish(),
  branch: Branch.nullish(),
  buildCmd: ShellLine.nullish(),
  startCmd: ShellLine.nullish(),
  port: z.int().min(1).max(65535).nullish(),
  readOnlyRoot: z.boolean().optional().meta({
    description:
      'true: the root file system of the container cannot be written, from the next deployment on. Default false: the application may write to its own folder and to HOME, and loses that with the next deployment; what is to stay belongs below /data. Sites (STATIC) and WORDPRESS are read-only in any case.'
  })
}

export const CreateProject = z.object({ name: ProjectName, type: ProjectType, ...editable })
export type CreateProject = z.infer<typeof CreateProject>

export const UpdateProject = z.object({ name: ProjectName.optional(), ...editable })
export type UpdateProject = z.infer<typeof UpdateProject>

/** Of one project, or of its repository. */
export const SecretsQuery = z.object({
  secrets: unlessFalse(
    '`false` leaves the secret of the webhook out: `webhookSecret` is null then, and nothing is written into the audit log.'
  )
})

export const ProjectQuery = z.object({
  ...pageQuery(20, 100),
  type: ProjectType.optional(),
  status: ProjectStatus.optional(),
  state: ProjectState.optional().meta({ description: 'Only those that are so.' }),
  search: singleLine(100).optional()
})
export type ProjectQuery = z.infer<typeof ProjectQuery>

export const ProjectList = z.object({ projects: z.array(Project), pagination: Pagination }).meta({ id: 'ProjectList' })
export type ProjectList = z.infer<typeof ProjectList>
