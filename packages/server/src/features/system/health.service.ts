import type { Health } from '@panel/contract/system'
import { withTimeLimit } from '../../bounded-wait.ts'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../message-of.ts'
import type { HealthPart } from '../feature.ts'

type Part = Health['parts'][string]

// Public, so its work is bounded: probed once in this time, however many ask.
// Of what this process sees.
const cacheMs = 2_000
const partTimeoutMs = 3_000

/** Probes every real part, each within a time limit of its own. Versions are for `./panel doctor`: this answer is public. */
export function createHealthCheck(deps: Dependencies, version: string) {
  const parts: readonly HealthPart[] = [...deps.programs, ...deps.features.flatMap(({ health }) => health ?? [])]
  let cached: { at: number; health: Promise<Health> } | undefined
  const probeAll = async (): Promise<Health> => ({
    status: 'ok',
    version,
    parts: Object.fromEntries(
      await Promise.all(parts.map(async (part) => [part.name, await probe(deps, part)] as const))
    )
  })
  return (): Promise<Health> => {
    if (!cached || performance.now() - cached.at > cacheMs) cached = { at: performance.now(), health: probeAll() }
    return cached.health
  }
}

async function probe(deps: Dependencies, { ping, remedy }: HealthPart): Promise<Part> {
  try {
    await withTimeLimit(ping(deps), partTimeoutMs)
    return { status: 'ok' }
  } catch (error) {
    const missing = /ENOENT|not installed/.test(
      messageOf(error) + messageOf((error as { cause?: unknown }).cause ?? '')
    )
    return { status: missing ? 'missing' : 'unreachable', remedy }
  }
}
