import { lstat, mkdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ContainerEngine } from '../container-engine/container-engine.ts'
import type { Git } from '../git/git.ts'
import { ProcessError, type Run } from '../process/process.ts'
import { buildOnEngine, type BuildLimits, stageLabels } from './builtin-builder.ts'
import { type Checkout, withCheckout } from './checkout.ts'
import { guardDockerfile } from './dockerfile-rules.ts'
import { ensureExternalImages } from './external-images.ts'
import { BuildError, type BuildSource, type BuildTask, type BuiltImage, type ImageBuilder } from './image-builder.ts'
import { addDirectory, addText, tarOf } from './tar-entries.ts'

interface ExternalBuilderOptions {
  /** `nixpacks` writes a Dockerfile that our engine builds; `railpack` builds with BuildKit itself. */
  program: 'nixpacks' | 'railpack'
  git: Git
  engine: ContainerEngine
  run: Run
  limits: BuildLimits
  imagePrefix?: string
  fallback?: ImageBuilder
  temporaryDirectory?: string
  timeoutMs?: number
  environment?: Readonly<Record<string, string>>
}

type Commands = Pick<BuildSource, 'buildCmd' | 'startCmd'>
type Argv = readonly [string, ...string[]]

const defaultPort = 3000
// At the context root, where no symlink of the repository can redirect it.
const dockerfile = 'panel.Dockerfile'
const maxDockerfileBytes = 512 * 1024

// `--name=value` form, so that a command with a leading dash stays a value. Variables are not passed: they would end up
// in image layers.
const commandOptions = ({ buildCmd, startCmd }: Commands): string[] => [
  ...(buildCmd ? [`--build-cmd=${buildCmd}`] : []),
  ...(startCmd ? [`--start-cmd=${startCmd}`] : [])
]

/** Writes a Dockerfile and its context to `out`. `--no-cache` leaves out cache mounts, which require BuildKit. */
export const nixpacksArgv = (source: string, out: string, commands: Commands): Argv => [
  'nixpacks', 'build', source, '--out', out, '--no-cache', ...commandOptions(commands)
] // oxfmt-ignore

export const railpackArgv = (source: string, tag: string, commands: Commands): Argv => [
  'railpack', 'build', '--name', tag, ...commandOptions(commands), source
] // oxfmt-ignore

/** Written from the documentation of Nixpacks and Railpack; not tested against the real programs. */
export function createNixpacksBuilder(options: ExternalBuilderOptions): ImageBuilder {
  const { program, git, engine, limits, fallback, temporaryDirectory = tmpdir() } = options
  const buildImage = { nixpacks: buildWithNixpacks, railpack: buildWithRailpack }[program]
  return {
    async detect(source) {
      if (source.type !== 'NODEJS' && source.type !== 'PYTHON' && fallback) return fallback.detect(source)
      const notes = [{ code: 'BUILDER_DECIDES' as const, values: { builder: program } }]
      return { description: `${source.type} by ${program}`, detected: {}, notes, port: source.port ?? undefined }
    },
    async build(task): Promise<BuiltImage> {
      const { repository, type, port, buildEnv } = task.source
      if (!repository || (type !== 'NODEJS' && type !== 'PYTHON')) {
        if (fallback) return fallback.build(task)
        throw new BuildError(
          `${program} does not build projects of type ${type}. Ask an administrator to use the built-in builder.`
        )
      }
      task.onPhase?.('build')
      if (Object.keys(buildEnv).length > 0) {
        task.onLog(`Note: ${program} would store variables in the image, so they are not passed to the build.\n`)
      }
      const archive = git.archive(repository.directory, repository.commitHash, task.signal)
      const checkoutOptions = { parent: temporaryDirectory, maxBytes: limits.contextBytes }
      const imageId = await withCheckout(archive, checkoutOptions, (checkout) => buildImage(options, task, checkout))
      const image = await engine.findImage(imageId)
      const found = port ?? image?.exposedPorts[0] ?? defaultPort
      return { imageId, port: found, readOnlyRoot: false, filesAt: '/data', description: `${type} by ${program}` }
    }
  }
}

// Nixpacks writes the Dockerfile, our engine builds it: limits, labels and cancelling work as in the built-in builder.
async function buildWithNixpacks(
  options: ExternalBuilderOptions,
  task: BuildTask,
  checkout: Checkout
): Promise<string> {
  const out = join(checkout.scratch, 'out')
  await mkdir(out)
  await runTool(options, nixpacksArgv(checkout.source, out, task.source), task)
  const { engine, imagePrefix = 'panel' } = options
  const { text, references, fromScratch } = guardDockerfile(
    await readWritten(join(out, '.nixpacks', 'Dockerfile')),
    stageLabels(task.labels),
    { buildKit: (await engine.findBuilder()).kind === 'buildkit' ? { account: task.account } : undefined }
  )
  await ensureExternalImages({ engine, baseImages: [], imagePrefix }, references, task)
  const context = tarOf(async (tar) => {
    await addDirectory(tar, out, '', (name) => name === dockerfile)
    await addText(tar, dockerfile, text)
  })
  return buildOnEngine(engine, context, { dockerfile, fromScratch }, task, options.limits)
}

/** The Dockerfile is derived from repository files, so it is as untrusted as the repository's own. */
async function readWritten(path: string): Promise<string> {
  const found = await lstat(path).catch(() => undefined)
  if (!found?.isFile() || found.size > maxDockerfileBytes)
    throw new BuildError(
      'Nixpacks generated no Dockerfile for this repository. Ask an administrator to use the built-in builder.'
    )
  return readFile(path, 'utf8')
}

/** Railpack leaves the image on the engine; our labels are added as a layer on top. */
async function buildWithRailpack(
  options: ExternalBuilderOptions,
  task: BuildTask,
  checkout: Checkout
): Promise<string> {
  await runTool(options, railpackArgv(checkout.source, task.tag, task.source), task)
  const context = tarOf((tar) => addText(tar, 'Dockerfile', `FROM ${task.tag}\n`))
  return buildOnEngine(options.engine, context, { dockerfile: 'Dockerfile' }, task, options.limits)
}

async function runTool(options: ExternalBuilderOptions, argv: Argv, task: BuildTask): Promise<void> {
  const { run, timeoutMs = 30 * 60_000, environment } = options
  try {
    const onStderrLine = (line: string) => task.onLog(`${line}\n`)
    const env = { HOME: '/nonexistent', ...environment }
    task.onLog((await run(argv, { timeoutMs, signal: task.signal, env, onStderrLine })).stdout)
  } catch (error) {
    task.signal.throwIfAborted()
    if (!(error instanceof ProcessError)) throw error
    const problem =
      error.reason === 'missing'
        ? `${argv[0]} is not installed on this server. Ask an administrator to install it or to use the built-in builder.`
        : `${error.message}${error.stderr === '' ? '' : `: ${error.stderr.trim().split('\n').slice(-5).join('\n')}`}`
    throw new BuildError(problem, { cause: error })
  }
}
