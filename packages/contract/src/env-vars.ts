import { z } from 'zod'
import { Id, sentencesOf, SkippedLine, Timestamp, wellFormed } from './common.ts'
import { words } from './details.ts'
import { secret } from './field-scope.ts'
import { ProcessName } from './processes.ts'

export const maxEnvValueBytes = 64 * 1024

/** Per project: more than any program reads, and few enough for one statement. */
export const maxEnvVars = 1_000

/** POSIX shell variable names, so that start commands can use them. */
export const EnvKey = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,254}$/, words.VARIABLE_NAME)

// A process environment cannot hold NUL (execve), and UTF-8 no lone surrogates. Everything else passes unchanged.
export const EnvValue = z
  .string()
  .refine((value) => !value.includes('\0'), { error: words.NUL })
  .refine((value) => value.isWellFormed(), { error: words.UNICODE })
  .refine((value) => new TextEncoder().encode(value).length <= maxEnvValueBytes, { error: words.VALUE_OF_64_KIB })

export const maskedValue = '••••••••'

export const variableScopes = ['BOTH', 'BUILD', 'RUN'] as const
export const VariableScope = z.enum(variableScopes)
export type VariableScope = z.infer<typeof VariableScope>

/** Of every project; other names are those of its workers. */
export const standardProcesses = ['web', 'release', 'jobs'] as const

const scope = VariableScope.meta({ description: 'Whether the build, the running containers, or both get it.' })
const processes = z
  .array(ProcessName)
  .min(1)
  .max(20)
  .nullable()
  .meta({
    description:
      'The processes that get it: `web`, `release` (the release command), `jobs` (commands and scheduled jobs) or the name of a worker. ' +
      'Null: all. The build is not a process.',
    examples: [['web', 'jobs']]
  })

export const EnvVar = z
  .object({
    id: Id,
    key: z.string(),
    maskedValue: z.literal(maskedValue),
    sensitive: z.boolean().meta({ description: 'Whether the value is masked in build and deployment logs.' }),
    scope,
    processes,
    references: z.array(z.string()).meta({
      description:
        'What the value refers to: `KEY`, `group.KEY` or `database.url`, for `${{KEY}}` and so on in the value.',
      examples: [['shop.url']]
    }),
    projectId: Id.optional().meta({ description: 'Absent for a variable of a group.' }),
    groupId: Id.optional().meta({ description: 'The group that it belongs to; absent for a variable of a project.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
  .meta({ id: 'EnvVar' })
export type EnvVar = z.infer<typeof EnvVar>

export const EnvVarList = z.object({ variables: z.array(EnvVar) })
export const EnvVarWritten = z.object({ count: z.int(), variables: z.array(EnvVar) })

/** What has to happen before a change of variables takes effect. */
export const EnvChangeNeed = z.enum(['REBUILD', 'RESTART', 'NOTHING'])
export type EnvChangeNeed = z.infer<typeof EnvChangeNeed>

const keys = z.array(z.string()).meta({ examples: [['SUPPORT_EMAIL']] })
export const EnvChanges = z
  .object({
    added: keys,
    changed: keys,
    removed: keys,
    projects: z
      .array(
        z.object({
          id: Id,
          name: z.string(),
          needs: EnvChangeNeed.meta({
            description:
              '`REBUILD`: a build (`buildProject`), because the build may use a changed variable. `RESTART`: a new container of the same image ' +
              '(`deployProject`). `NOTHING`: nothing is deployed, or nothing changes for the project.'
          })
        })
      )
      .meta({ description: 'The projects that get the variables.' }),
    broken: z
      .array(
        z.object({
          project: z.string().meta({ examples: ['shop'] }),
          key: z.string(),
          reference: z.string().meta({ examples: ['${{shop.url}}'] })
        })
      )
      .meta({ description: 'References that would no longer resolve, by the name of the project.' })
  })
  .meta({ id: 'EnvChanges' })
export type EnvChanges = z.infer<typeof EnvChanges>

const previewed = z.array(z.object({ key: z.string(), line: z.int() }))
export const EnvImportPreview = z
  .object({
    added: previewed,
    replaced: previewed.meta({ description: 'Existing variables that are replaced (`overwrite`).' }),
    kept: previewed.meta({ description: 'Existing variables that stay unchanged.' })
  })
  .meta({ id: 'EnvImportPreview' })
export type EnvImportPreview = z.infer<typeof EnvImportPreview>

export const skippedVariableTexts = {
  NO_VARIABLE: 'is not in the form KEY=value',
  OPEN_QUOTE: 'has an unclosed quote',
  THERE_ALREADY: 'has {{key}}, which already exists'
} as const
const SkippedVariable = SkippedLine.extend({
  reason: z.string().meta({ description: 'Continues a sentence: `line 3 is not in the form KEY=value`.' }),
  sentences: sentencesOf('SkippedVariableCode', skippedVariableTexts)
}).meta({ id: 'SkippedVariable' })
export type SkippedVariable = z.infer<typeof SkippedVariable>

export const EnvVarsImported = EnvVarWritten.extend({
  preview: EnvImportPreview.optional().meta({ description: 'Only with `dryRun`.' }),
  changes: EnvChanges.optional().meta({ description: 'Only with `dryRun`: what the import would change.' }),
  skipped: z.array(SkippedVariable).meta({
    description:
      'Lines that are neither a variable nor blank nor a comment, and variables that already exist and stay; the first 1,000.'
  })
})

export const RevealedEnvVar = z
  .object({ id: Id, key: z.string(), value: secret(z.string()), createdAt: Timestamp, updatedAt: Timestamp })
  .meta({ id: 'RevealedEnvVar' })

export const EnvFileText = z
  .object({ content: secret(z.string()).meta({ description: 'One line `KEY=value` per variable.' }) })
  .meta({ id: 'EnvFileText' })

export const EnvEntry = z.object({
  key: EnvKey,
  value: EnvValue,
  sensitive: z
    .boolean()
    .optional()
    .meta({
      description:
        'Whether to mask the value in build and deployment logs, in any encoding. True for a new variable; an existing one keeps its ' +
        'setting. Short values, single words, numbers and host addresses are never masked.'
    }),
  scope: scope.optional().meta({ description: 'Default: `BOTH`; an existing variable keeps its scope.' }),
  processes: processes.optional().meta({ description: 'Default: null; an existing variable keeps its processes.' })
})
export const SetEnvVars = z.union([z.object({ variables: z.array(EnvEntry).min(1).max(500) }), EnvEntry], {
  error: ({ input }) =>
    typeof input === 'object' && input !== null && !('key' in input || 'value' in input || 'variables' in input)
      ? 'must have key and value, or variables'
      : undefined
})
export type SetEnvVars = z.infer<typeof SetEnvVars>

export const ImportEnv = z.object({
  content: wellFormed(z.string().max(1024 * 1024)).meta({
    description: 'A .env file with comments, quotes and multi-line values; up to 1,000 variables.'
  }),
  overwrite: z.boolean().default(false).meta({
    description: 'Whether to replace existing variables; otherwise they stay and are listed in `skipped`.'
  }),
  dryRun: z.boolean().default(false).meta({ description: 'Only returns a `preview`; changes nothing.' })
})

/** Like a database's name, because a reference names either. */
export const EnvGroupName = z.string().regex(/^[a-zA-Z][a-zA-Z0-9_-]{0,62}$/, words.GROUP_NAME)
export const CreateEnvGroup = z.object({ name: EnvGroupName })

export const maxEnvGroups = 100
export const maxGroupsPerProject = 20

export const EnvGroup = z
  .object({
    id: Id,
    name: z.string(),
    variables: z.int().meta({ description: 'How many variables it has.' }),
    projects: z.array(z.object({ id: Id, name: z.string() })).meta({ description: 'The projects that get them.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
  .meta({ id: 'EnvGroup' })
export type EnvGroup = z.infer<typeof EnvGroup>
export const EnvGroupList = z.object({ groups: z.array(EnvGroup) })

export const ProjectEnvGroups = z
  .object({
    groups: z.array(z.object({ id: Id, name: z.string() })).meta({
      description: 'By precedence: the first group that has a key counts. Variables of the project beat all groups.'
    })
  })
  .meta({ id: 'ProjectEnvGroups' })
export type ProjectEnvGroups = z.infer<typeof ProjectEnvGroups>
export const SetProjectEnvGroups = z.object({
  groupIds: z
    .array(Id)
    .max(maxGroupsPerProject)
    .refine((ids) => new Set(ids).size === ids.length, { error: words.TWICE })
})

/** A change that is not saved: what it would do. */
export const PreviewEnv = z.object({
  variables: z.array(EnvEntry).max(500).default([]),
  removed: z.array(EnvKey).max(500).default([])
})
export type PreviewEnv = z.infer<typeof PreviewEnv>
