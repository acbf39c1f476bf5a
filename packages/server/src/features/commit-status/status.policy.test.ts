import { expect, test } from 'vitest'
import { outcomeOf, pauseAfter } from './status.policy.ts'
import { statusProviders, statusRequest } from './status-request.render.ts'

test.each([
  [201, null, true],
  [302, 'REDIRECTED', true],
  [401, 'TOKEN_REJECTED', true],
  [403, 'TOKEN_REJECTED', false],
  [404, 'COMMIT_NOT_FOUND', true],
  [422, 'COMMIT_NOT_FOUND', true],
  [400, 'ANSWERED', true],
  [429, 'ANSWERED', false],
  [503, 'ANSWERED', false]
])('the answer %i means %s', (status, code, isFinal) => {
  const { problem, ...outcome } = outcomeOf(status)
  expect([problem?.code ?? null, outcome.isFinal]).toEqual([code, isFinal])
})

test('the pauses grow and end', () => {
  const pauses = Array.from({ length: 6 }, (_, at) => pauseAfter(at + 1))
  expect(pauses.at(-1)).toBeUndefined()
  expect(pauses.slice(0, -1)).toEqual(pauses.slice(0, -1).toSorted((a, b) => a! - b!))
})

test('the parts of an address are encoded', () => {
  const report = {
    apiUrl: 'https://git.example',
    token: 't',
    commitHash: 'abc',
    state: 'PENDING',
    targetUrl: 'https://p'
  } as const
  expect(statusRequest('GITLAB', { ...report, repository: 'a/b/c d' }).url).toBe(
    'https://git.example/projects/a%2Fb%2Fc%20d/statuses/abc'
  )
  expect(statusRequest('GITEA', { ...report, repository: 'a?/b' }).url).toBe(
    'https://git.example/repos/a%3F/b/statuses/abc'
  )
})

test('the address of the API follows from the host', () => {
  expect(statusProviders.GITHUB.apiOf('github.com')).toBe('https://api.github.com')
  expect(statusProviders.GITHUB.apiOf('git.example')).toBe('https://git.example/api/v3')
})
