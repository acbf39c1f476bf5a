import { z } from 'zod'
import { Id, singleLine } from './common.ts'

export const searchTypes = ['project', 'domain', 'database', 'mailbox', 'user'] as const
export const SearchType = z.enum(searchTypes)
export type SearchType = z.infer<typeof SearchType>

const maxResults = 50

export const SearchQuery = z.object({
  q: singleLine(100).trim().min(1).meta({ description: 'Part of the name, case-insensitive.' }),
  types: z
    .string()
    .max(100)
    .transform((text) => text.split(','))
    .pipe(z.array(SearchType).min(1))
    .optional()
    .meta({ description: `Comma-separated types to search: ${searchTypes.join(', ')}. Default: all.` }),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(maxResults)
    .default(20)
    .meta({ description: 'Limit in total and per type.' })
})
export type SearchQuery = z.infer<typeof SearchQuery>

export const SearchResult = z
  .object({
    type: SearchType,
    id: Id,
    title: z.string().meta({ description: 'Its name: the hostname of a domain, the address of a mailbox.' }),
    subtitle: z
      .string()
      .nullable()
      .meta({ description: 'Distinguishes equal names: repository, path, engine or email address.' })
  })
  .meta({ id: 'SearchResult' })
export type SearchResult = z.infer<typeof SearchResult>

export const SearchResults = z
  .object({
    results: z
      .array(SearchResult)
      .meta({ description: 'Names that start with the query first, then names with a word that does, then the rest.' })
  })
  .meta({ id: 'SearchResults' })
