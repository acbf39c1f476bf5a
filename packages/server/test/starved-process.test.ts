import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const script = fileURLToPath(new URL('support/starved-process.ts', import.meta.url))
const start = (...args: string[]) =>
  promisify(execFile)('prlimit', [
    '--nofile=400:400',
    ...[process.execPath, '--conditions=source', '--import', 'tsx', script, ...args]
  ])

test('without file descriptors, failures are local and the process lives', async () => {
  const { stdout } = await start()
  expect(JSON.parse(stdout)).toEqual({
    before: 'done',
    starved: {
      run: 'ProcessError: true: could not be started (EMFILE)',
      stream: 'ProcessError: true: could not be started (EMFILE)',
      worker: expect.stringContaining('WorkerThreadError')
    },
    after: { run: 'done', daemon: 'done' }
  })
})

test('an uncaught error ends it', async () => {
  await expect(start('defect')).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('"after"') })
})
