import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createRestic } from '../packages/server/src/infra/backup-repository/restic.ts'
import { findProcesses } from '../packages/server/src/infra/process/find-processes.ts'
import { run } from '../packages/server/src/infra/process/run.ts'
import { percentile, report } from './figures.ts'
import { requestTimes, startFileSite } from './site-beside.ts'
import { step } from './step.ts'

const filesPerDirectory = 100
const changedFiles = 100
const aloneRequests = 2_000
const besideRequests = 100_000
const memoryEveryMs = 50

/** Time and memory of a first and a repeated backup to a folder, and a site that reads from the same disk beside it. */
export async function benchBackups(files: number, megabytes: number): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'panel-bench-backups-'))
  const at = (name: string) => join(root, name)
  const site = await startFileSite(at('page'))
  const ended = new AbortController()
  try {
    await writeFile(at('page'), randomBytes(50_000))
    await mkdir(at('stage/files'), { recursive: true })
    const bytesEach = Math.floor((megabytes * 2 ** 20) / files)
    await step(`creating ${files} files of ${bytesEach} bytes`, () => makeFiles(at('project'), files, bytesEach))
    const restic = createRestic({ run, directory: at('restic') })
    const repository = { id: 'bench', place: { kind: 'FOLDER' as const, path: at('target') }, key: 'bench' }
    await restic.create(repository)
    const roots = [{ name: 'files', directory: at('project') }]
    // By which its process is found.
    const tag = basename(root)
    const backUp = async () => {
      const options = { stage: at('stage'), roots, tags: [tag], signal: ended.signal, onProgress() {} }
      const { snapshotId } = await restic.save(repository, options)
      await restic.count(repository, snapshotId, ended.signal)
    }
    const alone = await step('site alone', () => requestTimes(site.url, aloneRequests))
    for (const name of ['first', 'repeated']) {
      const { seconds, peakBytes, times } = await step(`${name} backup`, () => measured(tag, site.url, backUp))
      const [p99Alone, p99Beside] = [percentile(alone, 0.99), percentile(times, 0.99)]
      report(`${name} backup, read back`, `${seconds.toFixed(1)} s`)
      report(`${name} backup, peak memory of restic`, `${(peakBytes / 2 ** 20).toFixed(0)} MiB`)
      report(`site beside the ${name} backup, p99`, `${p99Beside.toFixed(1)} ms, alone ${p99Alone.toFixed(1)} ms`, { value: p99Beside / p99Alone, aim: '<= 1.5x' }) // oxfmt-ignore
      for (let n = 0; n < Math.min(changedFiles, files); n++) await writeFile(pathOf(at('project'), n), randomBytes(bytesEach)) // oxfmt-ignore
    }
  } finally {
    ended.abort()
    site.close()
    await rm(root, { recursive: true, force: true })
  }
}

const pathOf = (root: string, n: number) => join(root, String(Math.floor(n / filesPerDirectory)), `f${n}`)

async function makeFiles(root: string, files: number, bytesEach: number): Promise<void> {
  for (let n = 0; n < files; n++) {
    if (n % filesPerDirectory === 0) await mkdir(join(pathOf(root, n), '..'), { recursive: true })
    await writeFile(pathOf(root, n), randomBytes(bytesEach))
  }
}

async function measured(tag: string, url: string, work: () => Promise<void>) {
  let isOver = false
  let peakBytes = 0
  const startedAt = performance.now()
  const working = work().finally(() => (isOver = true))
  const watching = (async () => {
    while (!isOver) {
      for (const pid of (await findProcesses('restic', tag)).keys())
        peakBytes = Math.max(peakBytes, await highWaterBytes(pid))
      await new Promise((resolve) => setTimeout(resolve, memoryEveryMs))
    }
  })()
  const requesting = requestTimes(url, besideRequests, () => isOver)
  await Promise.all([working, watching])
  const seconds = (performance.now() - startedAt) / 1000
  return { seconds, peakBytes, times: await requesting }
}

/** The most memory that the process had; 0 of one that has ended. */
async function highWaterBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024
}
