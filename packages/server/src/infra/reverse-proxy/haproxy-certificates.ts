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
 * Certificates of a running HAProxy. Changes start from what is running; crt-list.txt and the PEM files follow, for a
 * proxy that restarts on its own. A new line is added before the old one is removed, so HAProxy never falls back to the
 * default certificate. Changes are serialised in this process, and between processes by the database lock
 * `certificates`.
 *
 * A change of one certificate needs no listing while this process knows what is running (running-memory.ts), and
 * crt-list.txt is written a moment later. After a crash in between, the next sync repairs list and files.
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
  /** Files still on the last written list: HAProxy does not start if one is missing. */
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
        await writeFollowing() // Otherwise sync would report the pending write as drift.
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
          for (const { id } of [...batch.failures, ...refused]) versions.set(id, '') // Keep whichever version it has.
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

  /** Changes one certificate without a listing. False if that is not possible or failed halfway. */
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

  /** Writes the pending list: what this process last set, or what is running if another process changed it since. */
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

  async function servedFiles(): Promise<Map<string, Set<string>>> {
    const names = await files.names()
    const served = new Map<string, Set<string>>()
    for (const entry of entriesOf(await list.lines()))
      if (names.has(fileOf(entry))) served.set(entry.id, (served.get(entry.id) ?? new Set()).add(entry.version))
    return served
  }

  /** Replaces certificates by id. Resolves with those that HAProxy refused, which are removed completely. */
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
      // Retry once: a proxy that reloads in between does not know the previous command.
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

  /** Makes lines, list and files match the chosen entries. Resolves with whether they did already. */
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
