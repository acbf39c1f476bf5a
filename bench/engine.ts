import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ensureDebianPackages,
  ensureDockerCommand,
  ensureOptional
} from '../packages/server/src/cli/debian-packages.ts'
import { parseConfig } from '../packages/server/src/config.ts'
import { createDockerEngine } from '../packages/server/src/infra/container-engine/docker.ts'
import { run } from '../packages/server/src/infra/process/run.ts'
import { createLogger } from '../packages/server/src/process/logger.ts'
import { containerEngine } from '../packages/server/src/programs/container-engine.ts'
import { createManager } from '../packages/server/src/programs/manager.ts'

/**
 * Runs a part with the container engine, which is started unless it runs already. A panel that starts the engine stops it too, and the part
 * needs it longer: it removes its containers, images and networks after it has stopped its panel.
 */
export async function withEngine<T>(work: () => Promise<T>): Promise<T> {
  const print = (text: string) => console.error(text)
  await ensureDebianPackages(run, containerEngine.packages)
  await ensureOptional(run, containerEngine.optionalPackages ?? [])
  await ensureDockerCommand(run)
  const directory = await mkdtemp(join(tmpdir(), 'panel-bench-engine-'))
  const config = parseConfig({ SESSION_SECRET: 'only starts the engine for the bench', DATA_DIR: directory })
  const engine = createDockerEngine({ socketPath: config.DOCKER_SOCKET })
  const manager = createManager({
    logger: createLogger('warn'),
    step: print,
    signal: new AbortController().signal
  })
  try {
    await manager.start([containerEngine], { config, env: process.env, run, engine, step: print })
    return await work()
  } finally {
    await manager.stop()
    await rm(directory, { recursive: true, force: true })
  }
}
