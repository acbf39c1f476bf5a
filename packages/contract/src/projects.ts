import { z } from 'zod'
import { Id, pageQuery, Pagination, ShellLine, singleLine, Timestamp, unlessFalse } from './common.ts'
import { DeploymentStatus } from './deployments.ts'
import { ImageReference } from './image-references.ts'
import { DeployRules } from './deploy-rules.ts'
import { words } from './details.ts'
import { HealthCheck } from './health-checks.ts'
import { placementSettings } from './machine-labels.ts'
import { secret } from './field-scope.ts'
import { nodeRuntime, phpRuntime, pythonRuntime, type Runtime } from './runtimes.ts'
import { projectPlace } from './project-machines.ts'
import { ContainerSize, sizeSettings } from './project-sizes.ts'
import { sleepSettings } from './sleep-settings.ts'
import { wordpressSettings } from './wordpress.ts'

export const projectTypes = ['NODEJS', 'PYTHON', 'PHP', 'STATIC', 'WORDPRESS', 'DOCKERFILE', 'IMAGE'] as const
export const ProjectType = z.enum(projectTypes).meta({
  description:
    'How a project is built and run. NODEJS and PYTHON: an application that listens on PORT, with or without a framework; if a NODEJS ' +
    'build only generates a site, it is served as a static site. PHP: a site in PHP, with or without Composer, served by Apache. STATIC: a ' +
    'site, with or without a build. WORDPRESS: WordPress with the theme or plugin from the repository, or none. DOCKERFILE: as its ' +
    'Dockerfile says. IMAGE: an image from a registry (`image`).'
})
export type ProjectType = z.infer<typeof ProjectType>

/** Null: the type has no language whose version can be chosen. A static site may be built with Node.js. */
export const runtimeOf: Readonly<Record<ProjectType, Runtime | null>> = {
  NODEJS: nodeRuntime,
  PYTHON: pythonRuntime,
  PHP: phpRuntime,
  STATIC: nodeRuntime,
  WORDPRESS: null,
  DOCKERFILE: null,
  IMAGE: null
}

export const projectSources = ['GIT', 'FILES'] as const
export const ProjectSource = z.enum(projectSources).meta({
  description:
    'Where the site comes from. GIT: the repository, or an uploaded folder, which is built. FILES: the files of the project, as in the file ' +
    'manager and over SFTP, served without a build; a change is live at once. FILES is only for the types STATIC and PHP.'
})
export type ProjectSource = z.infer<typeof ProjectSource>

export const projectStatuses = ['ACTIVE', 'CREATING', 'STOPPED', 'DELETED'] as const
export const ProjectStatus = z.enum(projectStatuses).meta({
  description:
    'The requested state. ACTIVE: its container runs, once deployed. STOPPED: by its owner, a suspension or a limit (`stopReason`). ' +
    'DELETED: deleted; only listed if you filter for it. CREATING: unused.'
})
export type ProjectStatus = z.infer<typeof ProjectStatus>

/** A DNS label (RFC 1035 §2.3.4), and not `xn--…`, which would display as another name (RFC 5891 §4.2.3.1). */
export const ProjectName = z
  .string()
  .max(63)
  .regex(/^[a-z0-9][a-z0-9-]*[a-z0-9]$/, words.PROJECT_NAME)
  .refine((name) => !name.startsWith('xn--'), { error: words.PUNYCODE_NAME })

/** `git check-ref-format --branch`, minus what a shell, an option parser or a revision expression could misread. */
export const Branch = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[A-Za-z0-9_][A-Za-z0-9._/+@#-]*$/, words.BRANCH)
  .refine((branch) => !/\.\.|\/\/|@\{|\/\.|\.lock(\/|$)|[./]$/.test(branch) && branch !== '@', {
    error: words.BRANCH
  })

export const GitUrl = singleLine(500).meta({
  description:
    'Address of the repository. The address that a browser shows for a branch or folder (GitHub, GitLab, Gitea, Forgejo, Bitbucket) is ' +
    'read as repository, branch and root directory, unless these are set.'
})

export const projectStates = ['DEPLOYING', 'RUNNING', 'ATTENTION', 'IDLE', 'SLEEPING'] as const
export const ProjectState = z.enum(projectStates).meta({
  description:
    'DEPLOYING: the latest deployment is in progress. ATTENTION: it failed, the panel stopped the container, or the container should ' +
    'run but does not. RUNNING: the container is running. IDLE: stopped by its owner, or never deployed. ' +
    'SLEEPING: its container is stopped until the next request (`sleepAfterMinutes`).'
})
export type ProjectState = z.infer<typeof ProjectState>

export const Project = z
  .object({
    id: Id,
    userId: Id,
    name: z.string(),
    type: ProjectType,
    status: ProjectStatus,
    source: ProjectSource.optional(),
    gitUrl: z.string().nullable(),
    branch: z.string().nullable(),
    buildCmd: z.string().nullable(),
    startCmd: z.string().nullable(),
    port: z.int().nullable().meta({ description: 'Container port; null means the default of the type.' }),
    runtimeVersion: z.string().nullable().meta({
      description: 'Version of Node.js, Python or PHP; null: what the repository asks for, else the default.'
    }),
    rootDirectory: z.string().nullable(),
    dockerfilePath: z.string().nullable(),
    dockerContext: z.string().nullable(),
    dockerTarget: z.string().nullable(),
    buildArgs: z.record(z.string(), z.string()).nullable(),
    installCmd: z.string().nullable(),
    outputDirectory: z.string().nullable(),
    releaseCmd: z.string().nullable(),
    image: z.string().nullable().meta({ description: 'Only for the type IMAGE.' }),
    imageAutoDeploy: z.boolean().meta({ description: 'Whether a newer image for the tag is deployed automatically.' }),
    health: HealthCheck.nullable().meta({ description: 'Null: a container is ready once it answers HTTP at all.' }),
    deployRules: DeployRules.nullable().meta({ description: 'Null: the defaults.' }),
    instances: z.int().meta({ description: 'Containers that serve the site.' }),
    stickySessions: z.boolean().meta({ description: 'Whether a cookie keeps a visitor at the same instance.' }),
    restartWhenHung: z.boolean().meta({ description: 'Whether an instance that hangs is restarted.' }),
    reachable: z.boolean().meta({ description: 'Whether other projects of the account reach it by its name.' }),
    size: ContainerSize.nullable().meta({ description: 'Limits of each container; null: as set for the server.' }),
    sleepAfterMinutes: z.int().nullable().meta({ description: 'Minutes without a request until the site sleeps; null: never.' }), // oxfmt-ignore
    asleepSince: Timestamp.nullable().meta({ description: 'The next request starts the site. Null: it does not sleep.' }), // oxfmt-ignore
    readOnlyRoot: z.boolean().meta({ description: 'Whether the container can only write below /data and /tmp.' }),
    ...projectPlace,
    pageCache: z.boolean().optional().meta({ description: 'Whether the pages of a WORDPRESS site are cached.' }),
    webhookSecret: secret(z.string().nullable()).meta({ description: 'Null in lists, with `secrets=false`, and for API tokens below the scope full.' }), // oxfmt-ignore
    sshPublicKey: z.string().nullable(),
    containerId: z.string().nullable(),
    containerStatus: z.string().nullable(),
    internalPort: z.int().nullable().meta({ description: 'Host port on 127.0.0.1.' }),
    deployedDomain: z.string().nullable(),
    deployedAt: Timestamp.nullable(),
    stopReason: z
      .string()
      .nullable()
      .optional()
      .meta({
        description:
          'Why the panel stopped the container: CONTAINER_DISK_LIMIT if it wrote too much, or kept writing while the account was out of disk ' +
          'space; CONTAINER_FILES_LIMIT if it created too many files; VOLUME_SIZE if it kept filling a volume above its size. Null if only its owner stopped it.'
      }),
    state: ProjectState.optional().meta({ description: 'Only in lists and when you get a single project.' }),
    latestDeployment: z
      .object({ id: Id, status: DeploymentStatus, createdAt: Timestamp })
      .nullable()
      .optional()
      .meta({ description: 'The latest deployment, whatever its status; present like `state`.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
  .meta({ id: 'Project' })
export type Project = z.infer<typeof Project>

export const runtimeVersions = [...nodeRuntime.versions, ...pythonRuntime.versions, ...phpRuntime.versions] as const
export const RuntimeChoice = z.enum(runtimeVersions).meta({
  description:
    'A version of the language of the project, from its next deployment on. Without one, the repository decides: for Node.js `.nvmrc`, ' +
    '`.node-version`, `.tool-versions` or `engines.node` in package.json; for Python `.python-version`, `runtime.txt`, `.tool-versions` ' +
    'or `requires-python` in pyproject.toml; for PHP `.php-version`, `.tool-versions`, or `config.platform.php` or `require.php` in composer.json.'
})

const repositoryPath = /^(?!-)(?!\.{1,2}(\/|$))[\w.@+-]+(\/(?!\.{1,2}(\/|$))[\w.@+-]+)*$/

/** A path within the repository: neither `..` nor a slash at an end is accepted. */
export const RepositoryPath = z.string().max(300).regex(repositoryPath, words.REPOSITORY_PATH)

const RepositoryDirectory = z
  .string()
  .max(300)
  .regex(new RegExp(`^\\.$|${repositoryPath.source}`), words.REPOSITORY_DIRECTORY)

/** Names that Dockerfiles can declare with ARG. */
const buildArgName = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/

export const BuildArgs = z
  .record(z.string(), z.string())
  .refine(
    (all) =>
      Object.keys(all).length <= 50 &&
      Object.entries(all).every(([name, value]) => buildArgName.test(name) && /^[^\0-\x1f\x7f]{0,4096}$/.test(value)),
    { error: words.BUILD_ARGS }
  )
export type BuildArgs = z.infer<typeof BuildArgs>

const editable = {
  source: ProjectSource.optional().meta({
    description:
      'Default GIT. A change takes effect on the next deployment. Repository, domains, files and variables stay, whatever the source.'
  }),
  gitUrl: GitUrl.nullish(),
  branch: Branch.nullish(),
  buildCmd: ShellLine.nullish(),
  startCmd: ShellLine.nullish(),
  port: z.int().min(1).max(65535).nullish(),
  runtimeVersion: RuntimeChoice.nullish(),
  rootDirectory: RepositoryPath.nullish().meta({
    description:
      'Directory of the project in the repository, such as `apps/web`; null: the repository itself. If it is part of a workspace (npm, ' +
      'pnpm, yarn or Bun), the whole workspace is installed.'
  }),
  dockerfilePath: RepositoryPath.nullish().meta({
    description:
      'Path of the Dockerfile below `rootDirectory`, which is the build context unless `dockerContext` is set. Null: `Dockerfile`. Only ' +
      'for the type DOCKERFILE.'
  }),
  dockerContext: RepositoryDirectory.nullish().meta({
    description:
      'Directory of the repository that is the build context; `.` for the repository itself. It must contain the Dockerfile. Null: ' +
      '`rootDirectory`. Only for the type DOCKERFILE.'
  }),
  dockerTarget: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_.-]{0,127}$/, words.DOCKER_TARGET)
    .nullish()
    .meta({ description: 'Stage of the Dockerfile to build. Null: the last one. Only for the type DOCKERFILE.' }),
  buildArgs: BuildArgs.nullish().meta({
    description:
      'Values for the ARG instructions of the Dockerfile, at most 50. They stay in the history of the image, so do not pass secrets. Only ' +
      'for the type DOCKERFILE.'
  }),
  installCmd: ShellLine.nullish().meta({
    description:
      'Installs the dependencies in place of the detected command, in the directory of the project. Only for the types NODEJS, PYTHON, ' +
      'PHP and STATIC.'
  }),
  outputDirectory: RepositoryPath.nullish().meta({
    description:
      'Directory of the site below the directory of the project, such as `dist`. A NODEJS project with it is served as a static site. For the ' +
      'type PHP: the document root, such as `public`. Null: detected. Only for the types NODEJS, PHP and STATIC.'
  }),
  releaseCmd: ShellLine.nullish().meta({
    description:
      'Runs once in a container of each newly built image before the image goes live, for example a database migration. If it fails, the ' +
      'deployment fails and the previous release stays live. It does not run for a rollback or a restart.'
  }),
  image: ImageReference.nullish().meta({
    description:
      'Image that the project runs, such as `ghcr.io/org/app:1.2`. Each deployment resolves the tag to a digest and runs that. Only for ' +
      'the type IMAGE.'
  }),
  imageAutoDeploy: z.boolean().optional().meta({
    description: 'true: a newer image for the tag is deployed when a check finds it. Only for the type IMAGE.'
  }),
  health: HealthCheck.nullish().meta({
    description:
      'When a new or restarted container counts as ready. Null: once it answers HTTP at all. With it, a release that is not healthy fails ' +
      'and says which answer it got; the previous one stays live.'
  }),
  reachable: z
    .boolean()
    .optional()
    .meta({
      description:
        'true: containers of the other projects of the account reach this one at `<name>:<port>`, its port only. Default false. A change ' +
        'replaces the running containers without a build.'
    }),
  deployRules: DeployRules.nullish().meta({
    description:
      'Which pushes start a deployment. Replaces the previous rules; omitted members take their defaults. Null: every push to the branch, ' +
      'unless its message says `[skip ci]`.'
  }),
  ...sizeSettings,
  ...sleepSettings,
  ...placementSettings,
  ...wordpressSettings,
  readOnlyRoot: z
    .boolean()
    .optional()
    .meta({
      description:
        'true: the root file system of the container is read-only from the next deployment on. Default false: the application can write to ' +
        'its own directory and to HOME, but loses that with the next deployment; store persistent data below /data. STATIC sites and ' +
        'WORDPRESS are always read-only.'
    })
}

export const CreateProject = z.object({ name: ProjectName, type: ProjectType, ...editable })
export type CreateProject = z.infer<typeof CreateProject>

export const UpdateProject = z.object({ name: ProjectName.optional(), ...editable })
export type UpdateProject = z.infer<typeof UpdateProject>

export const SecretsQuery = z.object({
  secrets: unlessFalse('`false` omits the webhook secret: `webhookSecret` is null, and no audit entry is written.')
})

export const ProjectOrder = z.enum(['created', 'name', 'deployed'])

export const ProjectQuery = z.object({
  ...pageQuery(20, 100),
  type: ProjectType.optional(),
  status: ProjectStatus.optional(),
  state: ProjectState.optional().meta({ description: 'Only projects in this state.' }),
  search: singleLine(100).optional(),
  order: ProjectOrder.default('created').meta({
    description: '`created`: newest first. `name`: A to Z. `deployed`: latest deployment first.'
  })
})
export type ProjectQuery = z.infer<typeof ProjectQuery>

export const ProjectList = z.object({ projects: z.array(Project), pagination: Pagination }).meta({ id: 'ProjectList' })
export type ProjectList = z.infer<typeof ProjectList>
