import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { HostHelper } from '../../src/infra/host-helper/host-helper.ts'

interface HostHelperEnvironment {
  helper: HostHelper
  projectsDirectory: string
  /** A uid that does not exist on the machine. */
  uid: number
  /** A username that does not exist on the machine. */
  username: string
  close(): Promise<void>
}

/** Contract of every HostHelper. Permissions, users and sessions on a real machine: e2e/system/host-helper.test.ts. */
export function describeHostHelper(name: string, open: () => Promise<HostHelperEnvironment>): void {
  describe(`host helper: ${name}`, () => {
    let host: HostHelperEnvironment
    beforeEach(async () => {
      host = await open()
    })
    afterEach(() => host?.close())

    const sync = (names: Record<string, string>) =>
      host.helper.syncProjects(
        host.uid,
        Object.entries(names).map(([id, each]) => ({ id, name: each }))
      )
    const home = () => join(host.projectsDirectory, 'u', String(host.uid))
    const byId = (id: string, ...path: string[]) => join(host.projectsDirectory, 'by-id', id, ...path)
    const write = (id: string, content: string) => writeFile(byId(id, 'whose'), content)
    const whose = (directory: string) => readFile(join(home(), directory, 'whose'), 'utf8')

    test('a project has a directory by name and is found by id', async () => {
      await sync({ p1: 'shop' })
      await write('p1', 'mine')
      expect(await whose('shop')).toBe('mine')
    })

    test('renames and swaps directories; repeating changes nothing', async () => {
      await sync({ p1: 'one', p2: 'two' })
      await write('p1', 'first')
      await write('p2', 'second')
      await sync({ p1: 'three', p2: 'two' })
      expect([await whose('three'), await whose('two')]).toEqual(['first', 'second'])
      for (let times = 0; times < 2; times++) {
        await sync({ p1: 'two', p2: 'three' })
        expect([await whose('two'), await whose('three')]).toEqual(['first', 'second'])
      }
      expect((await readdir(home())).toSorted()).toEqual(['three', 'two'])
    })

    test('a project is removed completely; repeating changes nothing', async () => {
      await sync({ p1: 'shop', p2: 'blog' })
      await write('p1', 'gone')
      await host.helper.removeProject(host.uid, 'p1')
      await host.helper.removeProject(host.uid, 'p1')
      expect(await readdir(home())).toEqual(['blog'])
      await expect(stat(byId('p1'))).rejects.toMatchObject({ code: 'ENOENT' })
    })

    test('a staged directory replaces a project’s; repeating changes nothing', async () => {
      await sync({ p1: 'shop' })
      await write('p1', 'before')
      const staging = join(host.projectsDirectory, 'staging')
      const [staged, previous] = [join(staging, 'staged'), join(staging, 'previous')] as const
      await mkdir(staged, { recursive: true })
      await writeFile(join(staged, 'whose'), 'after')
      for (let times = 0; times < 2; times++) {
        await host.helper.replaceProject(host.uid, 'p1', staged, previous)
        expect(await whose('shop')).toBe('after')
        expect(await readFile(join(previous, 'whose'), 'utf8')).toBe('before')
      }
    })

    test('accounts are created, get keys and passwords, are locked, unlocked and removed; repeating changes nothing', async () => {
      const { helper, username, uid } = host
      const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4kV2d1lMBUuVkzVzNqQbI2oXrZ0xYr0W5W0m1d2Qx3 ann'
      const steps = [
        () => helper.createAccount(username, uid),
        () => helper.setKeys(username, [key]),
        () => helper.setPassword(username, 'Correct-horse_battery-5'),
        () => helper.unlockAccount(username),
        () => helper.lockAccount(username)
      ]
      for (const step of steps) {
        await step()
        await step()
        expect(await helper.listAccounts()).toEqual([username])
      }
      await helper.removeAccount(username)
      await helper.removeAccount(username)
      expect(await helper.listAccounts()).toEqual([])
    })

    test('a missing account gets no password', async () => {
      await expect(host.helper.setPassword(host.username, 'Correct-horse_battery-5')).rejects.toBeInstanceOf(Error)
    })
  })
}
