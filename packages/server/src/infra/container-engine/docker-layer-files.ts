import type { EngineCall, TimeLimits } from './docker-call.ts'
import { unlessMissing } from './docker-call.ts'
import type { InspectedContainer } from './docker-answers.ts'
import { ProcessError } from '../process/process.ts'
import type { EngineHost } from './engine-host.ts'

const directoriesAtOnce = 200
const allTimeoutMs = 60_000
const oneTimeoutMs = 30_000
const lowPriority = ['nice', '-n', '19'] as const

/** See ContainerEngine.countContainerFiles. Caches each container's layer directory, which never changes. */
export function createFileCounter({
  call,
  limits,
  run
}: { call: EngineCall; limits: TimeLimits } & Pick<EngineHost, 'run'>) {
  let known = new Map<string, string | undefined>()
  const findDirectory = async (id: string) => {
    if (known.has(id)) return known.get(id)
    const found = await unlessMissing(
      call(limits.ordinary, (engine) => engine.ask<InspectedContainer>('GET', `/containers/${id}/json`))
    )
    return found && layerDirectory(found)
  }
  return async (ids: readonly string[]): Promise<Map<string, number>> => {
    const directories = new Map<string, string | undefined>()
    for (const id of ids) directories.set(id, await findDirectory(id))
    known = directories
    const idOf = new Map(
      [...directories].flatMap(([id, directory]) => (directory === undefined ? [] : [[directory, id]]))
    )
    const all = [...idOf.keys()]
    const files = new Map<string, number>()
    for (let from = 0; from < all.length; from += directoriesAtOnce)
      for (const [directory, made] of await countIn(run, all.slice(from, from + directoriesAtOnce)))
        files.set(idOf.get(directory)!, made)
    return files
  }
}

/** Undefined for a read-only container or an engine that does not expose the directory. */
export const layerDirectory = ({ GraphDriver, HostConfig }: InspectedContainer): string | undefined =>
  HostConfig.ReadonlyRootfs === true ? undefined : GraphDriver?.Data?.UpperDir

/** du exits with 1 and prints a line per file that vanished during the walk; the count is still usable. */
const toleratingVanishedFiles = { exitCodes: [1], stderr: 'ignore' } as const

async function countIn(run: EngineHost['run'], directories: readonly string[]): Promise<Map<string, number>> {
  try {
    const timeoutMs = directories.length === 1 ? oneTimeoutMs : allTimeoutMs
    const command = [...lowPriority, 'du', '--summarize', '--inodes', '--one-file-system', '--null', '--'] as const
    return parseCounts((await run([...command, ...directories], { ...toleratingVanishedFiles, timeoutMs })).stdout)
  } catch (error) {
    if (!(error instanceof ProcessError)) throw error
    const counts = new Map<string, number>()
    if (directories.length > 1)
      for (const each of directories)
        for (const [directory, files] of await countIn(run, [each])) counts.set(directory, files)
    return counts
  }
}

const parseCounts = (output: string): Map<string, number> =>
  new Map(
    output
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => [line.slice(line.indexOf('\t') + 1), Number.parseInt(line, 10) - 1])
  )
