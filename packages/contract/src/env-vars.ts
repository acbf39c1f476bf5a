import { z } from 'zod'
import { Id, sentencesOf, SkippedLine, Timestamp, wellFormed } from './common.ts'
import { words } from './details.ts'
import { secret } from './field-scope.ts'

const maxEnvValueBytes = 64 * 1024

/** Of one project: more than any program reads, and few enough for one statement. */
export const maxEnvVars = 1_000

/** What a shell takes for a variable (POSIX), so that start commands can read it. */
export const EnvKey = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,254}$/, words.VARIABLE_NAME)

// NUL cannot be in a process environment (execve); a lone surrogate has no UTF-8 form. All else passes byte for byte.
export const EnvValue = z
  .string()
  .refine((value) => !value.includes('\0'), { error: words.NUL })
  .refine((value) => value.isWellFormed(), { error: words.UNICODE })
  .refine((value) => new TextEncoder().encode(value).length <= maxEnvValueBytes, { error: words.VALUE_OF_64_KIB })

export const maskedValue = '••••••••'

export const EnvVar = z
  .object({
    id: Id,
    key: z.string(),
    maskedValue: z.literal(maskedValue),
    sensitive: z.boolean().meta({ description: 'Whether it is kept out of build and deployment logs.' }),
    projectId: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
  .meta({ id: 'EnvVar' })
export type EnvVar = z.infer<typeof EnvVar>

export const EnvVarList = z.object({ variables: z.array(EnvVar) })
export const EnvVarWritten = z.object({ count: z.int(), variables: z.array(EnvVar) })

const previewed = z.array(z.object({ key: z.string(), line: z.int() }))
export const EnvImportPreview = z
  .object({
    added: previewed,
    replaced: previewed.meta({ description: 'Of a project that has them (`overwrite`).' }),
    kept: previewed.meta({ description: 'Those that are there and stay as they are.' })
  })
  .meta({ id: 'EnvImportPreview' })
export type EnvImportPreview = z.infer<typeof EnvImportPreview>

/** Why a line of a file is no variable that is taken. */
export const skippedVariableTexts = {
  NO_VARIABLE: 'is not of the form KEY=value',
  OPEN_QUOTE: 'has a quote that is not closed',
  THERE_ALREADY: 'has {{key}}, which is there already'
} as const
const SkippedVariable = SkippedLine.extend({
  reason: z.string().meta({ description: 'The end of a sentence: `line 3 is not of the form KEY=value`.' }),
  sentences: sentencesOf('SkippedVariableCode', skippedVariableTexts)
}).meta({ id: 'SkippedVariable' })
export type SkippedVariable = z.infer<typeof SkippedVariable>

export const EnvVarsImported = EnvVarWritten.extend({
  preview: EnvImportPreview.optional().meta({ description: 'With `dryRun` alone.' }),
  skipped: z.array(SkippedVariable).meta({
    description:
      'Lines that are no variable, blank line or comment, and those of variables that are there already and stay; the first 1,000.'
  })
})

export const RevealedEnvVar = z
  .object({ id: Id, key: z.string(), value: secret(z.string()), createdAt: Timestamp, updatedAt: Timestamp })
  .meta({ id: 'RevealedEnvVar' })

export const EnvFileText = z
  .object({ content: secret(z.string()).meta({ description: 'A line `KEY=value` for each variable.' }) })
  .meta({ id: 'EnvFileText' })

const EnvEntry = z.object({
  key: EnvKey,
  value: EnvValue,
  sensitive: z
    .boolean()
    .optional()
    .meta({
      description:
        'Whether the value is kept out of build and deployment logs, in any encoding. True for a new variable; one that is there keeps ' +
        'what it has. Values that are short, single words, numbers or addresses of a machine are shown all the same.'
    })
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
    description: 'Raw .env text with comments, quotes and multiline values; at most 1,000 variables.'
  }),
  overwrite: z.boolean().default(false).meta({
    description:
      'Whether variables that exist already are replaced; otherwise they stay, and their lines are in `skipped`.'
  }),
  dryRun: z.boolean().default(false).meta({ description: 'Says in `preview` what would be, and changes nothing.' })
})
