import { expect, test } from 'vitest'
import { systemFinding } from './debian-release.policy.ts'

const debian = (version: string) => `PRETTY_NAME="Debian GNU/Linux"\nNAME="Debian GNU/Linux"\n${version}ID=debian\n`

test.each(['12', '13'])('Debian %s is supported', (version) => {
  expect(systemFinding(debian(`VERSION_ID="${version}"\n`))).toEqual({
    part: 'System',
    found: true,
    version: `Debian ${version}`
  })
})

test.each([
  ['an older Debian', debian('VERSION_ID="11"\n')],
  ['Debian testing', debian('')],
  ['another system', 'NAME="Alpine Linux"\nID=alpine\nVERSION_ID=3.20\n'],
  ['no file', '']
])('%s gets advice', (_, text) => {
  expect(systemFinding(text).advice).toBeDefined()
})
