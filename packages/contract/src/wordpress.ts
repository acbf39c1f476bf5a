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

/** Members of a project's settings. */
export const wordpressSettings = {
  pageCache: z
    .boolean()
    .optional()
    .meta({
      description:
        'true: visitors who are not signed in and have no cart get stored copies of the pages, which are removed when the site changes, and after ' +
        'an hour at the latest. Default false. A change replaces the running container without a build. Only for the type WORDPRESS.'
    })
}

const requests = (description: string) => z.int().min(0).meta({ description })

export const PageCacheDay = z
  .object({
    date: z.iso.date().meta({ description: 'In UTC.' }),
    hits: requests('Answered with a stored page.'),
    misses: requests('Answered by WordPress, because no page was stored. The hit rate is hits / (hits + misses).'),
    bypasses: requests('Never answered from the cache: signed-in visitors, carts, forms, searches and the REST API.')
  })
  .meta({ id: 'PageCacheDay' })
export type PageCacheDay = z.infer<typeof PageCacheDay>

export const PageCache = z
  .object({
    enabled: z.boolean().meta({ description: 'The setting `pageCache` of the project.' }),
    active: z.boolean().meta({
      description:
        'false while the container that uses the setting is not running yet, and for a site that was built before the panel had a page cache: build it again.'
    }),
    days: z.array(PageCacheDay).meta({ description: 'Up to seven days with requests, latest first.' })
  })
  .meta({ id: 'PageCache' })
export type PageCache = z.infer<typeof PageCache>

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
