import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../packages/server/src/infra/process/run.ts'
import { createLocalServerDisk } from '../packages/server/src/infra/server-disk/local-server-disk.ts'
import { percentile, report } from './figures.ts'
import { requestTimes, startFileSite } from './site-beside.ts'
import { step } from './step.ts'

const directories = 300
const filesEach = 1000
const requestsPerRound = 2000
const rounds = 5

/** A site that reads a file from the same disk for each request, alone and while the panel measures 300,000 files. */
export async function benchDisk(): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'panel-bench-disk-'))
  const page = join(root, 'page')
  const site = await startFileSite(page)
  try {
    await writeFile(page, Buffer.alloc(50_000, 'x'))
    await step(`creating ${directories * filesEach} files`, () => makeFiles(join(root, 'tree')))
    const disk = createLocalServerDisk({ run })
    const alone: number[] = []
    const beside: number[] = []
    const walks: number[] = []
    for (let round = 0; round < rounds; round++) {
      alone.push(...(await requestTimes(site.url, requestsPerRound)))
      await dropCaches()
      let isOver = false
      const started = performance.now()
      const walk = disk.measure([join(root, 'tree')]).then(() => {
        isOver = true
        walks.push(performance.now() - started)
      })
      beside.push(...(await requestTimes(site.url, requestsPerRound, () => isOver)))
      await walk
    }
    const [p99Alone, p99Beside] = [percentile(alone, 0.99), percentile(beside, 0.99)]
    report('measuring 300,000 files, cold cache', `${(percentile(walks, 0.5) / 1000).toFixed(1)} s`)
    report('site alone, p99', `${p99Alone.toFixed(1)} ms`)
    report('site while the panel measures, p99', `${p99Beside.toFixed(1)} ms`, { value: p99Beside / p99Alone, aim: '<= 1.5x' }) // oxfmt-ignore
  } finally {
    site.close()
    await rm(root, { recursive: true, force: true })
  }
}

async function makeFiles(root: string): Promise<void> {
  for (let n = 0; n < directories; n++) {
    const directory = join(root, String(n))
    await mkdir(directory, { recursive: true })
    for (let file = 0; file < filesEach; file++) await writeFile(join(directory, `f${file}`), 'x')
  }
}

/** Needs root; without it the walk is faster than on a server. */
const dropCaches = () => writeFile('/proc/sys/vm/drop_caches', '2').catch(() => undefined)
