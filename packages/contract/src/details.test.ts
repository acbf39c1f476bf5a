import { expect, test } from 'vitest'
import { z } from 'zod'
import { codeOf, describe, detailCodes, sentenceOf, words } from './details.ts'
import { recordWords } from './record-words.ts'
import './messages.ts'

const issueOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error!.issues[0]! as unknown as Parameters<typeof describe>[0] & { message: string }

test.each([
  [z.string(), undefined, { code: 'MISSING' }],
  [z.string(), 7, { code: 'TEXT_EXPECTED' }],
  [z.int(), 1.5, { code: 'WHOLE_NUMBER_EXPECTED' }],
  [z.enum(['start', 'stop']), 'go', { code: 'ONE_OF', values: { names: 'start, stop' } }],
  [z.literal('delete'), 'keep', { code: 'ONLY', values: { names: 'delete' } }],
  [z.string().min(1), '', { code: 'EMPTY' }],
  [z.string().min(8), 'short', { code: 'TOO_SHORT', values: { count: 8 } }],
  [z.string().max(1), 'ab', { code: 'TOO_LONG', values: { count: 1 } }],
  [z.string().length(6), '1', { code: 'OTHER_LENGTH', values: { count: 6 } }],
  [z.array(z.string()).max(2), ['a', 'b', 'c'], { code: 'TOO_MANY', values: { count: 2 } }],
  [z.number().max(65_535), 65_536, { code: 'AT_MOST', values: { limit: 65_535 } }],
  [z.number().gt(1), 1, { code: 'MORE_THAN', values: { limit: 1 } }],
  [z.int(), 1e300, { code: 'TOO_LARGE_NUMBER' }],
  [z.number().multipleOf(5), 7, { code: 'MULTIPLE_OF', values: { limit: 5 } }],
  [z.email(), 'x', { code: 'EMAIL' }],
  [z.string().regex(/^a$/), 'b', { code: 'OTHER_FORM' }],
  [z.string().regex(/^a$/, words.BRANCH), 'b', { code: 'BRANCH' }],
  [z.strictObject({}), { a: 1 }, { code: 'UNKNOWN_MEMBERS', values: { names: 'a' } }],
  [z.string().refine(() => false, words.TIME_ZONE), 'x', { code: 'TIME_ZONE' }]
])('%#: an issue has a code that yields its message', (schema, value, described) => {
  const issue = issueOf(schema, value)
  expect(describe(issue)).toEqual(described)
  expect(sentenceOf(describe(issue))).toBe(issue.message)
})

test('an unknown message has the code INVALID', () => {
  expect(
    describe(
      issueOf(
        z.string().refine(() => false, 'is odd'),
        'x'
      )
    )
  ).toEqual({ code: 'INVALID' })
  expect(codeOf('is odd')).toBe('INVALID')
})

test('messages map to exactly one code', () => {
  const plain = Object.entries({ ...words, ...recordWords }).filter(([, says]) => typeof says === 'string')
  for (const [code, sentence] of plain) expect(codeOf(sentence as string)).toBe(code)
  // A code in both tables would overwrite the other.
  for (const code of Object.keys(recordWords)) expect(Object.keys(words)).not.toContain(code)
  expect(detailCodes.length).toBeGreaterThan(Object.keys(words).length + Object.keys(recordWords).length + 30)
})
