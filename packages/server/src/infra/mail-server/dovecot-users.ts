import { readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDirectory, writeFileSynced } from '../disk/atomic-file.ts'
import { readIfExists } from '../disk/read-if-exists.ts'
import { renderDovecotUsers } from './dovecot-users.render.ts'
import { assertMailDomain, isMailDomain, parseMailbox } from './mail-names.ts'
import type { MailPaths } from './mail-paths.ts'
import type { ServedMailDomain } from './mail-server.ts'

const readableByServer = 0o640

/** The files by which Dovecot knows mailboxes and passwords: one for each domain. */
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
      if ((await readIfExists(path)) !== content) await replace(path, content, users)
    },
    async remove(domain: string): Promise<void> {
      await rm(fileOf(domain), { force: true })
      await syncDirectory(users)
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

function ifMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}
