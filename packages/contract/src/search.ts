import { z } from 'zod'
import { Id, singleLine } from './common.ts'

export const searchTypes = ['project', 'domain', 'database', 'mailbox', 'user'] as const
export const SearchType = z.enum(searchTypes)
export type SearchType = z.infer<typeof SearchType>

const maxResults = 50

export const SearchQuery = z.object({
  q: singleLine(100).trim().min(1).meta({ description: 'A part of the name, in any case.' }),
  types: z
    .string()
    .max(100)
    .transform((text) => text.split(','))
    .pipe(z.array(SearchType).min(1))
    .optional()
    .meta({ description: `Of these alone, by commas: ${searchTypes.join(', ')}. Left out: of all.` }),
  limit: z.coerce.number().int().min(1).max(maxResults).default(20).meta({ description: 'In all, and of each type.' })
})
export type SearchQuery = z.infer<typeof SearchQuery>

export const SearchResult = z
  .object({
    type: SearchType,
    id: Id,
    title: z.string().meta({ description: 'Its name: of a domain the host, of a mailbox the address.' }),
    subtitle: z
      .string()
      .nullable()
      .meta({ description: 'What tells it from others: repository, path, engine, e-mail address.' })
  })
  .meta({ id: 'SearchResult' })
export type SearchResult = z.infer<typeof SearchResult>

export const SearchResults = z
  .object({
    results: z
      .array(SearchResult)
      .meta({ description: 'Names that begin with it first, then those with a word that does, then the others.' })
  })
  .meta({ id: 'SearchResults' })
