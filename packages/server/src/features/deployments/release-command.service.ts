import { setTimeout as sleep } from 'node:timers/promises'
import type { FailureCode } from '@panel/contract/failure-texts'
import type { Sentence } from '@panel/contract/sentences'
import type { ContainerEngine, ContainerSpec, ContainerState } from '../../infra/container-engine/container-engine.ts'

interface ReleaseCommand {
  /** Container of the new release: the command runs with the same image, variables, files, network and limits. */
  spec: ContainerSpec
  command: string
  onOutput: (text: string) => void
  signal: AbortSignal
}

const pollMs = 100
const maxLines = 100_000

/**
 * Runs a command once, in a container of its own that is removed afterwards. Resolves with the reason if it failed. The
 * container has the labels of its deployment, so it is removed when an interrupted deployment ends.
 */
export async function runReleaseCommand(
  engine: Pick<
    ContainerEngine,
    'createContainer' | 'startContainer' | 'followLogs' | 'findContainer' | 'removeContainer'
  >,
  { spec, command, onOutput, signal }: ReleaseCommand
): Promise<Sentence<FailureCode> | undefined> {
  const { hostPort, ...unpublished } = spec
  const id = await engine.createContainer({
    ...unpublished,
    name: `${spec.name}-release`,
    oneOff: ['/bin/sh', '-c', command]
  })
  try {
    signal.throwIfAborted()
    await engine.startContainer(id)
    for await (const { text } of engine.followLogs(id, { tail: maxLines }, signal)) onOutput(text)
    return problemOf(await ended(engine, id, signal))
  } finally {
    await engine.removeContainer(id)
  }
}

/** The log ends shortly before the engine records the exit code, and early if its connection breaks. */
async function ended(
  engine: Pick<ContainerEngine, 'findContainer'>,
  id: string,
  signal: AbortSignal
): Promise<ContainerState | undefined> {
  for (;;) {
    signal.throwIfAborted()
    const state = await engine.findContainer(id)
    if (!state?.running) return state
    await sleep(pollMs, undefined, { signal })
  }
}

function problemOf(state: ContainerState | undefined): Sentence<FailureCode> | undefined {
  if (!state) return { code: 'RELEASE_CONTAINER_GONE' }
  if (state.exitCode === 0) return undefined
  if (state.outOfMemory) return { code: 'RELEASE_OUT_OF_MEMORY' }
  return { code: 'RELEASE_FAILED', values: { exitCode: String(state.exitCode) } }
}
