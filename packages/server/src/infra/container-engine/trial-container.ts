import { randomBytes } from 'node:crypto'
import { EngineError } from './container-engine.ts'
import { createEngineCall, ignoringStatuses, unlessMissing } from './docker-call.ts'

interface TrialOptions {
  socketPath: string
  image: string
  timeoutMs?: number
}

// Not from labels.ts: a running panel must not take it for a site.
const label = 'panel.trial'

/** Runs a container to its end: an engine may respond and still start none, for example without AppArmor's tools. */
export async function runTrialContainer({ socketPath, image, timeoutMs = 30_000 }: TrialOptions): Promise<void> {
  const call = createEngineCall(socketPath)
  const signal = AbortSignal.timeout(timeoutMs)
  const ask = <T>(path: string, options: { query?: Record<string, string>; body?: object } = {}) =>
    call(timeoutMs, (engine) => engine.ask<T>('POST', path, options), { signal })
  // A known name allows removal even if the create response was lost.
  const name = `panel-trial-${randomBytes(6).toString('hex')}`
  try {
    await ask('/containers/create', { query: { name }, body: trialSpec(image) })
    await ask(`/containers/${name}/start`)
    // AutoRemove: missing means ended.
    const ended = await unlessMissing(ask<{ StatusCode: number }>(`/containers/${name}/wait`))
    if (ended !== undefined && ended.StatusCode !== 0)
      throw new EngineError(`the container exited with status ${ended.StatusCode}`, 500)
  } finally {
    const removal = call(timeoutMs, (engine) =>
      engine.ask('DELETE', `/containers/${name}`, { query: { force: 'true', v: 'true' } })
    )
    await ignoringStatuses([404, 409], removal)
  }
}

const trialSpec = (image: string) => ({
  Image: image,
  Entrypoint: ['true'],
  Labels: { [label]: 'doctor' },
  HostConfig: {
    AutoRemove: true,
    NetworkMode: 'none',
    ReadonlyRootfs: true,
    Memory: 64 * 2 ** 20,
    PidsLimit: 16,
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges']
  }
})
