import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Run } from '../process/process.ts'
import { createBuildCgroup } from './build-cgroup.ts'
import { buildWithBuildKit } from './buildkit-build.ts'
import { withStepCgroup } from './buildkit-cgroup.ts'
import { type Builder, type BuildOptions, EngineError } from './container-engine.ts'
import { endAbandonedBuild, removeCgroup } from './docker-build-cleanup.ts'
import { type AccountCages, engineCgroups, ensureBuildCgroup } from './engine-cgroups.ts'
import type { EngineInfo } from './docker-answers.ts'
import type { EngineCall, EngineSocket, TimeLimits } from './docker-call.ts'
import { progressText, readProgress } from './docker-progress.ts'
import { hasPoisonableCache } from './poisonable-cache.ts'
import { createPlainTextStream, plainText } from './terminal-text.ts'

export interface BuildDependencies {
  call: EngineCall
  limits: TimeLimits
  run: Run
  cgroupPrefix: string
  buildArguments: Readonly<Record<string, string>>
  accountCages: AccountCages | undefined
  socketPath: EngineSocket
  findBuilder: () => Promise<Builder>
}

const cpuPeriodMicroseconds = 100_000

/** See ContainerEngine.buildImage. */
export async function buildImage(deps: BuildDependencies, context: Readable, options: BuildOptions): Promise<string> {
  const stop = new AbortController()
  const onAbort = () => stop.abort(options.signal.reason)
  options.signal.addEventListener('abort', onAbort, { once: true })
  if (options.signal.aborted) onAbort()
  watchContext(context, stop)
  try {
    const { signal } = stop
    const info = await deps.call(deps.limits.short, (engine) => engine.ask<EngineInfo>('GET', '/info'), { signal })
    return await buildWithin(deps, context, options, info, signal)
  } finally {
    options.signal.removeEventListener('abort', onAbort)
    context.destroy()
  }
}

// Attached immediately, because an unhandled stream error ends the process. Plain events, because tar-stream's streams
// are not Node's and `finished` misreads them.
function watchContext(context: Readable, stop: AbortController): void {
  const early = () => context.errored ?? new Error('The build context ended unexpectedly')
  let ended = false
  context.once('end', () => (ended = true))
  context.on('error', (error) => stop.abort(error))
  context.once('close', () => ended || stop.abort(early()))
  if (context.destroyed) stop.abort(early())
}

async function buildWithin(
  deps: BuildDependencies,
  context: Readable,
  options: BuildOptions,
  info: EngineInfo,
  signal: AbortSignal
): Promise<string> {
  const cgroups = engineCgroups(info, deps.run)
  const cage = (await ensureBuildCgroup(cgroups, deps.accountCages, options.account)) ?? []
  const builder = await deps.findBuilder()
  if (builder.kind === 'buildkit')
    return withStepCgroup({ ...deps, cgroups, cage }, options, (cgroupParent) =>
      buildWithBuildKit({ ...deps, ...builder, cgroupParent }, context, options, signal)
    )
  const startedAt = Math.floor(Date.now() / 1000)
  const name = `${deps.cgroupPrefix}${randomBytes(8).toString('hex')}`
  const cgroup = await createBuildCgroup({ cgroups, run: deps.run }, [...cage, name], { pids: options.pids })
  let isEnded = false
  try {
    const where = { cgroupParent: cgroup.parent, engineVersion: info.ServerVersion ?? '' }
    const imageId = await follow(deps, context, options, where, signal)
    isEnded = true
    return imageId
  } catch (error) {
    isEnded = error instanceof EngineError
    throw error
  } finally {
    const build = { cgroup, startedAt }
    if (isEnded) await removeCgroup(build).catch(() => {})
    else {
      const { watch } = await endAbandonedBuild(deps.call, build)
      void watch.catch(() => {})
    }
  }
}

async function follow(
  { call, buildArguments }: BuildDependencies,
  context: Readable,
  options: BuildOptions,
  { cgroupParent, engineVersion }: { cgroupParent: string; engineVersion: string },
  signal: AbortSignal
): Promise<string> {
  const clean = createPlainTextStream()
  let imageId: string | undefined
  const build = call(
    Number.POSITIVE_INFINITY,
    async (engine) => {
      const answer = await engine.open('POST', '/build', {
        query: {
          ...buildQuery(options, cgroupParent, engineVersion),
          buildargs: { ...options.buildArgs, ...buildArguments }
        },
        body: context
      })
      await readProgress(answer, (event) => {
        if (event.aux?.ID !== undefined) imageId = event.aux.ID
        const text = clean(progressText(event))
        if (text !== '') options.onLog(text)
      })
    },
    { signal }
  )
  try {
    await build
  } catch (error) {
    throw error instanceof EngineError
      ? new EngineError(plainText(error.message), error.status, { cause: error })
      : error
  }
  if (imageId === undefined) throw new EngineError('The container engine returned no image for the build', 500)
  return imageId
}

export function buildQuery(
  options: BuildOptions,
  cgroupParent: string,
  engineVersion: string
): Readonly<Record<string, unknown>> {
  return {
    version: '1',
    t: options.tag,
    dockerfile: options.dockerfile,
    labels: { ...options.labels },
    rm: true,
    forcerm: true,
    pull: false,
    nocache: options.fromScratch === true && hasPoisonableCache(engineVersion),
    memory: options.memoryBytes,
    memswap: options.memoryBytes,
    cpuperiod: cpuPeriodMicroseconds,
    cpuquota: Math.round(options.cpus * cpuPeriodMicroseconds),
    cgroupparent: cgroupParent,
    ...(options.network === undefined ? {} : { networkmode: options.network })
  }
}
