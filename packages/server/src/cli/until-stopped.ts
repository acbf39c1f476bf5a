/** Waits for Ctrl-C or SIGTERM, closes, and ends the process. A second signal does not wait. */
export async function untilStopped(close: () => Promise<void>): Promise<never> {
  await new Promise<void>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(name, () => {
        resolve()
        process.once(name, () => process.exit(1))
      })
    }
  })
  await close()
  process.exit(0)
}
