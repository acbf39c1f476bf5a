import { execFileSync } from 'node:child_process'
import { enterOwnCgroup } from './own-cgroup.ts'
import { prepareSharedWorlds } from './shared-world.ts'
import { sharedDatabases, startSharedDatabases } from './shared-databases.ts'
import { endToEndPrograms, requirePrograms } from '../../packages/server/test/support/programs.ts'

/** `./panel test` has installed and started what these tests need; run alone, they say so instead of failing one by one. */
export default async function setup(): Promise<() => Promise<void>> {
  // The other project of end-to-end tests has set up already.
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
  // Else the first panel of each worker would build at the same moment as the others.
  execFileSync('npm', ['run', 'build', '--silent'], { stdio: 'inherit' })
  const removeSharedWorlds = await prepareSharedWorlds()
  const stopDatabases = await startSharedDatabases()
  return async () => {
    await removeSharedWorlds()
    await stopDatabases()
  }
}
