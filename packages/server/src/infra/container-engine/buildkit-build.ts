import { once } from 'node:events'
import { mkdtemp, open, readFile, rm, unlink, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline, type Readable } from 'node:stream'
import { oomScore, setOomScore } from '../process/oom-score.ts'
import { killGroup, startChild } from '../process/start-child.ts'
import { createBuildProgress } from './buildkit-progress.ts'
import { type BuildOptions, EngineError } from './container-engine.ts'
import { type EngineSocket, pathOf } from './docker-call.ts'
import { readLines } from './docker-progress.ts'
import { plainText } from './terminal-text.ts'

interface BuildKitBuild {
  plugin: string
  socketPath: EngineSocket
  cgroupParent: string
  /** Kept out of argv: a proxy's URL may contain a password. */
  buildArguments: Readonly<Record<string, string>>
}

type Child = Awaited<ReturnType<typeof startChild>>

/** BuildKit's own limit. */
const maxSecretBytes = 500 * 1024

/**
 * Builds with the buildx plugin, which speaks BuildKit's session protocol. It runs alone: an end of this process ends it, and
 * the engine ends a build without its client.
 */
export async function buildWithBuildKit(
  build: BuildKitBuild,
  context: Readable,
  options: BuildOptions,
  signal: AbortSignal
): Promise<string> {
  // Also its configuration directory, so that no log-in of the machine to a registry is used.
  const directory = await mkdtemp(join(tmpdir(), 'panel-build-'))
  const secrets: FileHandle[] = []
  try {
    const idFile = join(directory, 'image')
    for (const [name, value] of Object.entries(options.secrets ?? {}))
      secrets.push(await secretFile(directory, name, value))
    signal.throwIfAborted()
    const child = await startChild(['setpriv', '--pdeathsig', 'KILL', ...buildArgv(build, options, idFile)], {
      env: {
        ...build.buildArguments,
        DOCKER_CONFIG: directory,
        DOCKER_HOST: `unix://${await pathOf(build.socketPath)}`,
        HOME: directory
      },
      stdio: ['pipe', 'ignore', 'pipe', ...secrets.map(({ fd }) => fd)]
    })
    await follow(child, context, options, signal)
    return (await readFile(idFile, 'utf8')).trim()
  } finally {
    for (const secret of secrets) await secret.close()
    await rm(directory, { recursive: true, force: true })
  }
}

/** An open file without a name: it can be read through /proc by the child, any number of times, and is gone after a crash. */
async function secretFile(directory: string, name: string, value: string): Promise<FileHandle> {
  if (Buffer.byteLength(value) > maxSecretBytes)
    throw new EngineError(
      `The secret ${name} is larger than ${maxSecretBytes / 1024} KB, which builds cannot read`,
      400
    )
  const path = join(directory, 'secret')
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  await file.writeFile(value)
  return file
}

const firstSecret = 3

export function buildArgv(
  { plugin, cgroupParent, buildArguments }: Pick<BuildKitBuild, 'plugin' | 'cgroupParent' | 'buildArguments'>,
  { dockerfile, tag, labels, buildArgs = {}, secrets = {} }: BuildOptions,
  idFile: string
): readonly string[] {
  return [
    plugin,
    'build',
    '--progress=rawjson',
    '--provenance=false',
    `--cgroup-parent=${cgroupParent}`,
    `--iidfile=${idFile}`,
    `--file=${dockerfile}`,
    `--tag=${tag}`,
    ...Object.entries(labels).map(([name, value]) => `--label=${name}=${value}`),
    ...Object.entries(buildArgs)
      // BUILDKIT_SYNTAX would run another program as the frontend, outside of the limits.
      .filter(([name]) => !name.startsWith('BUILDKIT_'))
      .map(([name, value]) => `--build-arg=${name}=${value}`),
    // Without a value: taken from the environment.
    ...Object.keys(buildArguments).map((name) => `--build-arg=${name}`),
    ...Object.keys(secrets).map((id, index) => `--secret=id=${id},src=/proc/self/fd/${firstSecret + index}`),
    '-'
  ]
}

async function follow(child: Child, context: Readable, options: BuildOptions, signal: AbortSignal): Promise<void> {
  setOomScore(child.pid!, oomScore.tool)
  const onAbort = () => killGroup(child)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  // Errors of the context abort the signal; the client may end before it has read everything.
  pipeline(context, child.stdin!, () => {})
  const progress = createBuildProgress(options.onLog)
  const closed = once(child, 'close') as Promise<[number | null]>
  try {
    await readLines(child.stderr!, (line) => progress.addLine(line))
  } catch (error) {
    killGroup(child)
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
  const [code] = await closed
  signal.throwIfAborted()
  if (code !== 0)
    throw new EngineError(plainText(progress.problem() ?? `docker-buildx ended with ${code ?? 'a signal'}`), 500)
}
