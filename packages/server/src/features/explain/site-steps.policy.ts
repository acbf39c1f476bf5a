import { failed, notChecked, ok, skipped } from './verdict.policy.ts'
import type { ContainerObservations, PageObservations, Verdict } from './observations.types.ts'

/** Null: there is no container to check. */
export function containerStep(seen: ContainerObservations | null): Verdict {
  if (seen === null) return notChecked
  const { state, port, isAnswering } = seen
  if (state === 'unreachable') return failed({ code: 'ENGINE_DOWN' }, { code: 'START_ENGINE' })
  if (state === 'missing') return failed({ code: 'CONTAINER_MISSING' }, { code: 'DEPLOY_AGAIN' })
  if (!state.running && state.outOfMemory) return failed({ code: 'OUT_OF_MEMORY' }, { code: 'RAISE_MEMORY' })
  const values = { exitCode: state.exitCode }
  if (state.restarting) return failed({ code: 'CONTAINER_CRASHES', values }, { code: 'READ_LOG' })
  if (!state.running) return failed({ code: 'CONTAINER_EXITED', values }, { code: 'READ_LOG' })
  if (isAnswering) return ok({ code: 'CONTAINER_RUNS', values: { port } })
  const problem = portProblem(seen)
  // A process that listens elsewhere did not crash.
  if (problem?.sentences[0]?.code === 'WRONG_PORT') return problem
  // Between two crashes it counts as running.
  if (state.restartCount > 0)
    return failed(state.outOfMemory ? { code: 'OUT_OF_MEMORY' } : { code: 'CONTAINER_CRASHES', values }, {
      code: state.outOfMemory ? 'RAISE_MEMORY' : 'READ_LOG'
    })
  return problem ?? ok({ code: 'CONTAINER_RUNS', values: { port } })
}

function portProblem({ listening, port }: ContainerObservations): Verdict | undefined {
  if (listening === undefined) return undefined
  const expected = listening.find((each) => each.port === port)
  if (expected) return expected.isLocal ? failed({ code: 'LISTENS_LOCALLY' }, { code: 'LISTEN_EVERYWHERE' }) : undefined
  const reachable = listening.filter(({ isLocal }) => !isLocal).map((each) => String(each.port))
  const listen = { code: 'LISTEN_ON_PORT', values: { port } } as const
  if (reachable.length > 0)
    return failed(
      { code: 'WRONG_PORT', values: { found: reachable, port } },
      reachable.length === 1 ? { code: 'SET_PORT', values: { found: reachable[0]! } } : listen
    )
  return failed(listening.length > 0 ? { code: 'LISTENS_LOCALLY' } : { code: 'NOT_LISTENING' }, listen)
}

/** Null: the proxy or the container could not be asked. */
export function responseStep(seen: PageObservations | null): Verdict {
  if (seen === null) return notChecked
  const { urls, isLoop, elsewhere, status, failure, seconds } = seen
  if (isLoop) return failed({ code: 'REDIRECT_LOOP', values: { urls: [...urls] } }, { code: 'FIX_REDIRECT' })
  if (failure === 'TIMEOUT') return failed({ code: 'TOO_SLOW', values: { seconds } }, { code: 'CHECK_APPLICATION' })
  if (failure === 'LOST' || status === null) return failed({ code: 'CONNECTION_LOST' }, { code: 'CHECK_APPLICATION' })
  // The proxy waits for a site as long as it is configured to, and then says so itself.
  if (status === 504) return failed({ code: 'TOO_SLOW', values: { seconds } }, { code: 'CHECK_APPLICATION' })
  if (status >= 500) return failed({ code: 'SERVER_ERROR', values: { status } }, { code: 'CHECK_APPLICATION' })
  if (elsewhere !== null) return ok({ code: 'REDIRECTS_ELSEWHERE', values: { target: elsewhere } })
  return ok({ code: 'RESPONDS', values: { status } })
}

/** `private`: the viewer does not own the project. */
export function logStep(log: readonly string[] | 'private' | null): Verdict {
  if (log === null) return notChecked
  if (log === 'private') return skipped({ code: 'LOG_PRIVATE' })
  return log.length > 0 ? ok({ code: 'LOG_SHOWN' }) : skipped({ code: 'LOG_EMPTY' })
}
