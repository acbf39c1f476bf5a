import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { isAlive, newProcessName } from './process-name.ts'
import { readProcessState } from './process-state.ts'

test('a process is alive until it ends, under each of its names', async () => {
  const names = [await newProcessName(), await newProcessName()]
  expect(new Set(names).size).toBe(2)
  expect(await Promise.all(names.map(isAlive))).toEqual([true, true])
})

test('a killed process and a reused pid are not alive', async () => {
  const child = spawn('sleep', ['60'])
  const ofParent = await newProcessName()
  const { startedAt } = (await readProcessState(child.pid!))!
  const nameWith = (pid: number, started: string) =>
    ofParent.replace(/\/\d+\/\d+\/([^/]+)$/, (_, id: string) => `/${pid}/${started}/${id}`)
  const name = nameWith(child.pid!, startedAt)
  expect(await isAlive(name)).toBe(true)
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
  expect(await isAlive(name)).toBe(false)
  expect(await isAlive(nameWith(process.pid, `${startedAt}0`))).toBe(false)
})

test('other machines and earlier boots are unknown', async () => {
  const name = await newProcessName()
  for (const other of ['', 'e1f1c3f0-0a5b-4d4e-8f0e-5d9a1f6f2b11', `x${name}`, name.replace('pid:[', 'pid:[1')])
    expect(await isAlive(other)).toBeUndefined()
})
