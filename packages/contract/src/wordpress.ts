import { z } from 'zod'
import { Id, sentencesOf, Timestamp } from './common.ts'
import { ErrorBody } from './errors.ts'
import { wordpressNoteTexts, wordpressProblemTexts } from './wordpress-texts.ts'

/** In order; those before SWAPPING leave the old site untouched, those after it are finished whatever happens. */
export const importSteps = ['RECEIVING', 'CHECKING', 'UNPACKING', 'LOADING', 'REWRITING', 'SWAPPING', 'DONE'] as const
export const ImportStep = z.enum(importSteps)
export type ImportStep = z.infer<typeof ImportStep>

export const importStatuses = ['RUNNING', 'SUCCEEDED', 'FAILED'] as const
export const ImportStatus = z.enum(importStatuses)
export type ImportStatus = z.infer<typeof ImportStatus>

export const WordpressProblem = sentencesOf('WordpressProblemCode', wordpressProblemTexts)
export type WordpressProblem = z.infer<typeof WordpressProblem>

export const WordpressNotes = sentencesOf('WordpressNoteCode', wordpressNoteTexts).meta({
  description: 'The codes of `notes`, one for each and in their order. Empty where only these tell it.'
})
export type WordpressNotes = z.infer<typeof WordpressNotes>

export const WordpressImport = z
  .object({
    id: Id,
    projectId: Id,
    status: ImportStatus,
    step: ImportStep,
    files: z.int().meta({ description: 'Unpacked so far.' }),
    tables: z.int().meta({ description: 'Tables that the dump made.' }),
    replacedAddress: z
      .string()
      .nullable()
      .meta({ description: 'The address that the site had; null where there was none to replace.' }),
    deploymentId: Id.nullable().meta({ description: 'The deployment that serves the imported site.' }),
    notes: z.array(z.string()).meta({
      description:
        'What of the dump was not loaded (triggers, views, routines) or left as it was (texts that PHP cannot read).'
    }),
    noteSentences: WordpressNotes,
    errorCode: ErrorBody.shape.code.nullable(),
    errorMessage: z.string().nullable().meta({ description: 'Why it failed.' }),
    errorSentences: WordpressProblem,
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
  .meta({ id: 'WordpressImport' })
export type WordpressImport = z.infer<typeof WordpressImport>

/** The form of an import; the fields in any order. */
export const ImportForm = z.object({
  archive: z.string().meta({ format: 'binary', description: 'A tar.gz, tar or zip. `file` is understood too.' }),
  dbName: z.string().optional().meta({
    description:
      'With the three below: a MySQL database of yours on this server. Without: the one of the project, made if missing.'
  }),
  dbUser: z.string().optional(),
  dbPassword: z.string().optional(),
  dbHost: z.string().optional()
})
