import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AdapterError } from '../adapter-error.ts'
import { writeFileAtomically } from '../disk/atomic-file.ts'
import { readIfExists } from '../disk/read-if-exists.ts'
import type { Run } from '../process/process.ts'
import { resolveProgram } from '../process/program-path.ts'
import type { MailPaths } from './mail-paths.ts'
import type { ServedMailDomain } from './mail-server.ts'

const timeoutMs = 20_000
const readableByMail = 0o640

/** Run before a mailbox's own script. Compiled here: mail delivery cannot write to the directory. */
export function createSieveScripts({ paths: { dovecot }, run }: { paths: Pick<MailPaths, 'dovecot'>; run: Run }) {
  const directoryOf = (domain: string) => join(dovecot.sieve, domain)
  return {
    async put({ name, mailboxes }: ServedMailDomain): Promise<void> {
      const wanted = new Map(
        mailboxes.flatMap(({ localPart, sieve }) => (sieve === undefined ? [] : [[localPart, sieve] as const]))
      )
      const found = await readdir(directoryOf(name)).catch(ifMissing)
      for (const file of found)
        if (!wanted.has(file.replace(/\.(sieve|svbin)$/, ''))) await rm(join(directoryOf(name), file), { force: true })
      if (wanted.size > 0) await mkdir(directoryOf(name), { recursive: true, mode: 0o2750 })
      for (const [localPart, text] of wanted) {
        const [path, binary] = [
          join(directoryOf(name), `${localPart}.sieve`),
          join(directoryOf(name), `${localPart}.svbin`)
        ]
        if ((await readIfExists(path)) === text && (await isCompiled(binary))) continue
        await writeFileAtomically(path, text, readableByMail)
        await run(['sievec', '-c', dovecot.config, path], { timeoutMs }).catch((cause: unknown) => {
          throw new AdapterError('mail-server-unavailable', 'The Sieve compiler (sievec) failed', { cause })
        })
      }
    },
    remove: (domain: string): Promise<void> => rm(directoryOf(domain), { recursive: true, force: true })
  }
}

/** By the Dovecot that is installed: another version cannot read it. */
async function isCompiled(binary: string): Promise<boolean> {
  const changedAt = (path: string) =>
    stat(path).then(
      ({ ctimeMs }) => ctimeMs,
      () => undefined
    )
  const [compiledAt, installedAt] = [await changedAt(binary), await changedAt(resolveProgram('sievec'))]
  return compiledAt !== undefined && compiledAt >= (installedAt ?? 0)
}

function ifMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}
