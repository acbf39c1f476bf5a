import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { siteArchive } from '../packages/server/src/features/wordpress/site-archive.service.ts'
import { createDiskFileStore } from '../packages/server/src/infra/file-store/disk-file-store.ts'
import { median, report } from './figures.ts'
import { step } from './step.ts'

const rounds = 5
const files = 4_000
const text = 'function wordpress_function( $argument ) { return apply_filters( "wordpress_filter", $argument ); }\n'

/** The archive of an export, of a site of some 200 MB with its dump, against `tar | gzip` of the same directory. */
export async function benchWordpress(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'panel-bench-wordpress-'))
  try {
    const site = await step(`creating a site of ${files.toLocaleString('en')} files`, () => makeSite(directory))
    const dump = join(directory, 'dump.sql')
    const sql = Buffer.from(`INSERT INTO wp_posts VALUES (1,'${text.trim().replaceAll("'", "''")}');\n`.repeat(100_000))
    await writeFile(dump, sql)
    await writeFile(join(site, 'database.sql'), sql)
    const store = createDiskFileStore({ stagingDirectory: join(directory, 'staging') })
    const tree = store.tree({ root: site, uid: process.getuid?.() ?? 0, protects: 'nothing' })
    const ours = async () => {
      const tar = await tree.pack('', { skip: { paths: ['database.sql'], prefixes: [] } })
      await pipeline(siteArchive({ path: dump, size: sql.length }, tar), discard())
    }
    const seconds = { ours: [] as number[], bare: [] as number[] }
    // Interleaved, after one round to warm up, so that noise meets both alike.
    for (let round = 0; round <= rounds; round++) {
      const name = round === 0 ? 'warm-up' : `round ${round} of ${rounds}`
      const bare = await step(`${name}: tar | gzip`, () => secondsOf(() => tarAndGzip(site)))
      const own = await step(`${name}: export`, () => secondsOf(ours))
      if (round === 0) continue
      seconds.bare.push(bare)
      seconds.ours.push(own)
    }
    report('tar | gzip', `${median(seconds.bare).toFixed(1)} s`)
    report('export', `${median(seconds.ours).toFixed(1)} s`)
    report('speed of the export to tar | gzip', '', {
      value: median(seconds.bare) / median(seconds.ours),
      aim: '>= 0.8x'
    })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Half of it text, as a core and its plugins; half of it packed already, as pictures. */
async function makeSite(directory: string): Promise<string> {
  const site = join(directory, 'site')
  for (let index = 0; index < files; index++) {
    const folder = join(site, `wp-content/${index % 80}`)
    if (index < 80) await mkdir(folder, { recursive: true })
    const isPicture = index % 40 === 0
    await writeFile(join(folder, `${index}`), isPicture ? randomBytes(1_000_000) : text.repeat(100 + (index % 300)))
  }
  return site
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

async function tarAndGzip(directory: string): Promise<void> {
  const tar = spawn('tar', ['-cf', '-', '-C', directory, '.'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const gzip = spawn('gzip', ['-c'], { stdio: [tar.stdout, 'pipe', 'inherit'] })
  const ended = once(gzip, 'exit')
  await pipeline(gzip.stdout!, discard())
  await ended
}

const discard = () => new Writable({ write: (_chunk, _encoding, done) => done() })
