// Loaded into the panel before its own code: on SIGUSR2 it clears what nobody holds any more, and says what is left.
import { writeFileSync } from 'node:fs'

process.on('SIGUSR2', () => {
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  writeFileSync(process.env.MEMORY_FILE, String(heapUsed + external))
})
