import { setTimeout as sleep } from 'node:timers/promises'
import { keepConnected } from '../../concurrency/keep-connected.ts'
import { listNodesWithNetworks } from '../../db/nodes.ts'
import { type OnMachine, onMachine } from './on-machine.service.ts'

/**
 * Keeps one `watch` per machine that has or had containers, also of machines that are added meanwhile. A watch that ends is begun
 * again; it must end when its signal aborts. Resolves when `signal` aborts and all have ended.
 */
export async function watchEachMachine<Deps extends OnMachine>(
  deps: Deps,
  watch: (there: Deps, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal
): Promise<void> {
  const keep = (id: string, until: AbortSignal) =>
    // Its connection may be another one each time.
    keepConnected(async () => watch(await onMachine(deps, id), until), until)
  const listOthers = async () =>
    (await listNodesWithNetworks(deps.db)).map(({ id }) => id).filter((id) => id !== deps.nodeId)
  await Promise.all([keep(deps.nodeId, signal), keepOneOfEach(listOthers, keep, signal)])
}

/** Keeps one `run` of each id that `list` names; it must end when its signal aborts. Resolves when `signal` aborts. */
export async function keepOneOfEach(
  list: () => Promise<readonly string[]>,
  run: (id: string, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  lookEveryMs = 30_000
): Promise<void> {
  const kept = new Map<string, { stop: AbortController; ended: Promise<void> }>()
  while (!signal.aborted) {
    // While the store does not answer, they stay as they are.
    const wanted = await list().then(
      (ids) => new Set(ids),
      () => undefined
    )
    for (const id of wanted ?? [])
      if (!kept.has(id)) {
        const stop = new AbortController()
        kept.set(id, { stop, ended: run(id, AbortSignal.any([signal, stop.signal])) })
      }
    for (const [id, { stop }] of kept)
      if (wanted && !wanted.has(id)) {
        stop.abort()
        kept.delete(id)
      }
    await sleep(lookEveryMs, undefined, { signal }).catch(() => {}) // Woken up to stop.
  }
  await Promise.all([...kept.values()].map(({ ended }) => ended))
}
