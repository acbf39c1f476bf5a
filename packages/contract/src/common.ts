import { z } from 'zod'
import './messages.ts'
import { words } from './details.ts'
import type { SentenceTexts } from './sentences.ts'

/** Opaque to clients. Bounded so that hostile values do not reach the database. */
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

export const SkippedLine = z.object({
  line: z.int(),
  reason: z.string()
})
export type SkippedLine = z.infer<typeof SkippedLine>

/** Schema of coded messages for a text table; `codes` is the name of the code enum in the OpenAPI document. */
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
        'The message in machine-readable form, for programs and translations: one code per sentence, with its `values`. List values show ' +
        'up to eight entries. Empty if the message has no codes.'
    })

/** Values out of range are rejected, not corrected: a client would take a partial page for everything. */
export const pageQuery = (defaultLimit: number, maxLimit: number) => ({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(maxLimit).default(defaultLimit)
})

export const ListOrder = z.enum(['created', 'name'])
export type ListOrder = z.infer<typeof ListOrder>

export const listOrder = (standard: ListOrder) =>
  ListOrder.default(standard).meta({ description: '`created`: newest first. `name`: A to Z.' })

export const unlessFalse = (description: string) =>
  z
    .enum(['true', 'false'])
    .default('true')
    .transform((text) => text === 'true')
    .meta({ description })

export function pagination(page: number, limit: number, total: number): Pagination {
  return { page, limit, total, totalPages: Math.ceil(total / limit) }
}

const isWellFormed = (text: string): boolean => text.isWellFormed()
const halfCharacter = { error: words.HALF_CHARACTER }

/** Rejects lone surrogates, which UTF-8 cannot represent. */
export const wellFormed = (schema: z.ZodString) => schema.refine(isWellFormed, halfCharacter)

/** No control characters except tab: for values that end up in a log, a header or a file. */
export const singleLine = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[^\u0000-\u0008\u000a-\u001f\u007f\u2028\u2029]*$/, words.SINGLE_LINE)
    .refine(isWellFormed, halfCharacter)

/** A shell command that runs only inside the build container or the project's container. */
export const ShellLine = singleLine(2000).refine((line) => line === '' || line.trim() !== '', {
  error: words.BLANK_LINE
})
