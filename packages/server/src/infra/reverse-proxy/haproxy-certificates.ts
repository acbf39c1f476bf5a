import { createSemaphore } from '../../concurrency/semaphore.ts'
import { type LoadedBatch, loadInBatches, refusalOf } from './certificate-source.ts'
import { type CrtEntry, type CrtLines, fileOf, parseCrtEntry, renderCrtLines, versionOf } from './crt-list.render.ts'
import { certificateFiles } from './haproxy-certificate-files.ts'
import { createHaproxyCrtList, type RunningLine, unexpected } from './haproxy-crt-list.ts'
import type { Send } from './haproxy-map.ts'
import type { HaproxyPaths } from './haproxy-paths.ts'
import { assertCertificateId, type PreparedCertificate, prepareCertificate } from './prepared-certificate.ts'
import type { ReverseProxy } from './reverse-proxy.ts'
import { createRunningMemory } from './running-memory.ts'
import { createWriteBehind } from './write-behind.ts'

type HaproxyCertificates = Pick<ReverseProxy, 'setCertificate' | 'removeCertificate' | 'syncCertificates'>

/**
 * Certificates of a running HAProxy. What runs is the truth that a change starts from; crt-list.txt and the PEM files follow
 * it, for a proxy that restarts alone. A new line is added before an old one is removed: of two for a name HAProxy serves one or the
 * other, never the default certificate. One change at a time in this process; between processes by the lock `certificates` of the store.
 *
 * A change of one asks for no list, as long as this process knows what runs (running-memory.ts), and crt-list.txt follows it by a moment, as
 * the file of routes does: whoever is killed in it leaves a list that the next sync makes right, with all of its files.
 */
export function createHaproxyCertificates(
  send: Send,
  paths: HaproxyPaths,
  { alone, readWorker }: { alone: (work: () => Promise<void>) => Promise<void>; readWorker: () => Promise<number> }
): HaproxyCertificates {
  const list = createHaproxyCrtList(send, paths)
  const files = certificateFiles(paths)
  const memory = createRunningMemory(paths.crtListMark, readWorker)
  const serially = createSemaphore(1)
  const behind = createWriteBehind(() => serially(writeFollowing), alone)
  let isListBehind = false
  /** Files that the list of a moment ago still has: HAProxy does not start when one is missing. */
  const obsolete = new Set<string>()

  return {
    async setCertificate(certificate) {
      const prepared = prepareCertificate(certificate)
      const refused = await serially(async () => ((await changeOne(prepared.id, prepared)) ? [] : put([prepared])))
      const refusal = refusalOf(refused)
      if (refusal) throw refusal
    },
    async removeCertificate(id) {
      assertCertificateId(id)
      await serially(async () => {
        if (!(await changeOne(id))) await reconcile((entries) => entries.filter((entry) => entry.id !== id))
      })
    },
    syncCertificates: (wanted, load, { isAudit = true } = {}) =>
      serially(async () => {
        const versions = new Map(wanted.map(({ id, fingerprint }) => [id, versionOf(fingerprint)]))
        if (!isAudit && (await memory.recall())?.areExactly(versions)) return false
        await writeFollowing() // Else what follows would count as a fault of the list.
        await memory.begin()
        const served = await servedFiles()
        const isServed = (id: string, version: string) => served.get(id)?.has(version) === true
        const lacking = [...versions].filter(([id, version]) => !isServed(id, version)).map(([id]) => id)
        const failures: LoadedBatch['failures'] = []
        let isChanged = false
        for await (const batch of loadInBatches(lacking, load)) {
          const missing = batch.prepared.filter(({ id, version }) => !isServed(id, version))
          const refused = await put(missing)
          for (const { id, version } of batch.prepared) versions.set(id, version)
          for (const { id } of [...batch.failures, ...refused]) versions.set(id, '') // Whichever it has.
          for (const id of batch.goneIds) versions.delete(id)
          isChanged ||= missing.length > refused.length
          failures.push(...batch.failures, ...refused)
        }
        const isApplied = await reconcile((entries) =>
          entries.filter(({ id, version }) => versions.get(id) === version || versions.get(id) === '')
        )
        const refusal = refusalOf(failures)
        if (refusal) throw refusal
        return isChanged || !isApplied
      })
  }

  /** Resolves with whether that was all. Else nothing is known any more, and what runs is compared. */
  async function changeOne(id: string, prepared?: PreparedCertificate): Promise<boolean> {
    const running = await memory.begin()
    const change = running?.planChange(id, prepared)
    if (!running || !change) return false
    if (prepared) {
      const file = fileOf(prepared)
      if ((await list.store(file, prepared.pem)) !== undefined) return false
      if (change.added && (await list.add(file, change.added.filters)) !== undefined) return false
      await files.write(file, prepared.pem)
    }
    isListBehind = true
    for (const file of change.removed.map(fileOf)) {
      obsolete.add(file)
      if (!(await list.removeOnlyLine(file))) return false
      await list.removeStored(file)
    }
    running.apply(change)
    memory.keep(running)
    behind.follow()
    return true
  }

  /** The list of what this process has left running, also for a proxy that is away; where another one was at it since, of what runs. */
  async function writeFollowing(): Promise<void> {
    if (!isListBehind) return
    const running = await memory.recallOwn()
    if (running) {
      await files.writeList(running.lines)
      for (const file of obsolete) if (!running.lines.has(file)) await files.remove(file)
      followed()
    } else {
      await memory.begin()
      await reconcile((entries) => entries)
    }
  }

  function followed(): void {
    obsolete.clear()
    isListBehind = false
  }

  /** By id, the versions that run and have their file. */
  async function servedFiles(): Promise<Map<string, Set<string>>> {
    const names = await files.names()
    const served = new Map<string, Set<string>>()
    for (const entry of entriesOf(await list.lines()))
      if (names.has(fileOf(entry))) served.set(entry.id, (served.get(entry.id) ?? new Set()).add(entry.version))
    return served
  }

  /** Serves these in place of what had their ids. Resolves with those that HAProxy refused; nothing is left of them. */
  async function put(certificates: readonly PreparedCertificate[]): Promise<LoadedBatch['failures']> {
    if (certificates.length === 0) return []
    memory.forget()
    const before = await list.lines()
    const withNew = (added: readonly CrtEntry[]) => (entries: readonly CrtEntry[]) => [
      ...entries.filter(({ id }) => !added.some((one) => one.id === id)),
      ...added
    ]
    const lines = renderCrtLines(withNew(certificates)(entriesOf(before)))
    const accepted: CrtEntry[] = []
    const refused: LoadedBatch['failures'] = []
    for (const { pem, ...entry } of certificates) {
      const file = fileOf(entry)
      const isRunning = before.some((line) => line.file === file)
      const serve = async () => (await list.store(file, pem)) ?? (await addUnlessRunning(before, file, lines))
      // Twice, as a proxy that reloads in the middle knows nothing of the command before.
      let problem = await serve()
      if (problem !== undefined) problem = await serve()
      if (problem === undefined) {
        await files.write(file, pem)
        accepted.push(entry)
      } else {
        if (!isRunning) await list.removeStored(file)
        refused.push({ id: entry.id, error: new Error(problem.slice(0, 500)) })
      }
    }
    await reconcile(withNew(accepted))
    return refused
  }

  async function addUnlessRunning(
    running: readonly RunningLine[],
    file: string,
    lines: CrtLines
  ): Promise<string | undefined> {
    const filters = lines.get(file)!
    return running.some((line) => line.file === file && line.filters === filters) ? undefined : list.add(file, filters)
  }

  /**
   * Makes lines, list and files those of the certificates that `choose` takes from what runs. Resolves with whether they were already.
   */
  async function reconcile(choose: (entries: readonly CrtEntry[]) => readonly CrtEntry[]): Promise<boolean> {
    memory.forget()
    const running = (await list.lines()).filter(({ file, filters }) => parseCrtEntry(file, filters))
    const wanted = renderCrtLines(choose(entriesOf(running)))
    const kept: CrtLines = new Map()
    const surplus: RunningLine[] = []
    for (const line of running) {
      if (wanted.get(line.file) === line.filters && !kept.has(line.file)) kept.set(line.file, line.filters)
      else surplus.push(line)
    }
    for (const [file, filters] of wanted) {
      if (kept.has(file)) continue
      const problem = await list.add(file, filters)
      if (problem !== undefined) throw unexpected(problem)
      kept.set(file, filters)
    }
    const wasListed = !(await files.writeList(kept))
    for (const line of surplus) await list.removeLine(line)
    for (const file of new Set(surplus.map((line) => line.file))) if (!kept.has(file)) await list.removeStored(file)
    await files.removeAllBut(kept)
    followed()
    memory.keep(kept)
    return wasListed && surplus.length === 0
  }
}

const entriesOf = (lines: readonly RunningLine[]): CrtEntry[] =>
  lines.flatMap(({ file, filters }) => parseCrtEntry(file, filters) ?? [])
