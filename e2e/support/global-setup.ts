import { execFileSync } from 'node:child_process'
import { prepareBuiltRelease } from './built-release.ts'
import { enterOwnCgroup } from './own-cgroup.ts'
import { prepareSharedWorlds } from './shared-world.ts'
import { sharedDatabases, startSharedDatabases } from './shared-databases.ts'
import { endToEndPrograms, requirePrograms } from '../../packages/server/test/support/programs.ts'

/** `./panel test` installs and starts what these tests need; without it, fail once with a clear message. */
export default async function setup(): Promise<() => Promise<void>> {
  // Another end-to-end project has set up already.
  if (Object.keys(sharedDatabases()).length > 0) return async () => {}
  await requirePrograms(endToEndPrograms)
  await enterOwnCgroup()
  try {
    execFileSync('/usr/bin/docker', ['version'], { stdio: 'ignore', timeout: 20_000 })
  } catch {
    throw new Error(
      'The container engine is not running. The end-to-end tests are started by: ./panel test --project e2e'
    )
  }
  // Builds once, because each worker's first panel would build at the same time.
  execFileSync('npm', ['run', 'build', '--silent'], { stdio: 'inherit' })
  const removeSharedWorlds = await prepareSharedWorlds()
  const removeBuiltRelease = await prepareBuiltRelease()
  const stopDatabases = await startSharedDatabases()
  return async () => {
    await removeSharedWorlds()
    await removeBuiltRelease()
    await stopDatabases()
  }
}
