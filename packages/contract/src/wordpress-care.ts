import { z } from 'zod'
import { Id, sentencesOf, Timestamp } from './common.ts'
import { secret } from './field-scope.ts'
import { ProjectName } from './projects.ts'
import { wordpressTaskProblemTexts } from './wordpress-care-texts.ts'

export const componentKinds = ['CORE', 'PLUGIN', 'THEME'] as const
export const WordpressComponentKind = z.enum(componentKinds)
export type WordpressComponentKind = z.infer<typeof WordpressComponentKind>

export const updatePolicies = ['OFF', 'SECURITY', 'ALL'] as const
export const WordpressUpdatePolicy = z.enum(updatePolicies)
export type WordpressUpdatePolicy = z.infer<typeof WordpressUpdatePolicy>

export const wordpressTaskKinds = ['UPDATE', 'REPLACEMENT', 'COPY', 'UNDO'] as const
export const WordpressTaskKind = z.enum(wordpressTaskKinds)

export const wordpressTaskTriggers = ['MANUAL', 'AUTOMATIC'] as const
export const WordpressTaskTrigger = z.enum(wordpressTaskTriggers)
export type WordpressTaskTrigger = z.infer<typeof WordpressTaskTrigger>

export const wordpressTaskStatuses = ['RUNNING', 'SUCCEEDED', 'ROLLED_BACK', 'FAILED'] as const
export const WordpressTaskStatus = z.enum(wordpressTaskStatuses)
export type WordpressTaskStatus = z.infer<typeof WordpressTaskStatus>

/** In order, but for RESTORING, which follows a failure. Until CHANGING the site is untouched. */
export const wordpressTaskSteps = ['QUEUED', 'SAVING', 'CHANGING', 'RESTORING', 'DONE'] as const
export const WordpressTaskStep = z.enum(wordpressTaskSteps)
export type WordpressTaskStep = z.infer<typeof WordpressTaskStep>

const ComponentId = z.string().min(1).max(300)

export const WordpressComponent = z
  .object({
    kind: WordpressComponentKind,
    id: ComponentId.meta({ description: '`core`, the main file of a plugin, or the folder of a theme.' }),
    name: z.string(),
    version: z.string(),
    newVersion: z
      .string()
      .nullable()
      .meta({ description: 'What WordPress offers; null if it knows of no newer version.' }),
    isActive: z.boolean()
  })
  .meta({ id: 'WordpressComponent' })
export type WordpressComponent = z.infer<typeof WordpressComponent>

export const WordpressTaskItem = z
  .object({ kind: WordpressComponentKind, id: ComponentId, name: z.string(), from: z.string(), to: z.string() })
  .meta({ id: 'WordpressTaskItem' })
export type WordpressTaskItem = z.infer<typeof WordpressTaskItem>

export const WordpressTaskProblem = sentencesOf('WordpressTaskProblemCode', wordpressTaskProblemTexts)
export type WordpressTaskProblem = z.infer<typeof WordpressTaskProblem>

export const WordpressReplacement = z.object({
  search: z.string().min(1).max(2000),
  replace: z.string().max(2000),
  dryRun: z.boolean().default(true).meta({ description: 'Only count what would change.' })
})
export type WordpressReplacement = z.infer<typeof WordpressReplacement>

export const WordpressCopy = z
  .object({
    fromProjectId: Id.meta({ description: 'Another WordPress project of the account.' }),
    files: z.boolean().default(true).meta({ description: 'All but wp-config.php.' }),
    database: z
      .boolean()
      .default(true)
      .meta({ description: 'The tables of the site. Addresses in them become those of this site.' })
  })
  .refine(({ files, database }) => files || database, 'Copy files, database or both')
  .meta({ id: 'WordpressCopy' })
export type WordpressCopy = z.infer<typeof WordpressCopy>

export const WordpressTask = z
  .object({
    id: Id,
    projectId: Id,
    kind: WordpressTaskKind,
    trigger: WordpressTaskTrigger,
    status: WordpressTaskStatus.meta({
      description: 'FAILED: nothing was changed. ROLLED_BACK: files and database are as they were before.'
    }),
    step: WordpressTaskStep,
    items: z.array(WordpressTaskItem).meta({ description: 'Of an update.' }),
    done: z.int().meta({ description: 'Items that are updated and checked.' }),
    replacement: WordpressReplacement.nullable(),
    copy: WordpressCopy.nullable(),
    changed: z.int().nullable().meta({ description: 'Values that a replacement changed, or would change.' }),
    skipped: z.int().nullable().meta({
      description: 'Values that contain the text and stay: too large, or PHP could not read them afterwards.'
    }),
    problem: z.string().nullable(),
    problemSentences: WordpressTaskProblem,
    undoUntil: Timestamp.nullable().meta({
      description: 'What the change replaced is kept until then, or until the next change, and can be put back.'
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
  .meta({ id: 'WordpressTask' })
export type WordpressTask = z.infer<typeof WordpressTask>

export const WordpressTasks = z.object({ tasks: z.array(WordpressTask) })
export type WordpressTasks = z.infer<typeof WordpressTasks>

export const wordpressUnavailableReasons = ['NOT_RUNNING', 'NOT_INSTALLED', 'BROKEN'] as const
export const WordpressUnavailable = z.enum(wordpressUnavailableReasons)
export type WordpressUnavailable = z.infer<typeof WordpressUnavailable>

export const WordpressSite = z
  .object({
    coreVersion: z.string(),
    phpVersion: z.string(),
    components: z.array(WordpressComponent),
    administrators: z.array(z.string()).meta({ description: 'Up to 100 login names.' }),
    canSignIn: z
      .boolean()
      .meta({ description: 'False until the next deployment of a site from an older version of the panel.' })
  })
  .meta({ id: 'WordpressSite' })
export type WordpressSite = z.infer<typeof WordpressSite>

export const WordpressState = z
  .object({
    site: WordpressSite.nullable().meta({ description: 'What WordPress itself reports; null if it cannot be asked.' }),
    unavailable: WordpressUnavailable.nullable().meta({ description: 'Why `site` is null.' }),
    error: z.string().nullable().meta({ description: 'The fatal error of a BROKEN site, as PHP reports it.' }),
    updatePolicy: WordpressUpdatePolicy,
    nextUpdateAt: Timestamp.nullable().meta({ description: 'When automatic updates run next.' }),
    maintenance: z.boolean(),
    debugLog: z.boolean(),
    cron: z.object({
      checkedAt: Timestamp.nullable(),
      nextEventAt: Timestamp.nullable(),
      lateSince: Timestamp.nullable().meta({
        description: 'Due time of the oldest event, if it is more than ten minutes overdue.'
      })
    }),
    task: WordpressTask.nullable().meta({ description: 'The latest one.' })
  })
  .meta({ id: 'WordpressState' })
export type WordpressState = z.infer<typeof WordpressState>

export const WordpressSettings = z
  .object({
    updatePolicy: WordpressUpdatePolicy.optional().meta({ description: 'SECURITY: minor versions of WordPress only.' }),
    maintenance: z
      .boolean()
      .optional()
      .meta({ description: 'Visitors get status 503. wp-login.php and wp-admin stay open.' }),
    debugLog: z.boolean().optional().meta({ description: 'Log everything that PHP reports to wp-content/debug.log.' })
  })
  .refine((settings) => Object.values(settings).some((value) => value !== undefined), 'Name at least one setting')
  .meta({ id: 'WordpressSettings' })
export type WordpressSettings = z.infer<typeof WordpressSettings>

export const WordpressSettingsNow = z.object({
  updatePolicy: WordpressUpdatePolicy,
  maintenance: z.boolean(),
  debugLog: z.boolean()
})
export type WordpressSettingsNow = z.infer<typeof WordpressSettingsNow>

export const UpdateWordpress = z.object({
  components: z
    .array(z.object({ kind: WordpressComponentKind, id: ComponentId }))
    .min(1)
    .max(500)
    .optional()
    .meta({ description: 'Default: everything for which there is an update.' })
})
export type UpdateWordpress = z.infer<typeof UpdateWordpress>

/** A login name of WordPress, which may be an address or have spaces. */
export const WordpressLogin = z.string().min(1).max(60)

export const SignInToWordpress = z.object({
  login: WordpressLogin.optional().meta({ description: 'Default: the first administrator.' })
})
export type SignInToWordpress = z.infer<typeof SignInToWordpress>

export const WordpressSignIn = z.object({
  login: z.string(),
  url: z.string().meta({ description: 'Signs in the first browser that opens it, within 60 seconds.' }),
  expiresAt: Timestamp
})
export type WordpressSignIn = z.infer<typeof WordpressSignIn>

export const WordpressPassword = z.object({ login: z.string(), password: secret(z.string()) })
export type WordpressPassword = z.infer<typeof WordpressPassword>

export const CreateWordpressStaging = z.object({
  name: ProjectName.optional().meta({ description: 'Default: the name of the site with `-staging`.' })
})
export type CreateWordpressStaging = z.infer<typeof CreateWordpressStaging>

const LinkedSite = z.object({ id: Id, name: z.string(), hostname: z.string() }).meta({ id: 'WordpressLinkedSite' })

export const WordpressStaging = z
  .object({
    stagingOf: LinkedSite.nullable().meta({ description: 'The site that this is a staging copy of.' }),
    access: z
      .object({ username: z.string(), password: secret(z.string()) })
      .nullable()
      .meta({ description: 'What the proxy asks visitors of a staging copy for.' }),
    copies: z.array(LinkedSite).meta({ description: 'Staging copies of this site.' })
  })
  .meta({ id: 'WordpressStaging' })
export type WordpressStaging = z.infer<typeof WordpressStaging>

export const WordpressDebugLog = z.object({
  size: z.int(),
  text: z.string().meta({ description: 'The end of the log, at most 64 KiB.' })
})
export type WordpressDebugLog = z.infer<typeof WordpressDebugLog>

export const WordpressCoreSource = z.enum(['IMAGE', 'WORDPRESS_ORG'])

const Paths = z.array(z.string()).meta({ description: 'At most 500.' })

export const WordpressCoreChanges = z.object({
  version: z.string(),
  source: WordpressCoreSource.meta({ description: 'What the files are compared with.' }),
  total: z.int(),
  changed: Paths,
  missing: Paths,
  extra: Paths
})
export type WordpressCoreChanges = z.infer<typeof WordpressCoreChanges>
