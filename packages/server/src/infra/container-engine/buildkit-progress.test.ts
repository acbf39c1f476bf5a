import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createBuildProgress } from './buildkit-progress.ts'

/** Recorded from docker-buildx 0.13.1 on engine 26.1.5: a build whose last step fails, and the same again. */
const recorded = (name: 'failed' | 'cached') =>
  readFileSync(new URL(`../../../test/fixtures/buildkit/${name}.rawjson`, import.meta.url), 'utf8').split('\n')

function logOf(lines: readonly string[]) {
  let log = ''
  const progress = createBuildProgress((text) => (log += text))
  for (const line of lines) progress.addLine(line)
  return { log, problem: progress.problem() }
}

const npm = `RUN --mount=type=cache,target=/root/.npm echo "grüße" && printf '\\033[31mred\\033[0m\\n' && echo to stderr >&2`

test('shows steps as the classic builder does, without colours and the marks of the panel', () => {
  const { log, problem } = logOf(recorded('failed'))
  expect(log).toBe(`Step 1/3 : FROM docker.io/library/node:24-trixie-slim AS build
 ---> Using cache
Step 2/3 : WORKDIR /app
 ---> Using cache
Step 3/3 : ${npm}
to stderr
grüße
red
Step 2/3 : COPY --from=build /app /app
Step 3/3 : RUN echo before && exit 3
before
`)
  expect(problem).toBe('process "/bin/sh -c echo before && exit 3" did not complete successfully: exit code: 3')
})

test('shows which steps come from the cache', () => {
  expect(logOf(recorded('cached')).log).toContain(`Step 3/3 : ${npm}\n ---> Using cache\n`)
})

const compact = (status: object) => JSON.stringify(status)
const vertex = (digest: string, name: string) => ({ digest, name, started: '2026-01-01T00:00:00Z' })
const output = (vertex: string, text: string | Buffer) => ({ vertex, data: Buffer.from(text).toString('base64') })

test('names the step again when the output switches, and keeps a line that a switch cuts', () => {
  const { log } = logOf([
    compact({ vertexes: [vertex('a', '[a  9/10] RUN x'), vertex('b', '[b 1/2] RUN y')] }),
    compact({ logs: [output('a', 'half'), output('b', 'other\n'), output('a', ' a line\n'), output('c', 'nobody')] })
  ])
  expect(log).toBe(
    'Step 9/10 : RUN x\nStep 1/2 : RUN y\nStep 9/10 : RUN x\nhalf\nStep 1/2 : RUN y\nother\nStep 9/10 : RUN x\n a line\n'
  )
})

test('characters and escape sequences may come in pieces', () => {
  const euro = Buffer.from('€\u001b[31m')
  const { log } = logOf([
    compact({ vertexes: [vertex('a', '[1/1] RUN x')] }),
    compact({ logs: [output('a', euro.subarray(0, 1)), output('a', euro.subarray(1, 5)), output('a', '1m!\n')] })
  ])
  expect(log).toBe('Step 1/1 : RUN x\n€!\n')
})

test('without a failed step the last error is the problem', () => {
  const text = 'ERROR: failed to solve: failed to compute cache key: "/absent": not found'
  expect(logOf(['', text, '']).problem).toBe('failed to compute cache key: "/absent": not found')
  expect(logOf(['Cannot connect to the Docker daemon']).problem).toBe('Cannot connect to the Docker daemon')
  expect(logOf([]).problem).toBeUndefined()
})
