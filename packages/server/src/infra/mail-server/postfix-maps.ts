import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { lazy } from '../../concurrency/lazy.ts'
import { writeFileAtomically } from '../disk/atomic-file.ts'
import { exists } from '../disk/exists.ts'
import { readIfExists } from '../disk/read-if-exists.ts'
import { ProcessError, type Run } from '../process/process.ts'
import { assertMailDomain, isMailDomain } from './mail-names.ts'
import type { MailPaths } from './mail-paths.ts'
import {
  emptyEntries,
  forEachMap,
  type MapEntries,
  type MapName,
  mapNames,
  mergeEntries,
  parseFragment,
  renderFragment,
  renderMapLines
} from './postfix-maps.render.ts'

interface PostfixMapsOptions {
  paths: Pick<MailPaths, 'postfix'>
  run: Run
  timeoutMs?: number
}

/** Readable by the DKIM signer. */
const readableByGroup = 0o640

export interface PostfixMaps {
  listDomains(): Promise<string[]>
  read(domain: string): Promise<MapEntries | undefined>
  removeAllBut(domain: string, entries: MapEntries): Promise<void>
  put(domain: string, entries: MapEntries): Promise<void>
  /** Whether all tables exist: a newer version may have added one. */
  areThere(): Promise<boolean>
  compile(): Promise<void>
}

/** Fragments are written before entries are added and removed after them: a crash leaves none untracked. */
export function createPostfixMaps({ paths: { postfix }, run, timeoutMs = 60_000 }: PostfixMapsOptions): PostfixMaps {
  const table = (map: MapName) => `lmdb:${join(postfix.maps, map)}`
  const fragment = (domain: string) => {
    assertMailDomain(domain)
    return join(postfix.fragments, domain)
  }
  const prepare = lazy(() => makeToolsConfig(postfix.tools))
  const postmap = async (args: readonly string[], input: string) => {
    await prepare()
    await run(['postmap', '-c', postfix.tools, ...args], { timeoutMs, input, env: { LC_ALL: 'C' } })
  }
  const read = async (domain: string) => {
    const text = await readIfExists(fragment(domain))
    return text === undefined ? undefined : parseFragment(text)
  }
  const listDomains = async () => (await readdir(postfix.fragments).catch(ifMissing)).filter(isMailDomain)
  return {
    listDomains,
    read,
    async removeAllBut(domain, entries) {
      const found = await read(domain)
      if (!found) return
      for (const map of mapNames) {
        const gone = [...found[map].keys()].filter((key) => !entries[map].has(key))
        if (gone.length > 0)
          await postmap(['-d', '-', table(map)], gone.map((key) => `${key}\n`).join('')).catch(ifGone)
      }
      const left = forEachMap((map) => new Map([...found[map]].filter(([key]) => entries[map].has(key))))
      if (mapNames.every((map) => left[map].size === 0)) await rm(fragment(domain), { force: true })
      else await writeFileAtomically(fragment(domain), renderFragment(left), readableByGroup)
    },
    async put(domain, entries) {
      const found = (await read(domain)) ?? emptyEntries()
      await writeFileAtomically(fragment(domain), renderFragment(mergeEntries(found, entries)), readableByGroup)
      for (const map of mapNames) {
        if (entries[map].size > 0) await postmap(['-i', '-r', table(map)], renderMapLines(entries[map]))
      }
    },
    areThere: async () =>
      (await Promise.all(mapNames.map((map) => exists(`${join(postfix.maps, map)}.lmdb`)))).every(Boolean),
    async compile() {
      const all = emptyEntries()
      for (const domain of await listDomains())
        for (const [map, entries] of Object.entries((await read(domain)) ?? {}) as [MapName, Map<string, string>][])
          for (const [key, value] of entries) all[map].set(key, value)
      for (const map of mapNames) {
        const source = join(postfix.maps, map)
        await writeFileAtomically(source, renderMapLines(all[map]), 0o644)
        await postmap(['-r', table(map)], '')
        await rm(source)
      }
      if (!(await exists(`${postfix.certificates}.lmdb`))) {
        await writeFileAtomically(postfix.certificates, '')
        await postmap(['-F', `lmdb:${postfix.certificates}`], '')
      }
    }
  }
}

/** Postfix tools need a configuration, and main.cf may not exist yet. */
export async function makeToolsConfig(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o755 })
  await writeFileAtomically(
    join(directory, 'main.cf'),
    'compatibility_level = 3.6\nmyhostname = localhost.invalid\n',
    0o644
  )
}

/** None of the keys is in the table, after a crash. postmap(1) signals this with exit code 1 and no output. */
function ifGone(error: unknown): void {
  if (!(error instanceof ProcessError && error.exitCode === 1 && error.stderr.trim() === '')) throw error
}

function ifMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}
