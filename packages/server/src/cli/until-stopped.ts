import { once, setMaxListeners } from 'node:events'

/** Starts, waits for Ctrl-C or SIGTERM, closes and exits. A signal during the start aborts it; a second one exits. */
export async function runUntilStopped(start: (signal: AbortSignal) => Promise<() => Promise<void>>): Promise<never> {
  const stopping = new AbortController()
  setMaxListeners(0, stopping.signal)
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (stopping.signal.aborted) process.exit(1)
      stopping.abort(new Error(`Stopped by ${name}`))
    })
  }
  const close = await start(stopping.signal).catch((error: unknown) => {
    if (stopping.signal.aborted) process.exit(0)
    throw error
  })
  if (!stopping.signal.aborted) await once(stopping.signal, 'abort')
  await close()
  process.exit(0)
}
