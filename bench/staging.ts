import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createDiskFileStore } from '../packages/server/src/infra/file-store/disk-file-store.ts'
import { median, report } from './figures.ts'
import { step } from './step.ts'

const execute = promisify(execFile)
const rounds = 5
const files = 2_000
const fileBytes = 500_000

/** The files of a staging copy of a site with 1 GB of uploads, against `cp -a` of the same directory. */
export async function benchStaging(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'panel-bench-staging-'))
  try {
    const site = join(directory, 'site')
    await step(`creating ${files.toLocaleString('en')} files of 500 kB`, () => makeUploads(site))
    const store = createDiskFileStore({ stagingDirectory: join(directory, 'staging') })
    const copy = join(directory, 'copy')
    const options = { uid: process.getuid?.() ?? 0, maxBytes: Infinity, maxFiles: Infinity }
    const ways = {
      bare: async (): Promise<unknown> => execute('cp', ['-a', site, copy]),
      ours: async (): Promise<unknown> => store.capture(site, copy, options)
    }
    const seconds = { bare: [] as number[], ours: [] as number[] }
    // Interleaved, after one round to warm up, so that noise meets both alike.
    for (let round = 0; round <= rounds; round++)
      for (const way of ['bare', 'ours'] as const) {
        await execute('sync')
        const name = `${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}: ${way === 'bare' ? 'cp -a' : 'copy'}`
        const start = performance.now()
        await step(name, ways[way])
        if (round > 0) seconds[way].push((performance.now() - start) / 1000)
        await rm(copy, { recursive: true })
      }
    report('cp -a of 1 GB of uploads', `${median(seconds.bare).toFixed(1)} s`)
    report('copy of 1 GB of uploads for staging', `${median(seconds.ours).toFixed(1)} s`)
    report('time of a copy for staging to cp -a', '', {
      value: median(seconds.ours) / median(seconds.bare),
      aim: '<= 10x'
    })
    report('time of a copy for staging to one minute', '', { value: median(seconds.ours) / 60, aim: '<= 1x' })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function makeUploads(site: string): Promise<void> {
  for (let index = 0; index < files; index++) {
    const folder = join(site, `wp-content/uploads/${index % 20}`)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, `${index}.jpg`), randomBytes(fileBytes))
  }
}
