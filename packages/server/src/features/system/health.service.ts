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

// Public, so its work is bounded: probed once in this time, however many ask.
// Of what this process sees.
const cacheMs = 2_000
/** Programs that wait for a start ask often, and are to see its end soon. */
const startingCacheMs = 250
const partTimeoutMs = 3_000

const checks = new WeakMap<object, () => Promise<Health>>()

/** The one check of this process. */
export function healthOf(deps: Dependencies): Promise<Health> {
  const check = checks.get(deps) ?? createHealthCheck(deps)
  checks.set(deps, check)
  return check()
}

/** Probes every real part, each within a time limit of its own. Versions are for `./panel doctor`: this answer is public. */
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
        () => {} // Rejects for the callers.
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

/** What the worker sees is what there is, but for the store, which each process reaches for itself. */
async function probeWithWorker(deps: Dependencies): Promise<Record<string, Part>> {
  const own = partsOf(deps).filter(({ name }) => ownParts.includes(name))
  const [mine, others] = await Promise.all([
    probeParts(deps, own),
    probeAtWorker(deps).catch((error: unknown) => {
      deps.logger.warn({ error: messageOf(error) }, 'the worker does not answer')
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

/** Whether somebody has to do something about a part in this state. */
export const isUnavailable = ({ status }: Part): boolean => status === 'missing' || status === 'unreachable'

async function probe(deps: Dependencies, { name, ping, remedy }: HealthPart): Promise<Part> {
  const state = deps.programStates.of(name)
  // One that starts may answer before it serves, and a question to an idle one would start it.
  if (state === 'starting' || state === 'idle') return { status: state }
  try {
    await withTimeLimit(ping(deps), partTimeoutMs)
    return { status: 'ok' }
  } catch (error) {
    const missing = /ENOENT|not installed/.test(
      messageOf(error) + messageOf((error as { cause?: unknown }).cause ?? '')
    )
    return unavailable(missing ? 'missing' : 'unreachable', remedy)
  }
}
