import { expect, test } from 'vitest'
import { z } from 'zod'
import './messages.ts'

const firstMessage = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]?.message

test.each<[string, z.ZodType, unknown, string]>([
  ['a member that is missing', z.string(), undefined, 'is missing'],
  ['a list that is missing', z.array(z.string()), undefined, 'is missing'],
  ['a choice that is missing', z.enum(['A', 'B']), undefined, 'is missing'],
  ['a number for a text', z.string(), 7, 'must be a text'],
  ['null for a text', z.string(), null, 'must be a text'],
  ['a text for a number', z.number(), '7', 'must be a number'],
  ['what is no number', z.coerce.number(), 'x', 'must be a number'],
  ['a fraction', z.int(), 1.5, 'must be a whole number'],
  ['more than numbers hold exactly', z.int(), 1e300, 'is too large a number'],
  ['a text for yes or no', z.boolean(), 'yes', 'must be true or false'],
  ['an object for a list', z.array(z.string()), {}, 'must be a list'],
  ['a list for an object', z.object({}), [], 'must be an object'],
  ['another choice', z.enum(['start', 'stop']), 'go', 'must be one of start, stop'],
  [
    'one of very many',
    z.enum(Array.from({ length: 16 }, (_, at) => `V${at}`)),
    'x',
    'is none of the values that are known here'
  ],
  ['another word', z.literal('delete'), 'keep', 'must be delete'],
  ['an empty text', z.string().min(1), '', 'must not be empty'],
  ['an empty list', z.array(z.string()).min(1), [], 'must not be empty'],
  ['a short text', z.string().min(8), 'short', 'must have at least 8 characters'],
  ['a long text', z.string().max(2), 'abc', 'must have at most 2 characters'],
  ['a text longer than one', z.string().max(1), 'ab', 'must have at most 1 character'],
  ['a text of another length', z.string().length(6), '1', 'must have exactly 6 characters'],
  ['a long list', z.array(z.string()).max(2), ['a', 'b', 'c'], 'must have at most 2 entries'],
  ['a small number', z.number().min(1), 0, 'must be at least 1'],
  ['a number that must be above', z.number().gt(1), 1, 'must be more than 1'],
  ['a large number', z.number().max(65_535), 65_536, 'must be at most 65535'],
  ['a number that must be below', z.number().lt(5), 5, 'must be less than 5'],
  ['a number between', z.number().multipleOf(5), 7, 'must be a multiple of 5'],
  ['no e-mail address', z.email(), 'x', 'must be an e-mail address'],
  ['another pattern', z.string().regex(/^a$/), 'b', 'has a form that is not taken here'],
  ['a pattern with words of its own', z.string().regex(/^a$/, 'must be a'), 'b', 'must be a'],
  ['members that are not known', z.strictObject({}), { a: 1, b: 2 }, 'has members that are not known here: a, b'],
  ['none of several forms', z.union([z.string(), z.int()]), [], 'has none of the forms that are taken here'],
  ['a rule without words', z.string().refine(() => false), 'x', 'is not valid']
])('%s', (_name, schema, value, message) => expect(firstMessage(schema, value)).toBe(message))
