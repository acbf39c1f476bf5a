import { z } from 'zod'
import { Id, sentencesOf, Timestamp } from './common.ts'
import { ErrorBody } from './errors.ts'
import { wordpressNoteTexts, wordpressProblemTexts } from './wordpress-texts.ts'

/** In order. Until SWAPPING the old site is untouched; after it the import always completes. */
export const importSteps = ['RECEIVING', 'CHECKING', 'UNPACKING', 'LOADING', 'REWRITING', 'SWAPPING', 'DONE'] as const
export const ImportStep = z.enum(importSteps)
export type ImportStep = z.infer<typeof ImportStep>

export const importStatuses = ['RUNNING', 'SUCCEEDED', 'FAILED'] as const
export const ImportStatus = z.enum(importStatuses)
export type ImportStatus = z.infer<typeof ImportStatus>

export const WordpressProblem = sentencesOf('WordpressProblemCode', wordpressProblemTexts)
export type WordpressProblem = z.infer<typeof WordpressProblem>

export const WordpressNotes = sentencesOf('WordpressNoteCode', wordpressNoteTexts).meta({
  description: 'The codes of `notes`, one for each, in the same order. Empty if the notes have no codes.'
})
export type WordpressNotes = z.infer<typeof WordpressNotes>

export const WordpressImport = z
  .object({
    id: Id,
    projectId: Id,
    status: ImportStatus,
    step: ImportStep,
    files: z.int().meta({ description: 'Files unpacked so far.' }),
    tables: z.int().meta({ description: 'Tables that the dump created.' }),
    replacedAddress: z
      .string()
      .nullable()
      .meta({ description: 'The previous address of the site; null if there was none to replace.' }),
    deploymentId: Id.nullable().meta({ description: 'The deployment of the imported site.' }),
    notes: z.array(z.string()).meta({
      description:
        'Parts of the dump that were not imported (triggers, views, routines) or not changed (texts that PHP cannot read).'
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

export const ImportForm = z.object({
  archive: z.string().meta({ format: 'binary', description: 'A tar.gz, tar or zip. Also accepted as `file`.' }),
  dbName: z
    .string()
    .optional()
    .meta({
      description:
        'Together with the three fields below: a MySQL database of yours on this server. Default: the project’s database, created if ' +
        'missing.'
    }),
  dbUser: z.string().optional(),
  dbPassword: z.string().optional(),
  dbHost: z.string().optional()
})
