import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { processesIn } from './processes-in.ts'

test('finds processes by working directory, under any path', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'place-'))
  await symlink(directory, join(directory, 'alias'))
  expect(await processesIn(directory)).toEqual([])
  const child = spawn('sleep', ['600'], { cwd: join(directory, 'alias'), stdio: 'ignore' })
  await once(child, 'spawn')
  expect(await processesIn(directory)).toEqual([child.pid])
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await processesIn(directory)).toEqual([])
  await rm(directory, { recursive: true })
})
