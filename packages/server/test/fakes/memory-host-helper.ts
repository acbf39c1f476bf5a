import { existsSync } from 'node:fs'
import { mkdir, readlink, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { HostHelper } from '../../src/infra/host-helper/host-helper.ts'
import { version } from '../../src/process/version.ts'

interface MemoryAccount {
  uid: number
  password: string | undefined
  keys: readonly string[]
  isLocked: boolean
}

/** Real directories owned by the current user; accounts in memory. For tests without root. */
export interface MemoryHostHelper extends HostHelper {
  readonly accounts: Map<string, MemoryAccount>
  problem: Error | undefined
}

export function createMemoryHostHelper(projectsDirectory: string): MemoryHostHelper {
  const accounts: MemoryHostHelper['accounts'] = new Map()
  const linkOf = (id: string) => join(projectsDirectory, 'by-id', id)
  const check = () => {
    if (helper.problem) throw helper.problem
  }
  const accountOf = (username: string): MemoryAccount => {
    check()
    const account = accounts.get(username)
    if (!account) throw new Error(`no account ${username}`)
    return account
  }
  const helper: MemoryHostHelper = {
    boundSessions: async () => 0,
    accounts,
    problem: undefined,
    async syncProjects(uid, projects) {
      check()
      const home = join(projectsDirectory, 'u', String(uid))
      await mkdir(home, { recursive: true })
      await mkdir(join(projectsDirectory, 'by-id'), { recursive: true })
      const moving: { id: string; from: string | undefined; name: string }[] = []
      for (const { id, name } of projects) {
        const current = await readlink(linkOf(id)).catch(() => undefined)
        if (current === join('..', 'u', String(uid), name)) continue
        // Moved away first, because another project may take its name.
        const from = current === undefined ? undefined : join(home, `.moving-${id}`)
        if (current !== undefined) await rename(join(projectsDirectory, 'by-id', current), from!)
        moving.push({ id, from, name })
      }
      for (const { id, from, name } of moving) {
        if (from === undefined) await mkdir(join(home, name), { recursive: true })
        else await rename(from, join(home, name))
        await rm(linkOf(id), { force: true })
        await symlink(join('..', 'u', String(uid), name), linkOf(id))
      }
    },
    async removeProject(_uid, id) {
      check()
      const target = await readlink(linkOf(id)).catch(() => undefined)
      if (target === undefined) return
      await rm(join(projectsDirectory, 'by-id', target), { recursive: true, force: true })
      await rm(linkOf(id), { force: true })
    },
    async replaceProject(_uid, id, staged, previous) {
      check()
      const directory = join(projectsDirectory, 'by-id', await readlink(linkOf(id)))
      if (!existsSync(staged)) return
      await rename(directory, previous)
      await rename(staged, directory)
    },
    async createAccount(username, uid) {
      check()
      if (!accounts.has(username)) accounts.set(username, { uid, password: undefined, keys: [], isLocked: true })
    },
    async setPassword(username, password) {
      accountOf(username).password = password
    },
    async setKeys(username, keys) {
      accountOf(username).keys = [...keys]
    },
    async lockAccount(username) {
      accountOf(username).isLocked = true
    },
    async unlockAccount(username) {
      accountOf(username).isLocked = false
    },
    async removeAccount(username) {
      check()
      accounts.delete(username)
    },
    readVersion: async () => version,
    async listAccounts() {
      check()
      return [...accounts.keys()]
    }
  }
  return helper
}
