import { z } from 'zod'
import './messages.ts'
import { words } from './details.ts'
import type { SentenceTexts } from './sentences.ts'

/** Identifiers are opaque to clients; the bound keeps hostile ones off the database. */
export const Id = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9_-]+$/, words.IDENTIFIER)

/** ISO 8601 in UTC. */
export const Timestamp = z.string().meta({ format: 'date-time' })

export const Message = z.object({ message: z.string() }).meta({ id: 'Message' })

export const Pagination = z
  .object({ page: z.int(), limit: z.int(), total: z.int(), totalPages: z.int() })
  .meta({ id: 'Pagination' })
export type Pagination = z.infer<typeof Pagination>

/** A line of a text that was imported, of which nothing came. */
export const SkippedLine = z.object({
  line: z.int(),
  reason: z.string()
})
export type SkippedLine = z.infer<typeof SkippedLine>

/** The schema of what a text says that stands beside it; `codes` is their name in the document. */
export const sentencesOf = <const Code extends string>(codes: string, texts: SentenceTexts<Code>) =>
  z
    .array(
      z.object({
        code: z.enum(Object.keys(texts) as [Code, ...Code[]]).meta({ id: codes }),
        values: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())])).optional()
      })
    )
    .meta({
      description:
        'What the text beside it says, sentence by sentence, for programs and other languages: `values` are what each tells; one that is a ' +
        'list is shown up to its eighth entry. Empty where only the text tells it.'
    })

/** Query members of a paged list. A `limit` above the maximum or a `page` below 1 is refused, not corrected: a client that asks for too much would take what it gets for all. */
export const pageQuery = (defaultLimit: number, maxLimit: number) => ({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(maxLimit).default(defaultLimit)
})

/** A query member by which something is left out of an answer. */
export const unlessFalse = (description: string) =>
  z
    .enum(['true', 'false'])
    .default('true')
    .transform((text) => text === 'true')
    .meta({ description })

/** The page facts of a list answer. */
export function pagination(page: number, limit: number, total: number): Pagination {
  return { page, limit, total, totalPages: Math.ceil(total / limit) }
}

const isWellFormed = (text: string): boolean => text.isWellFormed()
const halfCharacter = { error: words.HALF_CHARACTER }

/** Refuses a surrogate that stands alone: as UTF-8 it would be another text than the one that was sent. */
export const wellFormed = (schema: z.ZodString) => schema.refine(isWellFormed, halfCharacter)

/** Text without control characters other than tab: for everything that later meets a log, a header or a file. */
export const singleLine = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[^\u0000-\u0008\u000a-\u001f\u007f\u2028\u2029]*$/, words.SINGLE_LINE)
    .refine(isWellFormed, halfCharacter)

/** One shell line that runs only inside the build container or the project's container. */
export const ShellLine = singleLine(2000).refine((line) => line === '' || line.trim() !== '', {
  error: words.BLANK_LINE
})
