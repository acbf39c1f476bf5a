import { expect, test } from 'vitest'
import { problemsIn } from './prose.mjs'

test.each([
  ['Needs you', 'Needs attention · 8 items'],
  ['Its container ends again and again', 'Container is crash-looping'],
  ['The server is busy just now', 'The server is busy. Try again in a moment'],
  ['This is no request as HTTP has it', 'This is not a valid HTTP request'],
  ['Too many tries; try again later', 'Too many attempts. Try again later'],
  ['The account has as many of these as it may have', 'The account has reached its quota'],
  ['A deployment is under way', 'A deployment is in progress'],
  ['A name that leads elsewhere', 'A name that points elsewhere'],
  ['It says what came of it', 'It returns the result'],
  ['Counters that began anew', 'Counters that were reset'],
  ['It restarts by itself', 'It restarts automatically'],
  ['The session is over', 'The session has expired'],
  ['Your e-mail address', 'Your email address'],
  ['Enable 2FA', 'Enable two-factor'],
  ['Deploy again', 'Redeploy'],
  ['Whoever runs this panel can change it', 'An administrator can change it'],
  ['For who has lost the phone', 'Use this if the user lost their phone'],
  ['Half within 76 ms', 'p50 76 ms'],
  ['or one made by chance', 'or generate one'],
  ['There is no such deployment', 'Deployment not found'],
  ['The server is away', 'The server is unavailable'],
  ['It holds with the next deployment', 'Takes effect on the next deployment'],
  ['Something went wrong on our side', 'Internal error']
])('“%s” is found, “%s” is not', (planted, plain) => {
  expect(problemsIn(`First line\n${planted}.`)).toMatchObject([{ line: 2 }])
  expect(problemsIn(plain)).toEqual([])
})

test.each([
  "import { mendSchemas } from './mend-schemas.ts'",
  '  "nobody": "Not signed in",',
  "  return t('nobody')",
  "api.POST('/api/auth/2fa/setup')",
  'export class IS_2FA_REQUIRED {}',
  'return [...all, ...merge(rest)] // There is no longer a limit'
])('paths, keys and codes are not prose: %s', (line) => expect(problemsIn(line)).toEqual([]))

test.each(['const nobody = { sender: undefined }', 'return { ...nobody, status }', 'if (!user) throw nobody()'])(
  'riddles as names are found: %s',
  (line) => expect(problemsIn(line)).toHaveLength(1)
)

test('in files of tests only the names of tests are checked', () => {
  const lines = [
    "test('locks nobody out', () => {",
    "  test.each(rows)('a %s locks nobody out', () => {",
    'describe.skipIf(!root)(`nobody`, () => {})',
    "  const nobody = 'nobody is here'"
  ]
  expect(problemsIn(lines.join('\n'), true).map(({ line }) => line)).toEqual([1, 2, 3])
})
