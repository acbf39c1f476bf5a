import { expect, test } from 'vitest'
import { dockerfileArguments } from './dockerfile-arguments.ts'

const dockerfile = `ARG TAG=1
FROM base:$TAG AS one
ARG VERSION
ARG TOKEN=none OTHER
FROM one
ARG LATER="a b"
`
const buildEnv = { VERSION: '1.2', TOKEN: 'hush', LATER: 'x', UNDECLARED: 'y' }

test('passes what the Dockerfile declares; settings of the project win', () => {
  expect(dockerfileArguments(dockerfile, { buildEnv, buildArgs: { VERSION: '2', EXTRA: 'z' } })).toEqual({
    buildArgs: { TOKEN: 'hush', LATER: 'x', VERSION: '2', EXTRA: 'z' },
    notes: []
  })
})

test('never passes a sensitive variable, and names it', () => {
  const secretKeys = [
    { key: 'TOKEN', isForBuildOnly: false },
    { key: 'UNDECLARED', isForBuildOnly: true }
  ]
  expect(dockerfileArguments(dockerfile, { buildEnv, secretKeys })).toEqual({
    buildArgs: { VERSION: '1.2', LATER: 'x' },
    notes: [{ code: 'SECRET_NOT_ARGUMENT', values: { keys: ['TOKEN'] } }]
  })
})

test('refuses a sensitive variable that only the build would get', () => {
  const secretKeys = [{ key: 'TOKEN', isForBuildOnly: true }]
  expect(() => dockerfileArguments(dockerfile, { buildEnv, secretKeys })).toThrow(/TOKEN/)
})
