import { execFile } from 'node:child_process'
import { appendFile, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

export interface Releases {
  /** An unpacked release of this checkout. */
  folder: string
  publicKey: string
  /** A signed archive of the same code under another version number, after `change` was applied to its folder. */
  build(version: string, change?: (folder: string) => Promise<void>): Promise<string>
}

/** Builds a release once and derives others from it. */
export async function makeReleases(directory: string): Promise<Releases> {
  const [key, publicKey] = [join(directory, 'key'), join(directory, 'key.pub')]
  await execute('minisign', ['-G', '-W', '-s', key, '-p', publicKey])
  const argv = [join(root, 'scripts/release.mjs'), '--allow-changes', '--quick', '--to', join(directory, 'dist')]
  const archive = (await execute(process.execPath, argv, { cwd: root, maxBuffer: 2 ** 26 })).stdout.split('\n')[0]!
  await execute('tar', ['-xzf', archive, '-C', directory])
  const folder = join(directory, basename(archive, '.tar.gz'))
  return {
    folder,
    publicKey,
    async build(version, change) {
      const name = `hosting-panel-${version}-${process.platform}-${process.arch}`
      const work = join(directory, 'work')
      await rm(work, { recursive: true, force: true })
      await mkdir(work)
      const copy = join(work, name)
      await cp(folder, copy, { recursive: true, verbatimSymlinks: true })
      await setVersion(copy, version)
      await change?.(copy)
      const target = join(directory, `${name}.tar.gz`)
      await execute('tar', ['-I', 'gzip -1', '-cf', target, '-C', work, name])
      await sign(target, key, version)
      return target
    }
  }
}

const sign = (path: string, key: string, version: string) =>
  execute('minisign', ['-S', '-s', key, '-m', path, '-t', `file:${basename(path)} version:${version}`])

/** A signed package of the same code under another version number, after `change` was applied to its program. */
export async function repackage(
  original: string,
  { key, version, change }: { key: string; version: string; change?: (folder: string) => Promise<void> }
): Promise<string> {
  const tree = `${original}.tree`
  await rm(tree, { recursive: true, force: true })
  await execute('dpkg-deb', ['-R', original, tree])
  const versions = join(tree, 'opt/hosting-panel/versions')
  const [previous] = await readdir(versions)
  const folder = join(versions, version)
  await rename(join(versions, previous!), folder)
  await setVersion(folder, version)
  await change?.(folder)
  for (const name of ['control', 'postinst']) {
    const path = join(tree, 'DEBIAN', name)
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(previous!, version))
  }
  await rm(join(tree, 'DEBIAN/md5sums'))
  const target = original.replace(previous!, version)
  await execute('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, target])
  await sign(target, key, version)
  return target
}

const bundle = 'packages/server/dist/bundle'

async function setVersion(folder: string, version: string): Promise<void> {
  const path = join(folder, 'release.json')
  const release = JSON.parse(await readFile(path, 'utf8')) as { version: string }
  await writeFile(path, JSON.stringify({ ...release, version }))
  const constant = `version = "${release.version}"`
  const chunks = (await readdir(join(folder, bundle, 'chunks'))).map((name) => join('chunks', name))
  for (const name of [...chunks, 'cli/main.js', 'web-main.js']) {
    const file = join(folder, bundle, name)
    const code = await readFile(file, 'utf8')
    if (code.includes(constant)) await writeFile(file, code.replace(constant, `version = "${version}"`))
  }
}

/** Adds a migration after those of the release. */
export async function addMigration(folder: string, sql: string): Promise<void> {
  const migrations = join(folder, 'packages/server/src/db/migrations')
  const journal = join(migrations, 'meta/_journal.json')
  const { entries, ...rest } = JSON.parse(await readFile(journal, 'utf8')) as {
    entries: { idx: number; when: number }[]
  }
  const last = entries.at(-1)!
  const tag = `${String(last.idx + 1).padStart(4, '0')}_of_test`
  const entry = { ...last, idx: last.idx + 1, when: last.when + 1, tag }
  await writeFile(journal, JSON.stringify({ ...rest, entries: [...entries, entry] }))
  await writeFile(join(migrations, `${tag}.sql`), sql)
}

/** Replaces the entry of the web process. */
export const replaceWebProcess = (folder: string, code: string): Promise<void> =>
  writeFile(join(folder, bundle, 'web-main.js'), code)

export const damage = (archive: string): Promise<void> => appendFile(archive, 'x')
