import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unwrap } from '@panel/client'
import { type DatabaseType, databaseTypes } from '@panel/contract/databases'
import { restorePanel, rowsOf } from '../e2e/backups/whole-panel.harness.ts'
import { ask } from '../e2e/databases/clients.harness.ts'
import { startGitHttpServer } from '../e2e/support/git-server.ts'
import { at, type Client } from '../e2e/support/panel.ts'
import { until } from '../e2e/support/poll.ts'
import { ownDatabases } from '../e2e/support/shared-databases.ts'
import { nodeSite } from '../e2e/support/sites.ts'
import { treeOf } from '../e2e/support/tree.ts'
import { projectDirectory } from '../packages/server/src/process/paths.ts'
import { freePort } from '../packages/server/test/support/ports.ts'
import { report } from './figures.ts'
import { startMeasuredPanel } from './panel.ts'
import { step } from './step.ts'

const projectCount = 10
/** Of `megabytes`; the rest is files. */
const shareOfDatabases = 0.4
const rowBytes = 384
const limitSeconds = 600

// Random text does not shrink: what a database holds is about what is saved and read back.
const fill: Record<DatabaseType, (rows: number) => string> = {
  POSTGRESQL: (rows) => `insert into goods select n, ${'md5(random()::text) || '.repeat(12)}'' from generate_series(1, ${rows}) n`, // oxfmt-ignore
  MYSQL: (rows) => `insert into goods select seq, concat(${Array(12).fill('md5(rand())').join(', ')}) from seq_1_to_${rows}` // oxfmt-ignore
}
const digest: Record<DatabaseType, string> = {
  POSTGRESQL: `select count(*) || ' ' || md5(string_agg(md5(id || text), '' order by id)) from goods`,
  MYSQL: `select concat(count(*), ' ', sum(crc32(concat(id, text))), ' ', bit_xor(cast(conv(left(md5(concat(id, text)), 15), 16, 10) as unsigned))) from goods`
}

/**
 * `./panel restore` of a panel with ten projects, each with files and a database, on a machine that has nothing of it, and `./panel up` until
 * each site answers: each file and each row is compared. The sites are built again, as backups hold no images.
 */
export async function benchRestore(files: number, megabytes: number): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'panel-bench-restore-'))
  await chmod(root, 0o711)
  const git = await startGitHttpServer()
  const names = ['DNS_PORT', 'POSTGRES_PORT', 'MYSQL_PORT', 'SFTP_PORT']
  const ports = Object.fromEntries(await Promise.all(names.map(async (name) => [name, String(await freePort())])))
  const env = { ...ownDatabases, ...ports, GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}` }
  const firstProjects = join(root, 'projects')
  let panel = await startMeasuredPanel({ ...env, PROJECTS_DIR: firstProjects })
  try {
    const user = await panel.signUp()
    const sites: Filled[] = []
    const filesEach = Math.round(files / projectCount)
    const bytes = (megabytes * 2 ** 20) / projectCount
    for (let n = 0; n < projectCount; n++)
      await step(`filling project ${n + 1} of ${projectCount}`, async () => {
        const type = databaseTypes[n % databaseTypes.length]!
        const site = await user.createSite(git, nodeSite(`site ${n}`))
        await user.mustRun(site.id)
        const home = projectDirectory({ PROJECTS_DIR: firstProjects }, site.id)
        await fillFolder(home, filesEach, (bytes * (1 - shareOfDatabases)) / filesEach)
        const body = { name: `kept_${n}`, type, projectId: site.id }
        const { hostUri } = await unwrap(user.api.POST('/api/databases', { body }))
        await ask(hostUri, 'create table goods (id integer primary key, text text)')
        await ask(hostUri, fill[type](Math.round((bytes * shareOfDatabases) / rowBytes)))
        const tree = await treeOf(home)
        sites.push({ ...site, type, hostUri, home, tree, rows: await ask(hostUri, digest[type]) })
      })
    const repository = join(root, 'target')
    const key = await step('backing up', () => backUp(user, repository))
    const rows = await rowsOf(panel)
    await panel.dispose()

    const restored = join(root, 'restored')
    const secondEnv = { ...env, DATA_DIR: restored, PROJECTS_DIR: join(restored, 'projects') }
    const startedAt = performance.now()
    const seconds = () => (performance.now() - startedAt) / 1000
    const { code, output } = await step('./panel restore', () => restorePanel(repository, key, secondEnv))
    if (code !== 0 || output.includes('Not restored')) throw new Error(output)
    report('./panel restore', `${seconds().toFixed(0)} s`)
    panel = await startMeasuredPanel(secondEnv)
    report('with ./panel up, ready', `${seconds().toFixed(0)} s`)
    if (JSON.stringify(await rowsOf(panel)) !== JSON.stringify(rows)) throw new Error('rows of the panel differ')
    await step('waiting for each site', () =>
      Promise.all(
        sites.map(({ hostname }, n) =>
          until(
            () => panel.visit(hostname),
            ({ body }) => body === `site ${n} /`
          )
        )
      )
    )
    const total = seconds()
    for (const { id, name, tree, type, hostUri, rows: before } of sites) {
      const now = await treeOf(projectDirectory(secondEnv, id))
      if (JSON.stringify(now) !== JSON.stringify(tree)) throw new Error(`files of ${name} differ`)
      if ((await ask(hostUri, digest[type])) !== before) throw new Error(`rows of ${name} differ`)
    }
    const what = `${projectCount} projects, ${megabytes} MB`
    report(`until each site answers, ${what}`, `${total.toFixed(0)} s`, { value: total / limitSeconds, aim: '<= 1x of 10 minutes' }) // oxfmt-ignore
  } finally {
    await panel.dispose()
    await git.stop()
    await rm(root, { recursive: true, force: true })
  }
}

interface Filled {
  id: string
  name: string
  hostname: string
  type: DatabaseType
  hostUri: string
  home: string
  tree: Record<string, string>
  /** Count and digests of the database's rows. */
  rows: string
}

async function fillFolder(home: string, count: number, bytesEach: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const folder = join(home, 'files', String(Math.floor(n / 100)))
    if (n % 100 === 0) await mkdir(folder, { recursive: true })
    await writeFile(join(folder, `f${n}`), randomBytes(Math.floor(bytesEach)))
  }
}

/** Backs everything up and returns the key. */
async function backUp(user: Client, path: string): Promise<string> {
  const body = { kind: 'FOLDER' as const, name: 'Disk', path }
  const target = await unwrap(user.api.POST('/api/backups/targets', { body }))
  await unwrap(user.api.POST('/api/backups/targets/{id}/confirm', { ...at(target.id), body: { key: target.key } }))
  const { queued } = await unwrap(user.api.POST('/api/backups', { body: {} }))
  const { backups } = await until(
    () => unwrap(user.api.GET('/api/backups', { params: { query: { limit: 100 } } })),
    (list) => list.backups.filter(({ endedAt }) => endedAt !== null).length >= queued,
    limitSeconds * 1000
  )
  const bad = backups.find(({ status }) => status !== 'GOOD')
  if (bad) throw new Error(`backup of ${bad.subject}: ${bad.problem}`)
  return target.key
}
