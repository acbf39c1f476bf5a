import { availableParallelism } from 'node:os'
import { PassThrough, Writable } from 'node:stream'
import { messageOf } from '../../text/message-of.ts'
import { type ContainerEngine, EngineError } from '../container-engine/container-engine.ts'
import { label } from '../container-engine/labels.ts'
import type { BaseImageKind, BaseImages } from '../image-builder/build-plan.ts'
import { createLineTail } from '../image-builder/line-tail.ts'
import { ProcessError, type Run } from '../process/process.ts'
import { run as runProcess } from '../process/run.ts'
import { recipeContext } from './recipe-context.ts'
import {
  baseRecipe,
  keyLabel,
  kinds as allKinds,
  mmdebstrapArgv,
  recipeKey,
  recipes,
  stageLabel,
  stepLabel,
  type Recipe
} from './recipe.ts'

interface PrepareBaseImagesOptions extends PreparationOptions {
  images: BaseImages
  /** Default: all, in the order in which they are quickest made. */
  kinds?: readonly BaseImageKind[]
}

export interface PreparationOptions {
  engine: ContainerEngine
  log: (line: string) => void
  signal?: AbortSignal
  run?: Run
  /** The Node.js that a home-made image takes over. */
  nodePath?: string
  now?: () => Date
}

interface PreparedBaseImage {
  kind: BaseImageKind
  reference: string
  outcome: 'present' | 'pulled' | 'made' | 'failed'
  /** Why it failed, with what to do. */
  problem?: string
}

const makeTimeoutMs = 20 * 60_000
const makeLimits = { memoryBytes: 4 * 2 ** 30, pids: 4096 }

/**
 * Sees to it that the base images of builds are on the engine: uses what is there, else pulls, and where no registry answers
 * makes the default ones from Debian's packages. Never rejects for one image: the others may do.
 */
export async function prepareBaseImages(options: PrepareBaseImagesOptions): Promise<readonly PreparedBaseImage[]> {
  const images = createPreparation(options)
  const prepared: PreparedBaseImage[] = []
  for (const kind of options.kinds ?? allKinds) {
    options.signal?.throwIfAborted()
    const reference = options.images[kind]
    try {
      prepared.push({ kind, reference, outcome: await images.prepare(reference, recipes[kind]) })
    } catch (error) {
      options.signal?.throwIfAborted()
      const problem = messageOf(error)
      options.log(`${reference}: ${problem}`)
      prepared.push({ kind, reference, outcome: 'failed', problem })
    }
  }
  return prepared
}

/** The same for one image of our own (`isOwn`). Rejects where it is neither there nor can be made. */
export async function prepareOwnImage(options: PreparationOptions, recipe: Recipe): Promise<void> {
  await prepareImage(options, recipe.reference, recipe)
}

/** The same where the image may be another, which is pulled then. */
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

  return { prepare }

  async function prepare(reference: string, recipe: Recipe): Promise<'present' | 'pulled' | 'made'> {
    const isOurs = reference === recipe.reference
    const key = recipeKey(recipe, process.version, now())
    const found = await engine.findImage(reference)
    const madeOf = found?.labels[keyLabel]
    if (found && (madeOf === undefined || !isOurs || madeOf === key)) return 'present'
    if (!(recipe.isOwn && isOurs) && (await pull(reference))) return 'pulled'
    if (!isOurs) throw new Error('is not on the container engine and no registry gives it; load it with: docker load')
    try {
      await make(recipe, key)
      return 'made'
    } catch (error) {
      if (!found || signal.aborted) throw error
      log(`${reference}: not renewed (${messageOf(error)}); last made image stays in use`)
      return 'present'
    }
  }

  /** One registry that does not answer is taken for all: each attempt may take long. */
  async function pull(reference: string): Promise<boolean> {
    if (!registryAnswers) return false
    log(`${reference}: pulling`)
    try {
      await engine.pullImage(reference, () => {})
      return true
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      if (error.status !== 404) registryAnswers = false
      log(`${reference}: no registry gives it (${error.message})`)
      return false
    }
  }

  async function make(recipe: Recipe, key: string): Promise<void> {
    if (recipe.dockerfile !== undefined && recipe.isOnDebian !== false) await prepare(baseRecipe.reference, baseRecipe)
    const why = recipe.isOwn === true ? '' : ' (the way for development and machines without a registry)'
    log(`${recipe.reference}: making it from Debian's packages${why}`)
    if (recipe.dockerfile === undefined) await importDebian(key)
    else await build(recipe, key)
  }

  /** What a power cut or an engine that was killed has left of steps. Other panels on this engine may be at theirs. */
  async function removeLeftSteps(): Promise<void> {
    for (const { id, labels, status, createdAt } of await engine.listContainers({ [stepLabel]: 'yes' })) {
      const isLeft = status !== 'running' && now().getTime() - createdAt.getTime() > makeTimeoutMs
      if (isLeft && !(label.instance in labels)) await engine.removeContainer(id)
    }
  }

  async function build(recipe: Recipe, key: string): Promise<void> {
    const tail = createLineTail(8)
    try {
      await removeLeftSteps()
      await engine.buildImage(recipeContext(recipe, nodePath), {
        dockerfile: 'Dockerfile',
        tag: recipe.reference,
        labels: { ...recipe.labels, [keyLabel]: key },
        cpus: availableParallelism(),
        ...makeLimits,
        signal: AbortSignal.any([signal, AbortSignal.timeout(makeTimeoutMs)]),
        onLog: tail.add
      })
      // Removing one takes those below it along; what is left is in use or gone already.
      for (const { id } of await engine.listImages({ [stageLabel]: 'yes' }))
        await engine.removeImage(id).catch(() => {})
    } catch (cause) {
      throw new Error([`cannot be made: ${messageOf(cause)}`, ...tail.lines()].join('\n  '), { cause })
    }
  }

  /** The stream ends only once the program has succeeded, so that half a system never becomes an image. */
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
      (error: unknown) => void tar.destroy(errorOfRecipe(error))
    )
    try {
      await engine.importImage(tar, baseRecipe.reference, ['CMD ["bash"]', `LABEL ${keyLabel}=${key}`])
    } catch (cause) {
      throw new Error(`cannot be made: ${messageOf(tar.errored ?? cause)}`, { cause })
    } finally {
      tar.destroy()
      await made
    }
  }
}

function errorOfRecipe(error: unknown): Error {
  if (!(error instanceof ProcessError)) return error instanceof Error ? error : new Error(String(error))
  if (error.reason === 'missing')
    return new Error('mmdebstrap is not installed; install it with: apt-get install mmdebstrap')
  return new Error(`${error.message}: ${error.stderr.trim().split('\n').slice(-3).join(' ')}`, { cause: error })
}
