import { once, setMaxListeners } from 'node:events'

/**
 * Starts, waits for Ctrl-C or SIGTERM, closes, and ends the process. A signal that comes during the start ends it as soon as it
 * can, and what had been started is closed by `start` itself. A second signal does not wait.
 */
export async function runUntilStopped(start: (signal: AbortSignal) => Promise<() => Promise<void>>): Promise<never> {
  const stopping = new AbortController()
  // Each program that is being started has one; Node.js takes more than ten for a leak, and says so.
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
