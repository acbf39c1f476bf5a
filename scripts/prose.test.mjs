import { expect, test } from 'vitest'
import { problemsIn } from './prose.mjs'

test.each([
  ['Needs you', 'Needs attention · 8 items'],
  ['Its container ends again and again', 'Container is crash-looping'],
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
  'const nobody = { sender: undefined }',
  'return { ...nobody, status }',
  'if (!user) throw nobody()',
  '    hostname: nobody,'
])('names in code are not prose: %s', (line) => expect(problemsIn(line)).toEqual([]))
