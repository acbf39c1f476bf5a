import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { readIfExists } from '../../packages/server/src/infra/disk/read-if-exists.ts'
import { until } from './poll.ts'

const execute = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const directoryVariable = 'TEST_BUILT_RELEASE'

interface BuiltRelease {
  /** With the checksums and the bill of materials. Shared: read it only. */
  directory: string
  archive: string
  debian: string
  installer: string
  key: string
  publicKey: string
}

/** The signed release of this checkout. The first worker that needs it builds it for all of the run. */
export async function builtRelease(): Promise<BuiltRelease> {
  const directory = process.env[directoryVariable]!
  const result = join(directory, 'result')
  const [key, publicKey, target] = [join(directory, 'key'), join(directory, 'key.pub'), join(directory, 'dist')]
  if (await isFirst(join(directory, 'lock'))) {
    const problem = await build(target, key, publicKey).then(
      () => '',
      (error: { stderr?: string; message: string }) => error.stderr ?? error.message
    )
    await writeFile(result, problem)
  }
  const problem = await until(
    () => readIfExists(result),
    (text) => text !== undefined,
    900_000
  )
  if (problem !== '') throw new Error(`The release could not be built: ${problem}`)
  const names = await readdir(target)
  const file = (end: string) =>
    join(
      target,
      names.find((name) => name.endsWith(end))!
    )
  return { directory: target, archive: file('.tar.gz'), debian: file('.deb'), installer: join(target, 'install.sh'), key, publicKey } // oxfmt-ignore
}

const isFirst = (lock: string): Promise<boolean> =>
  mkdir(lock).then(
    () => true,
    () => false
  )

async function build(target: string, key: string, publicKey: string): Promise<void> {
  await execute('minisign', ['-G', '-W', '-s', key, '-p', publicKey])
  const argv = [join(root, 'scripts/release.mjs'), '--allow-changes', '--quick', '--to', target, '--sign-key', key]
  await execute(process.execPath, argv, { cwd: root, maxBuffer: 2 ** 26 })
}

/** Runs before the workers start; resolves with a function that removes the release. */
export async function prepareBuiltRelease(): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'panel-built-release-'))
  process.env[directoryVariable] = directory
  return () => rm(directory, { recursive: true, force: true })
}
