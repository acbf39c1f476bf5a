import { AdapterError } from '../adapter-error.ts'
import { EngineError, type ContainerEngine, type Labels } from '../container-engine/container-engine.ts'
import { label } from '../container-engine/labels.ts'
import type { Git } from '../git/git.ts'
import { type BaseImageCheck, MissingBaseImage } from '../base-images/ensure-base-images.ts'
import { debianPhp, debianPython } from '../base-images/recipe.ts'
import { createBuildContext } from './build-context.ts'
import { type BaseImages, baseReferences, type BuildPlan } from './build-plan.ts'
import { planBuild } from './detect.ts'
import { detectionLines } from './detection.render.ts'
import { ensureExternalImages } from './external-images.ts'
import { failureHint } from './failure-hint.ts'
import { BuildError, type BuildSource, type BuildTask, type BuiltImage, type ImageBuilder } from './image-builder.ts'
import { createLineTail } from './line-tail.ts'
import type { Mirrors } from './mirrors.render.ts'
import { findPrivateImages } from './private-images.ts'
import { createPulledImages } from './pulled-image.ts'
import { emptyTree, readSourceTree, type SourceTree } from './source-tree.ts'

export interface BuildLimits {
  memoryBytes: number
  cpus: number
  pids: number
  contextBytes: number
}

interface BuiltinBuilderOptions {
  git: Git
  engine: ContainerEngine
  images: BaseImages
  mirrors?: Mirrors
  baseImages?: BaseImageCheck
  limits: BuildLimits
  imagePrefix?: string
}

const defaultPort = 8080

export function createBuiltinBuilder(options: BuiltinBuilderOptions): ImageBuilder {
  const { git, engine, images, baseImages, mirrors, limits, imagePrefix = 'panel' } = options
  const withPulledImage = createPulledImages(engine)
  const treeOf = async ({ repository, type, siteFiles }: BuildSource) => {
    if (siteFiles) return emptyTree
    if (!repository && type !== 'WORDPRESS' && type !== 'IMAGE') throw new BuildError({ code: 'NO_REPOSITORY' })
    return repository ? readSourceTree(git, repository.directory, repository.commitHash) : emptyTree
  }
  // Plans again without what this server cannot have.
  const withBases = async (planWith: (images: BaseImages) => Promise<BuildPlan>, task: BuildTask, tree: SourceTree) => {
    const show = (plan: BuildPlan) => task.onLog(detectionLines(plan, tree.submodules).join(''))
    let known = images
    let plan = await planWith(known)
    show(plan)
    task.onPhase?.('install')
    try {
      await baseImages?.ensure(plan.bases, task)
    } catch (error) {
      if (!(error instanceof MissingBaseImage)) throw error
      const debians = { python: debianPython, php: debianPhp, node: undefined, static: undefined }[error.base.kind]
      if (debians === undefined || error.base.version === undefined || error.base.version === debians) throw error
      known = { ...known, only: { [error.base.kind]: [debians] } }
      plan = await planWith(known)
      show(plan)
      await baseImages?.ensure(plan.bases, task)
    }
    const node = plan.bases.find(({ kind }) => kind === 'node')
    const canCompile = node && plan.compiles && (await baseImages?.ensureCompilers(node, task))
    return plan.compiles && !canCompile ? planWith({ ...known, compilers: undefined }) : plan
  }
  const hasBuildKit = async () => (await engine.findBuilder()).kind === 'buildkit'
  return {
    detect: async (source) =>
      planBuild(await treeOf(source), { ...source, hasBuildKit: await hasBuildKit() }, images, {}),
    async build(task) {
      const { repository } = task.source
      task.onPhase?.('detect')
      const tree = await treeOf(task.source)
      const source = { ...task.source, owner: task.account, hasBuildKit: await hasBuildKit() }
      const common = stageLabels(task.labels)
      const planWith = (images: BaseImages) => planBuild(tree, source, images, common, mirrors)
      const written = await withBases(planWith, task, tree)
      const privateImages = await findPrivateImages(engine, written.references, task)
      const pinnedImages = new Map([...privateImages].map(([name, { reference }]) => [name, reference]))
      const plan =
        privateImages.size === 0 ? written : await planBuild(tree, { ...source, pinnedImages }, images, common, mirrors)
      for (const name of plan.missingSecrets ?? [])
        task.onLog(`Note: the Dockerfile mounts the secret ${name}, but the project has no variable of that name.\n`)
      await ensureExternalImages({ engine, baseImages: baseReferences(images), imagePrefix }, plan.references, task)
      const labels = plan.isLabelled ? without(task.labels, common) : task.labels
      const buildFromRepository = () => {
        const archive =
          repository && git.archive(repository.directory, repository.commitHash, task.signal, plan.contextDirectory)
        const context = createBuildContext(archive, { plan, maxBytes: limits.contextBytes, signal: task.signal })
        return buildOnEngine(engine, context, plan, { ...withBuildPhase(task), labels }, limits)
      }
      const { image } = task.source
      const build = [...(image ? [image] : []), ...privateImages.values()].reduce(
        (inner, pulled) => () => withPulledImage(pulled, task, inner),
        buildFromRepository
      )
      const imageId = await build()
      return { imageId, ...(await settings(engine, plan, imageId)) }
    }
  }
}

// The step that copies the build command, or the final stage. Stages before it have a name. BuildKit starts all stages at
// once, so there it is the step that takes their result.
const buildStep = /^Step \d+\/\d+ : (?:.*\/run\/panel\/build\.sh|COPY --from=build |FROM (?!.* AS )).*$/im

/** Marks where the build begins in the output. A step is written in one piece. */
export function withBuildPhase(task: BuildTask): BuildTask {
  let hasBegun = task.source.type === 'DOCKERFILE' || task.source.type === 'IMAGE'
  if (hasBegun) task.onPhase?.('build')
  return {
    ...task,
    onLog(text) {
      const at = hasBegun ? -1 : text.search(buildStep)
      if (at === -1) return task.onLog(text)
      hasBegun = true
      if (at > 0) task.onLog(text.slice(0, at))
      task.onPhase?.('build')
      task.onLog(text.slice(at))
    }
  }
}

type BuiltPlan = Pick<BuildPlan, 'dockerfile' | 'fromScratch' | 'buildArgs' | 'secrets'>

/** Builds a context on the engine. Engine errors become BuildErrors that end with the last lines of the output. */
export async function buildOnEngine(
  engine: Pick<ContainerEngine, 'buildImage'>,
  context: ReturnType<typeof createBuildContext>,
  { dockerfile, fromScratch = false, buildArgs = {}, secrets = {} }: BuiltPlan,
  task: BuildTask,
  limits: BuildLimits
): Promise<string> {
  const tail = createLineTail(10)
  // The engine only reports that its input ended, so the cause is kept here.
  let contextError: Error | undefined
  context.once('error', (error) => (contextError = error))
  try {
    return await engine.buildImage(context, {
      dockerfile,
      fromScratch,
      buildArgs,
      secrets,
      tag: task.tag,
      labels: task.labels,
      account: task.account,
      memoryBytes: limits.memoryBytes,
      cpus: limits.cpus,
      pids: limits.pids,
      network: task.network,
      signal: task.signal,
      onLog: (text) => {
        tail.add(text)
        task.onLog(text)
      }
    })
  } catch (error) {
    task.signal.throwIfAborted()
    const cause = contextError instanceof BuildError || contextError instanceof AdapterError ? contextError : error
    if (!(cause instanceof EngineError)) throw cause
    const lines = tail.lines().filter((line) => line.trim() !== '')
    const output =
      lines.length === 0 ? '' : `\nLast lines of the output:\n${lines.map((line) => `  ${line}`).join('\n')}`
    const hint = failureHint(cause.message, lines, limits)
    throw new BuildError(
      `The build failed: ${withoutOwnCommand(cause.message)}${hint === undefined ? '' : `\n${hint}`}${output}`,
      {
        cause
      }
    )
  } finally {
    context.destroy()
  }
}

/** The panel wraps the project's command in its own; the log shows the project's. */
const withoutOwnCommand = (message: string): string =>
  message
    .replace(/The command '[^]*\/run\/panel\/[^]*' returned/, 'A build step returned')
    .replace(/process "[^]*\/run\/panel\/[^]*" did not/, 'A build step did not')

/** Leaves out per-deployment labels, which would make every layer new. The final image gets them at the end. */
export function stageLabels(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => name !== label.deployment))
}

const without = (labels: Labels, others: Labels): Labels =>
  Object.fromEntries(Object.entries(labels).filter(([name]) => !(name in others)))

async function settings(
  engine: ContainerEngine,
  plan: BuildPlan,
  imageId: string
): Promise<Omit<BuiltImage, 'imageId'>> {
  const { description, readOnlyRoot, filesAt, servesFiles, writesFiles, keeps, home, processes } = plan
  const port = plan.port ?? (await engine.findImage(imageId))?.exposedPorts[0] ?? defaultPort
  return {
    port,
    description,
    readOnlyRoot,
    filesAt,
    ...(home === undefined ? {} : { home }),
    ...(servesFiles && { servesFiles }),
    ...(writesFiles && { writesFiles }),
    ...(keeps && { keeps }),
    ...(processes && { processes })
  }
}
