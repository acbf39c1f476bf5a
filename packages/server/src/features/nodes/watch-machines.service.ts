import { setTimeout as sleep } from 'node:timers/promises'
import { keepConnected } from '../../concurrency/keep-connected.ts'
import { listNodesWithNetworks } from '../../db/nodes.ts'
import type { Dependencies } from '../../dependencies.ts'
import { type OnMachine, onMachine } from './on-machine.service.ts'

const lookEveryMs = 30_000

/**
 * Keeps one `watch` per machine that has or had containers, also of machines that are added meanwhile. A watch that ends is begun
 * again; it must end when its signal aborts. Resolves when `signal` aborts and all have ended.
 */
export async function watchEachMachine<Deps extends OnMachine & Pick<Dependencies, 'db'>>(
  deps: Deps,
  watch: (there: Deps, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal
): Promise<void> {
  const watched = new Map<string, { stop: AbortController; ended: Promise<void> }>()
  const begin = (id: string) => {
    const stop = new AbortController()
    const until = AbortSignal.any([signal, stop.signal])
    // Its connection may be another one each time.
    const ended = keepConnected(async () => watch(await onMachine(deps, id), until), until)
    watched.set(id, { stop, ended })
  }
  begin(deps.nodeId)
  while (!signal.aborted) {
    // While the store does not answer, the watches stay as they are.
    const others = await listNodesWithNetworks(deps.db).catch(() => undefined)
    const wanted = others && new Set([deps.nodeId, ...others.map(({ id }) => id)])
    for (const id of wanted ?? []) if (!watched.has(id)) begin(id)
    for (const [id, { stop }] of watched)
      if (wanted && !wanted.has(id)) {
        stop.abort()
        watched.delete(id)
      }
    await sleep(lookEveryMs, undefined, { signal }).catch(() => {}) // Woken up to stop.
  }
  await Promise.all([...watched.values()].map(({ ended }) => ended))
}
