import { type RemedyCode, remedyTexts } from '@panel/contract/remedy-texts'
import { sentenceText, type Sentence } from '@panel/contract/sentences'
import type { Health } from '@panel/contract/system'
import { withTimeLimit } from '../../concurrency/time-limit.ts'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { version } from '../../process/version.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import type { HealthPart } from '../feature.ts'

type Part = Health['parts'][string]

// The endpoint is public, so results are cached to bound its work.
const cacheMs = 2_000
/** Shorter while programs start, because clients poll for the end of the start. */
const startingCacheMs = 250
const partTimeoutMs = 3_000

const checks = new WeakMap<object, () => Promise<Health>>()

/** One health check per process. */
export function healthOf(deps: Dependencies): Promise<Health> {
  const check = checks.get(deps) ?? createHealthCheck(deps)
  checks.set(deps, check)
  return check()
}

/** Probes every part with its own time limit. Without versions, because the result is public. */
function createHealthCheck(deps: Dependencies) {
  let cached: { until: number; health: Promise<Health> } | undefined
  const probeAll = async (): Promise<Health> => {
    const parts = deps.worker ? await probeWithWorker(deps) : { ...(await probeParts(deps, partsOf(deps))), worker: ok }
    const isStarting = Object.values(parts).some(({ status }) => status === 'starting')
    return { status: isStarting ? 'starting' : 'ok', version, parts }
  }
  return (): Promise<Health> => {
    if (!cached || performance.now() > cached.until) {
      const entry = { until: performance.now() + cacheMs, health: probeAll() }
      cached = entry
      entry.health.then(
        ({ status }) => {
          if (status === 'starting') entry.until = performance.now() + startingCacheMs
        },
        () => {} // Callers handle the rejection.
      )
    }
    return cached.health
  }
}

const partsOf = (deps: Dependencies): readonly HealthPart[] => [
  ...deps.programs(),
  ...deps.features.flatMap(({ health }) => health ?? [])
]

const probeParts = async (deps: Dependencies, parts: readonly HealthPart[]): Promise<Record<string, Part>> =>
  Object.fromEntries(await Promise.all(parts.map(async (part) => [part.name, await probe(deps, part)] as const)))

const probeAtWorker = workerVerb('system.health', [], (deps: Dependencies) => probeParts(deps, partsOf(deps)), {
  timeoutMs: 2 * partTimeoutMs
})

/** Probes in the worker, except the database, which each process connects to itself. */
async function probeWithWorker(deps: Dependencies): Promise<Record<string, Part>> {
  const own = partsOf(deps).filter(({ name }) => ownParts.includes(name))
  const [mine, others] = await Promise.all([
    probeParts(deps, own),
    probeAtWorker(deps).catch((error: unknown) => {
      deps.logger.warn({ error: messageOf(error) }, 'the worker is not responding')
      return undefined
    })
  ])
  return { ...others, ...mine, worker: others ? ok : unavailable('unreachable', { code: 'RESTART_WORKER' }) }
}

const ok = { status: 'ok' } as const
const unavailable = (status: Part['status'], remedy: Sentence<RemedyCode>): Part => ({
  status,
  remedy: sentenceText(remedyTexts, [remedy]),
  sentences: [remedy]
})
const ownParts = ['store', 'sessionStore']

/** Whether the part needs attention. */
export const isUnavailable = ({ status }: Part): boolean => status === 'missing' || status === 'unreachable'

async function probe(deps: Dependencies, { name, ping, remedy }: HealthPart): Promise<Part> {
  const state = deps.programStates.of(name)
  // A starting part may respond before it serves, and a probe would start an idle one.
  if (state === 'starting' || state === 'idle') return { status: state }
  try {
    await withTimeLimit(ping(deps), partTimeoutMs)
    return { status: 'ok' }
  } catch (error) {
    const missing = /ENOENT|not installed/.test(
      messageOf(error) + messageOf((error as { cause?: unknown }).cause ?? '')
    )
    return unavailable(missing ? 'missing' : 'unreachable', deps.programStates.remedyFor(name) ?? remedy)
  }
}
