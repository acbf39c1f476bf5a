// Loaded into the panel before its own code: on SIGUSR2 it clears what nobody holds any more, and says what is left.
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** What waits for a finalizer, and code that has not run for some collections, goes with a later one. */
const collections = 12

process.on('SIGUSR2', async () => {
  for (let n = 0; n < collections; n++) {
    globalThis.gc()
    await sleep(50)
  }
  const { heapUsed, external } = process.memoryUsage()
  writeFileSync(process.env.MEMORY_FILE, String(heapUsed + external))
})
