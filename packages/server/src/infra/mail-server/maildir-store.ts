import { chown, lstat, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { syncDirectory } from '../disk/atomic-file.ts'
import { exists } from '../disk/exists.ts'
import type { Run } from '../process/process.ts'
import { assertKeptName, parseMailbox } from './mail-names.ts'
import { mailGid, type MailPaths, mailUid } from './mail-paths.ts'

const exportTimeoutMs = 4 * 60 * 60_000
const measureTimeoutMs = 10 * 60_000

/** The mail on the disk, as directories: what of it is moved, measured and packed without a server. */
export function createMaildirStore({ paths, run }: { paths: Pick<MailPaths, 'kept' | 'mail'>; run: Run }) {
  const home = (address: string) => {
    const { domain, localPart } = parseMailbox(address)
    return join(paths.mail, domain, localPart)
  }
  const kept = (name: string) => {
    assertKeptName(name)
    return join(paths.kept, name)
  }
  return {
    home,
    hasMail: (address: string) => exists(home(address)),
    async setAside(address: string, keptAs: string): Promise<void> {
      const [from, to] = [home(address), kept(keptAs)]
      if (await exists(to)) return
      if (await isDirectory(from)) await move(from, to)
      else await mkdir(to, { mode: 0o700 })
    },
    async putBack(keptAs: string, address: string): Promise<boolean> {
      const [from, to] = [kept(keptAs), home(address)]
      if (!(await exists(from))) return false
      if (await exists(to)) throw new Error(`${address} has mail`)
      await makeMailDirectory(dirname(to))
      await chown(from, mailUid, mailGid)
      await move(from, to)
      return true
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
    exportMaildir(address: string): Readable {
      const { domain, localPart } = parseMailbox(address)
      const output = new PassThrough()
      const stopped = new AbortController()
      output.once('close', () => stopped.abort())
      const argv = [
        'tar',
        '--create',
        '--file=-',
        '--warning=no-file-changed',
        '--ignore-failed-read',
        `--directory=${join(paths.mail, domain)}`,
        '--',
        localPart
      ] as const
      run([...argv], { timeoutMs: exportTimeoutMs, stdout: output, signal: stopped.signal }).catch((error: unknown) => {
        output.destroy(error instanceof Error ? error : new Error(String(error)))
      })
      return output
    }
  }
}

/** Of a domain: its mailboxes lie in it. */
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
