import { readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { syncDirectory, writeFileSynced } from '../disk/atomic-file.ts'
import { exists } from '../disk/exists.ts'
import { readIfExists } from '../disk/read-if-exists.ts'
import { renderDovecotUsers } from './dovecot-users.render.ts'
import { assertMailDomain, isMailDomain, parseMailbox } from './mail-names.ts'
import type { MailPaths } from './mail-paths.ts'
import type { ServedMailDomain } from './mail-server.ts'

// With the directory's group, Dovecot's, which new files inherit (setgid).
const readableByServer = 0o640

/** Dovecot's passwd files, one per domain. Changes are in effect once the promise resolves. */
export function createDovecotUsers({ dovecot: { users } }: Pick<MailPaths, 'dovecot'>) {
  const fileOf = (domain: string) => {
    assertMailDomain(domain)
    return join(users, domain)
  }
  return {
    listDomains: async (): Promise<string[]> => (await readdir(users).catch(ifMissing)).filter(isMailDomain),
    async has(address: string): Promise<boolean> {
      const { domain } = parseMailbox(address)
      return `\n${(await readIfExists(fileOf(domain))) ?? ''}`.includes(`\n${address}:`)
    },
    async put(domain: ServedMailDomain): Promise<void> {
      const path = fileOf(domain.name)
      const content = renderDovecotUsers(domain)
      const before = await readIfExists(path)
      if (before === content) return
      await replace(path, content, users)
      if (before !== undefined) await nextSecond()
    },
    async remove(domain: string): Promise<void> {
      const path = fileOf(domain)
      const isThere = await exists(path)
      await rm(path, { force: true })
      await syncDirectory(users)
      if (isThere) await nextSecond()
    }
  }
}

/** Equal mtime (seconds) and size would look unchanged to Dovecot, and the old password would stay valid. */
async function replace(path: string, content: string, directory: string): Promise<void> {
  // Not a valid domain name, so that it is not listed.
  const temporary = `${path}~new`
  const before = await stat(path).catch(() => undefined)
  await writeFileSynced(temporary, content, readableByServer)
  const seconds = Math.max(Date.now() / 1000, before ? Math.floor(before.mtimeMs / 1000) + 1 : 0)
  await utimes(temporary, seconds, seconds)
  await rename(temporary, path)
  await syncDirectory(directory)
}

/** Dovecot checks a file at most once per second; until then the old content is in effect. */
const nextSecond = () => sleep(1_010 - (Date.now() % 1_000))

function ifMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}
