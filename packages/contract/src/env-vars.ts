import { z } from 'zod'
import { Id, sentencesOf, SkippedLine, Timestamp, wellFormed } from './common.ts'
import { words } from './details.ts'
import { secret } from './field-scope.ts'

const maxEnvValueBytes = 64 * 1024

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

export const EnvVar = z
  .object({
    id: Id,
    key: z.string(),
    maskedValue: z.literal(maskedValue),
    sensitive: z.boolean().meta({ description: 'Whether the value is masked in build and deployment logs.' }),
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

const EnvEntry = z.object({
  key: EnvKey,
  value: EnvValue,
  sensitive: z
    .boolean()
    .optional()
    .meta({
      description:
        'Whether to mask the value in build and deployment logs, in any encoding. True for a new variable; an existing one keeps its ' +
        'setting. Short values, single words, numbers and host addresses are never masked.'
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
    description: 'A .env file with comments, quotes and multi-line values; up to 1,000 variables.'
  }),
  overwrite: z.boolean().default(false).meta({
    description: 'Whether to replace existing variables; otherwise they stay and are listed in `skipped`.'
  }),
  dryRun: z.boolean().default(false).meta({ description: 'Only returns a `preview`; changes nothing.' })
})
