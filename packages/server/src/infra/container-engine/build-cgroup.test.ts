import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Run } from '../process/process.ts'
import { createBuildCgroup } from './build-cgroup.ts'

const noRun: Run = async ([file]) => {
  throw new Error(`${file} was not expected`)
}

describe('cgroup of a build', () => {
  let root: string
  beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'cgroup-'))))
  afterEach(() => rm(root, { recursive: true, force: true }))

  const create = (driver: string, version: string, run: Run = noRun) =>
    createBuildCgroup({ setup: { driver, version }, name: 'panelbuild1', pids: 64, run, root })

  test('version 1 with cgroupfs: a directory in the pids hierarchy, gone from all of them afterwards', async () => {
    await mkdir(join(root, 'pids'))
    await mkdir(join(root, 'memory'))
    const cgroup = await create('cgroupfs', '1')
    expect(cgroup.parent).toBe('/panelbuild1')
    expect(await readFile(join(root, 'pids/panelbuild1/pids.max'), 'utf8')).toBe('64')
    expect(await cgroup.remove()).toBe(false) // An ordinary directory with a file in it is as busy as a cgroup with a process.
    await rm(join(root, 'pids/panelbuild1/pids.max'))
    await mkdir(join(root, 'memory/panelbuild1'))
    expect(await cgroup.remove()).toBe(true)
    await expect(readFile(join(root, 'memory/panelbuild1'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('version 2 with cgroupfs: the controller is switched on, then limited', async () => {
    await writeFile(join(root, 'cgroup.subtree_control'), '')
    expect((await create('cgroupfs', '2')).parent).toBe('/panelbuild1')
    expect(await readFile(join(root, 'cgroup.subtree_control'), 'utf8')).toBe('+pids')
    expect(await readFile(join(root, 'panelbuild1/pids.max'), 'utf8')).toBe('64')
  })

  test('systemd: a slice, made and taken back by systemctl', async () => {
    const calls: string[] = []
    const run: Run = async (argv) => {
      calls.push(argv.join(' '))
      return { stdout: '', stderr: '' }
    }
    const cgroup = await create('systemd', '2', run)
    expect(cgroup.parent).toBe('panelbuild1.slice')
    expect(await cgroup.remove()).toBe(true)
    expect(calls).toEqual([
      'systemctl set-property --runtime panelbuild1.slice TasksAccounting=yes TasksMax=64',
      'systemctl stop panelbuild1.slice',
      'systemctl revert panelbuild1.slice'
    ])
  })

  test('a limit that cannot be set refuses the build', async () => {
    await expect(create('cgroupfs', '1')).rejects.toMatchObject({ name: 'EngineError' })
    await expect(create('systemd', '2')).rejects.toMatchObject({ name: 'EngineError' })
  })
})
