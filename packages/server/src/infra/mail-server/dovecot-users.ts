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

const readableByServer = 0o640

/** The files by which Dovecot knows mailboxes and passwords: one for each domain. What is put counts once that has resolved. */
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

/**
 * Dovecot sees a change by the second of it and the size: two of one second with hashes of the same length would be one to it, and the old
 * password go on. So a file is never of the same second as the one before. The directory's group, which is Dovecot's, is the file's too.
 */
async function replace(path: string, content: string, directory: string): Promise<void> {
  // No name of a domain, so that it is none of them.
  const temporary = `${path}~new`
  const before = await stat(path).catch(() => undefined)
  await writeFileSynced(temporary, content, readableByServer)
  const seconds = Math.max(Date.now() / 1000, before ? Math.floor(before.mtimeMs / 1000) + 1 : 0)
  await utimes(temporary, seconds, seconds)
  await rename(temporary, path)
  await syncDirectory(directory)
}

/**
 * Dovecot looks at a file no more than once in a second of the clock, and by what it has seen then the old password is right, and a new
 * mailbox not there, until that is over.
 */
const nextSecond = () => sleep(1_010 - (Date.now() % 1_000))

function ifMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}
