import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { PassThrough, Writable } from 'node:stream'
import { signalWithin } from '../../concurrency/time-limit.ts'
import { messageOf } from '../../text/message-of.ts'
import { type ContainerEngine, EngineError } from '../container-engine/container-engine.ts'
import { label } from '../container-engine/labels.ts'
import type { BaseImage } from '../image-builder/build-plan.ts'
import { createLineTail } from '../image-builder/line-tail.ts'
import { renderNpmrc } from '../image-builder/mirrors.render.ts'
import { ProcessError, type Run } from '../process/process.ts'
import { run as runProcess } from '../process/run.ts'
import { recipeContext } from './recipe-context.ts'
import {
  baseRecipe,
  keyLabel,
  mmdebstrapArgv,
  recipeKey,
  recipeOf,
  stageLabel,
  stepLabel,
  type Recipe
} from './recipe.ts'

interface PrepareBaseImagesOptions extends PreparationOptions {
  bases: readonly BaseImage[]
}

export interface PreparationOptions {
  engine: ContainerEngine
  log: (line: string) => void
  signal?: AbortSignal
  run?: Run
  nodePath?: string
  /** Where npm fetches versions of Node.js; may have a user and a password. */
  npmRegistry?: string | undefined
  now?: () => Date
}

export interface PreparedBaseImage extends BaseImage {
  outcome: 'present' | 'pulled' | 'made' | 'failed'
  problem?: string
}

// On a slow machine a Debian system takes half an hour.
const makeTimeoutMs = 60 * 60_000
const makeLimits = { memoryBytes: 4 * 2 ** 30, pids: 4096 }

/** Uses local images, else pulls, else builds the default ones from Debian packages. One failure rejects nothing. */
export async function prepareBaseImages(options: PrepareBaseImagesOptions): Promise<readonly PreparedBaseImage[]> {
  const images = createPreparation(options)
  const prepared: PreparedBaseImage[] = []
  const npmrc = renderNpmrc(options.npmRegistry)
  for (const base of options.bases) {
    options.signal?.throwIfAborted()
    try {
      prepared.push({ ...base, outcome: await images.prepare(base.reference, recipeOf(base, npmrc)) })
    } catch (error) {
      options.signal?.throwIfAborted()
      const problem = messageOf(error)
      options.log(`${base.reference}: ${problem}`)
      prepared.push({ ...base, outcome: 'failed', problem })
    }
  }
  return prepared
}

export async function prepareOwnImage(options: PreparationOptions, recipe: Recipe): Promise<void> {
  await prepareImage(options, recipe.reference, recipe)
}

export async function prepareImage(options: PreparationOptions, reference: string, recipe: Recipe): Promise<void> {
  await createPreparation(options).prepare(reference, recipe)
}

function createPreparation(options: PreparationOptions) {
  const {
    engine,
    log,
    signal = new AbortController().signal,
    run = runProcess,
    nodePath = process.execPath,
    now = () => new Date()
  } = options
  let registryAnswers = true
  // Not repeated for each image made of it: making it takes minutes, also when it fails.
  let base: Promise<unknown> | undefined

  return { prepare }

  async function prepare(reference: string, recipe: Recipe | undefined): Promise<'present' | 'pulled' | 'made'> {
    const own = recipe?.reference === reference ? recipe : undefined
    const key = own && recipeKey(own, now())
    const found = await engine.findImage(reference)
    const madeOf = found?.labels[keyLabel]
    if (found && (madeOf === undefined || key === undefined || madeOf === key)) return 'present'
    if (!own?.isOwn && (await pull(reference))) return 'pulled'
    if (own === undefined || key === undefined)
      throw new Error('is not on the container engine and cannot be pulled. Load it with: docker load')
    try {
      await make(own, key)
      return 'made'
    } catch (error) {
      if (!found || signal.aborted) throw error
      log(`${reference}: not updated (${messageOf(error)}); the previous image stays in use`)
      return 'present'
    }
  }

  /** After one failed registry the others are skipped: each attempt may take long. */
  async function pull(reference: string): Promise<boolean> {
    if (!registryAnswers) return false
    log(`${reference}: pulling`)
    try {
      await engine.pullImage(reference, () => {})
      return true
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      if (error.status !== 404) registryAnswers = false
      log(`${reference}: could not be pulled (${error.message})`)
      return false
    }
  }

  async function make(recipe: Recipe, key: string): Promise<void> {
    if (recipe.dockerfile !== undefined && recipe.isOnDebian !== false)
      await (base ??= prepare(baseRecipe.reference, baseRecipe))
    const why = recipe.isOwn === true ? '' : ' (for development and servers without registry access)'
    log(`${recipe.reference}: building from Debian packages${why}`)
    if (recipe.dockerfile === undefined) await importDebian(key)
    else await build(recipe, key)
  }

  // Removes step containers left by a power failure or an engine crash. Recent ones may belong to other panels on this
  // engine.
  async function removeStaleSteps(): Promise<void> {
    for (const { id, labels, status, createdAt } of await engine.listContainers({ [stepLabel]: 'yes' })) {
      const isStale = status !== 'running' && now().getTime() - createdAt.getTime() > makeTimeoutMs
      if (isStale && !(label.instance in labels)) await engine.removeContainer(id)
    }
  }

  async function build(recipe: Recipe, key: string): Promise<void> {
    const tail = createLineTail(8)
    try {
      await removeStaleSteps()
      await engine.buildImage(recipeContext(recipe, nodePath), {
        dockerfile: 'Dockerfile',
        tag: recipe.reference,
        labels: { ...recipe.labels, [keyLabel]: key },
        cpus: availableParallelism(),
        ...makeLimits,
        signal: signalWithin(makeTimeoutMs, signal),
        onLog: tail.add
      })
      // Removing an image also removes its parents. What remains is in use or already gone. BuildKit 0.12 gives the labels of a
      // stage to others of the same base, so that the built image can have it too.
      for (const { id, tags } of await engine.listImages({ [stageLabel]: 'yes' }))
        if (tags.length === 0) await engine.removeImage(id).catch(() => {})
    } catch (cause) {
      throw new Error([`could not be built: ${messageOf(cause)}`, ...tail.lines()].join('\n  '), { cause })
    }
  }

  /** The stream ends only if the program succeeds, so that a partial system never becomes an image. */
  async function importDebian(key: string): Promise<void> {
    const tar = new PassThrough()
    const stop = new AbortController()
    tar.once('close', () => stop.abort())
    const relay = new Writable({
      write: (chunk, _encoding, done) => void (tar.write(chunk) ? done() : tar.once('drain', done))
    })
    const made = run(mmdebstrapArgv, {
      timeoutMs: makeTimeoutMs,
      stdout: relay,
      signal: AbortSignal.any([signal, stop.signal])
    }).then(
      () => void tar.end(),
      (error: unknown) => void tar.destroy(recipeError(error))
    )
    try {
      // It writes only at the end, after minutes on a slow machine. The engine closes connections that send nothing.
      await once(tar, 'readable')
      await engine.importImage(tar, baseRecipe.reference, ['CMD ["bash"]', `LABEL ${keyLabel}=${key}`])
    } catch (cause) {
      throw new Error(`could not be built: ${messageOf(tar.errored ?? cause)}`, { cause })
    } finally {
      tar.destroy()
      await made
    }
  }
}

function recipeError(error: unknown): Error {
  if (!(error instanceof ProcessError)) return error instanceof Error ? error : new Error(String(error))
  if (error.reason === 'missing')
    return new Error('mmdebstrap is not installed. Install it with: apt-get install mmdebstrap')
  return new Error(`${error.message}: ${error.stderr.trim().split('\n').slice(-3).join(' ')}`, { cause: error })
}
