import { constants } from 'node:fs'
import { lstat, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isQueueId } from '@panel/contract/mail-queue'
import { z } from 'zod'
import { AdapterError } from '../adapter-error.ts'
import { writeFileAtomically } from '../disk/atomic-file.ts'
import { readIfExists } from '../disk/read-if-exists.ts'
import { assertMailDomain, isMailDomain } from '../mail-server/mail-names.ts'
import { type MailDirectories, mailPaths } from '../mail-server/mail-paths.ts'
import { renderFilterSettings } from './filter-settings.render.ts'
import type { HeldMessage, HeldNote, MailFilter } from './mail-filter.ts'
import { probeFilterStore, probeRspamd } from './rspamd-probe.ts'

const readableByFilter = 0o640

/** Controls Rspamd (programs/rspamd.ts) through the files that its rules read (rspamd-rules.render.ts). */
export function createRspamd(directories: MailDirectories): MailFilter {
  const paths = mailPaths(directories)
  const { domains, held } = paths.filter
  const fileOf = (domain: string) => {
    assertMailDomain(domain)
    return join(domains, domain)
  }
  const asks = { filter: probeRspamd, store: probeFilterStore }
  return {
    ping: (part) =>
      asks[part](paths).catch((cause: unknown) => {
        throw new AdapterError('mail-server-unavailable', 'The spam filter (Rspamd) is not responding', { cause })
      }),
    async putSettings(settings) {
      const path = fileOf(settings.domain)
      const content = renderFilterSettings(settings)
      // The file inherits its group, the filter's, from the directory.
      if ((await readIfExists(path)) !== content) await writeFileAtomically(path, content, readableByFilter)
    },
    removeSettings: (domain) => rm(fileOf(domain), { force: true }),
    listDomains: async () => (await readdir(domains).catch(ifMissing)).filter(isMailDomain),
    async readHeld(ids) {
      const found = await Promise.all(ids.map((id) => readNote(held, id)))
      return new Map(found.flatMap((note) => (note ? [[note.id, note] as const] : [])))
    },
    async listHeld(limit) {
      const names = (await readdir(held).catch(ifMissing)).filter((name) => noteName.test(name))
      const notes = await Promise.all(names.map((name) => noteOf(held, name)))
      return notes
        .flat()
        .sort((a, b) => a.notedAt.getTime() - b.notedAt.getTime())
        .slice(0, limit)
    },
    async markNotified(id) {
      await rename(join(held, noted(id)), join(held, `${noted(id)}${notifiedSuffix}`)).catch(ifMissing)
    },
    async forgetHeld(id) {
      for (const end of ['', notifiedSuffix]) await rm(join(held, `${noted(id)}${end}`), { force: true })
    }
  }
}

/** File name suffix of notes whose owner was notified. */
const notifiedSuffix = '.told'
const noteName = /^[0-9A-Za-z]+(?:\.told)?$/

function noted(id: string): string {
  if (!isQueueId(id)) throw new TypeError(`Not a message: ${JSON.stringify(id).slice(0, 100)}`)
  return id
}

async function noteOf(directory: string, name: string): Promise<HeldNote[]> {
  const found = await lstat(join(directory, name)).catch(ifMissing)
  const id = name.replace(notifiedSuffix, '')
  // Not one of our notes, or already deleted.
  return !('mtime' in found) || !isQueueId(id) ? [] : [{ id, isNotified: name !== id, notedAt: found.mtime }]
}

/** Untrusted: contains data from messages. */
const Note = z.object({
  login: z.string().max(320),
  score: z.number(),
  // Lua writes an empty list as an object.
  symbols: z.array(z.string().max(100)).max(5).catch([]),
  flood: z.boolean()
})

async function readNote(directory: string, id: string): Promise<HeldMessage | undefined> {
  if (!isQueueId(id)) return undefined
  const text =
    (await readNoteFile(join(directory, id))) ?? (await readNoteFile(join(directory, `${id}${notifiedSuffix}`)))
  if (text === undefined) return undefined
  const { data } = z
    .string()
    .transform((json, context) => {
      try {
        return JSON.parse(json) as unknown
      } catch {
        context.addIssue({ code: 'custom', message: 'is not JSON' })
        return z.NEVER
      }
    })
    .pipe(Note)
    .safeParse(text)
  return data && { id, login: data.login, score: data.score, symbols: data.symbols, isFlood: data.flood }
}

/** Notes have a few hundred bytes. */
const maxNoteBytes = 16_384

/** The filter's user owns the directory: ignores symbolic links, pipes and files that are too large. */
async function readNoteFile(path: string): Promise<string | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (['ENOENT', 'ELOOP', 'ENXIO'].includes(error.code ?? '')) return undefined
    throw error
  })
  if (!file) return undefined
  try {
    const { size } = await file.stat().then((found) => (found.isFile() ? found : { size: Infinity }))
    if (size > maxNoteBytes) return undefined
    // Bounded read: the file may grow in the meantime.
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxNoteBytes), 0, maxNoteBytes, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

function ifMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}
