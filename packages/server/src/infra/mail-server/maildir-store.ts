import { chown, lchown, lstat, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { syncDirectory } from '../disk/atomic-file.ts'
import { exists } from '../disk/exists.ts'
import type { Run } from '../process/process.ts'
import { assertKeptName, parseMailbox } from './mail-names.ts'
import { openDirectory, pathOf } from './mail-directory.ts'
import { archiveMaildir, top } from './maildir-archive.ts'
import { mailGid, type MailPaths, mailUid } from './mail-paths.ts'

const measureTimeoutMs = 10 * 60_000

export function createMaildirStore({ paths, run }: { paths: Pick<MailPaths, 'kept' | 'mail'>; run: Run }) {
  const home = (address: string) => {
    const { domain, localPart } = parseMailbox(address)
    return join(paths.mail, domain, localPart)
  }
  const keptName = (name: string) => {
    assertKeptName(name)
    return name
  }
  const kept = (name: string) => join(paths.kept, keptName(name))
  const openMaildir = (address: string) => {
    const { domain, localPart } = parseMailbox(address)
    return openDirectory(paths.mail, domain, localPart, top)
  }
  /** The domain directory belongs to the mail user, who could plant symbolic links: they are not followed. */
  const inDomain = async <T>(address: string, work: (home: string) => Promise<T>): Promise<T | undefined> => {
    const { domain, localPart } = parseMailbox(address)
    const directory = await openDirectory(paths.mail, domain)
    return directory && work(pathOf(directory, localPart)).finally(() => directory.close())
  }
  return {
    home,
    hasMail: (address: string) => exists(home(address)),
    async setAside(address: string, keptAs: string): Promise<void> {
      const to = kept(keptAs)
      if (await exists(to)) return
      const isMoved = await inDomain(address, async (from) => {
        if (!(await isDirectory(from))) return false
        await move(from, to)
        return true
      })
      if (isMoved !== true) await mkdir(to, { mode: 0o700 })
    },
    async putBack(keptAs: string, address: string): Promise<boolean> {
      const from = kept(keptAs)
      if (!(await exists(from))) return false
      await makeMailDirectory(dirname(home(address)))
      const isDone = await inDomain(address, async (to) => {
        if (await exists(to)) throw new Error(`${address} has mail`)
        await lchown(from, mailUid, mailGid)
        await move(from, to)
        return true
      })
      if (isDone !== true) throw new Error(`The mail directory for ${address} does not exist`)
      return true
    },
    async keepRestored(directory: string, keptAs: string): Promise<void> {
      await rm(kept(keptAs), { recursive: true, force: true })
      await move(directory, kept(keptAs))
    },
    async readKept(names: readonly string[]): Promise<Map<string, number>> {
      const found = await Promise.all(names.map(async (name) => ((await exists(kept(name))) ? [name] : [])))
      const there = found.flat()
      if (there.length === 0) return new Map()
      const argv = [
        'du',
        '--summarize',
        '--apparent-size',
        '--block-size=1',
        '--null',
        '--',
        ...there.map(kept)
      ] as const
      const { stdout } = await run([...argv], { timeoutMs: measureTimeoutMs })
      const bytes = stdout.split('\0').flatMap((line) => {
        const [, count, path] = /^(\d+)\t(.*)$/s.exec(line) ?? []
        return path === undefined ? [] : [[path.slice(paths.kept.length + 1), Number(count)] as const]
      })
      return new Map(bytes)
    },
    async purge(keptAs: string): Promise<void> {
      await rm(kept(keptAs), { recursive: true, force: true })
      await syncDirectory(paths.kept)
    },
    exportMaildir: (address: string): Readable => archiveMaildir(() => openMaildir(address)),
    exportKept: (name: string): Readable => archiveMaildir(() => openDirectory(paths.kept, keptName(name), top))
  }
}

async function makeMailDirectory(path: string): Promise<void> {
  if ((await mkdir(path, { recursive: true, mode: 0o700 })) !== undefined) await chown(path, mailUid, mailGid)
}

async function move(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncDirectory(dirname(from))
  await syncDirectory(dirname(to))
}

const isDirectory = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isDirectory(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    }
  )
