import { expect, test } from 'vitest'
import { z } from 'zod'
import './messages.ts'

const firstMessage = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]?.message

test.each<[string, z.ZodType, unknown, string]>([
  ['a missing member', z.string(), undefined, 'is missing'],
  ['a missing list', z.array(z.string()), undefined, 'is missing'],
  ['a missing choice', z.enum(['A', 'B']), undefined, 'is missing'],
  ['a number for a text', z.string(), 7, 'must be text'],
  ['null for a text', z.string(), null, 'must be text'],
  ['a text for a number', z.number(), '7', 'must be a number'],
  ['not a number', z.coerce.number(), 'x', 'must be a number'],
  ['a fraction', z.int(), 1.5, 'must be a whole number'],
  ['beyond the safe integers', z.int(), 1e300, 'is too large'],
  ['a text for yes or no', z.boolean(), 'yes', 'must be true or false'],
  ['an object for a list', z.array(z.string()), {}, 'must be a list'],
  ['a list for an object', z.object({}), [], 'must be an object'],
  ['another choice', z.enum(['start', 'stop']), 'go', 'must be one of start, stop'],
  ['a value of a long enum', z.enum(Array.from({ length: 16 }, (_, at) => `V${at}`)), 'x', 'is not a known value'],
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
  ['not an email address', z.email(), 'x', 'must be an email address'],
  ['another pattern', z.string().regex(/^a$/), 'b', 'has an invalid format'],
  ['a pattern with its own message', z.string().regex(/^a$/, 'must be a'), 'b', 'must be a'],
  ['unknown members', z.strictObject({}), { a: 1, b: 2 }, 'has unknown members: a, b'],
  ['none of several forms', z.union([z.string(), z.int()]), [], 'matches none of the accepted formats'],
  ['a rule without a message', z.string().refine(() => false), 'x', 'is invalid']
])('%s', (_name, schema, value, message) => expect(firstMessage(schema, value)).toBe(message))
