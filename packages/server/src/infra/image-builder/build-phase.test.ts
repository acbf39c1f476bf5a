import { expect, test } from 'vitest'
import { withBuildPhase } from './builtin-builder.ts'
import type { BuildSource, BuildTask } from './image-builder.ts'

function written(type: BuildSource['type'], ...pieces: string[]): string {
  let log = ''
  const source = { repository: undefined, type, buildCmd: null, startCmd: null, port: null, buildEnv: {} }
  const task: BuildTask = {
    source,
    tag: 't',
    labels: {},
    network: 'n',
    signal: new AbortController().signal,
    onLog: (text) => void (log += text),
    onPhase: (phase) => void (log += `[${phase}]`)
  }
  const { onLog } = withBuildPhase(task)
  for (const piece of pieces) onLog(piece)
  return log
}

test('the build begins with the step that copies the build command', () => {
  const first = 'Step 1/4 : FROM panel-node AS build\nStep 2/4 : RUN ["npm","ci"]\n'
  const copy = 'Step 3/4 : COPY [".panel/build.sh","/run/panel/build.sh"]\n'
  const last = 'Step 4/4 : FROM panel-node\n'
  expect(written('NODEJS', first, copy, last)).toBe(`${first}[build]${copy}${last}`)
  expect(written('NODEJS', first + copy + last)).toBe(`${first}[build]${copy}${last}`)
})

test('without a build command it begins with the final stage', () => {
  const first = 'Step 1/2 : FROM panel-python AS build\n'
  expect(written('PYTHON', first, 'Step 2/2 : FROM panel-python\n')).toBe(
    `${first}[build]Step 2/2 : FROM panel-python\n`
  )
})

test('a Dockerfile of the repository is built from its first step', () => {
  expect(written('DOCKERFILE', 'Step 1/1 : FROM x AS y\n')).toBe('[build]Step 1/1 : FROM x AS y\n')
})
