import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ensureDebianPackages,
  ensureDockerCommand,
  ensureOptional,
  toolPackages
} from '../packages/server/src/cli/debian-packages.ts'
import { baseImageSteps } from '../packages/server/src/cli/base-images.ts'
import { parseConfig } from '../packages/server/src/config.ts'
import { createDockerEngine } from '../packages/server/src/infra/container-engine/docker.ts'
import { run } from '../packages/server/src/infra/process/run.ts'
import { createLogger } from '../packages/server/src/process/logger.ts'
import { containerEngine } from '../packages/server/src/programs/container-engine.ts'
import { createManager } from '../packages/server/src/programs/manager.ts'

const print = (text: string) => console.error(text)

function connect(directory: string) {
  const config = parseConfig({ SESSION_SECRET: 'only starts the engine for the bench', DATA_DIR: directory })
  return { config, engine: createDockerEngine({ socketPath: config.DOCKER_SOCKET }) }
}

/** Makes the images that sites are built on, unless they are there: otherwise builds would, or the panel beside them. */
export async function prepareImages(): Promise<void> {
  await ensureDebianPackages(run, toolPackages)
  const { config, engine } = connect(tmpdir())
  const images = baseImageSteps(config, { engine, log: print, run })
  await images.prepare('node', 'static', 'python', 'php')
  await images.prepareUsualCompilers()
}

/**
 * Runs a part with the container engine, which is started unless it runs already. A panel that starts the engine stops it too, and the part
 * needs it longer: it removes its containers, images and networks after it has stopped its panel.
 */
export async function withEngine<T>(work: () => Promise<T>): Promise<T> {
  await ensureDebianPackages(run, containerEngine.packages)
  await ensureOptional(run, containerEngine.optionalPackages ?? [])
  await ensureDockerCommand(run)
  const directory = await mkdtemp(join(tmpdir(), 'panel-bench-engine-'))
  const { config, engine } = connect(directory)
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
