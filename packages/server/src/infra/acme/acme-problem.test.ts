import { describe, expect, test } from 'vitest'
import { parseRetryAfter, problemOfObject, problemOfResponse } from './acme-problem.ts'

const now = new Date('2026-03-01T12:00:00Z')
const type = (name: string) => `urn:ietf:params:acme:error:${name}`

describe('a CA response', () => {
  test.each<[string, Parameters<typeof problemOfResponse>, object]>([
    [
      'a limit with its end',
      [429, { 'retry-after': '7200' }, { type: type('rateLimited'), detail: 'too many' }, now],
      { kind: 'rate-limited', message: 'too many', retryAfterSeconds: 7200 }
    ],
    ['a limit without an end', [429, {}, undefined, now], { kind: 'rate-limited', retryAfterSeconds: 3600 }],
    ['illness', [503, { 'retry-after': '60' }, '<html>', now], { kind: 'unavailable', retryAfterSeconds: 60 }],
    ['an error of its own', [500, {}, { type: type('serverInternal') }, now], { kind: 'unavailable' }],
    ['a refusal', [403, {}, { type: type('unauthorized'), detail: 'no' }, now], { kind: 'refused', message: 'no' }],
    ['a refusal without words', [404, {}, undefined, now], { kind: 'refused', message: 'HTTP status 404' }],
    [
      'a refusal of some names',
      [
        400,
        {},
        {
          type: type('rejectedIdentifier'),
          detail: 'some are not allowed',
          subproblems: [{ detail: 'on a list', identifier: { type: 'dns', value: 'a.test' } }, 'junk', null]
        },
        now
      ],
      { kind: 'refused', message: 'some are not allowed; a.test: on a list' }
    ]
  ])('%s', (_, answer, expected) => expect(problemOfResponse(...answer)).toMatchObject(expected))
})

test.each<[unknown, object]>([
  [
    { type: type('dns'), detail: 'NXDOMAIN', status: 400 },
    { kind: 'refused', message: 'NXDOMAIN', type: 'dns' }
  ],
  [{ type: type('connection'), detail: 'x', status: 503 }, { kind: 'refused' }],
  [{ type: type('serverInternal'), detail: 'x' }, { kind: 'unavailable' }],
  [
    { type: type('rateLimited'), detail: 'x' },
    { kind: 'rate-limited', retryAfterSeconds: 3600 }
  ],
  [undefined, { kind: 'refused', message: 'no reason given' }],
  [{ type: type('dns'), detail: 'a\r\nb\u001b[31m\u202ec' }, { message: 'a b [31m c' }],
  [{ detail: 'x'.repeat(5000) }, { message: 'x'.repeat(1000) }]
])('the problem of an authorization: %j', (error, expected) => expect(problemOfObject(error)).toMatchObject(expected))

test.each([
  [undefined, undefined],
  ['7200', 7200],
  ['Sun, 01 Mar 2026 12:10:00 GMT', 600],
  ['Sun, 01 Mar 2026 11:00:00 GMT', undefined],
  ['0', undefined],
  ['-5', undefined],
  ['soon', undefined],
  ['99999999999', undefined]
])('Retry-After %j is %j', (header, seconds) => expect(parseRetryAfter(header, now)).toBe(seconds))
